import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveSettings, type ResolvedSettings, type SettingsRequest } from '../src/index.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'settings-files-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function put(file: string, content: unknown): Promise<void> {
  const whole = path.join(root, file);
  await mkdir(path.dirname(whole), { recursive: true });
  await writeFile(whole, typeof content === 'string' ? content : JSON.stringify(content));
}

async function resolve(request: Partial<SettingsRequest> = {}): Promise<ResolvedSettings> {
  return await resolveSettings({
    cwd: path.join(root, 'project'),
    configDir: path.join(root, 'config'),
    fileSources: ['user', 'project', 'local'],
    platform: 'linux',
    policyFolder: path.join(root, 'policy'),
    ...request,
  });
}

// What is expected here was recorded from the official package, with its folder of policies in a namespace of its own.
describe('The policy of a machine', () => {
  it('counts over the files of a person, and its lists are added to theirs', async () => {
    await put('config/settings.json', { model: 'mine', permissions: { deny: ['A'] }, availableModels: ['mine'] });
    await put('policy/managed-settings.json', {
      model: 'ours',
      permissions: { deny: ['B'] },
      availableModels: ['ours'],
    });
    const { effective, provenance, sources } = await resolve();
    expect(effective).toEqual({ model: 'ours', permissions: { deny: ['A', 'B'] }, availableModels: ['ours'] });
    expect(provenance['model']).toEqual({ source: 'managed', policyOrigin: 'file' });
    expect(sources.map(({ source }) => source)).toEqual(['user', 'managed']);
  });

  it('has additions, which are joined in the order of their names, without the hidden ones and other files', async () => {
    await put('policy/managed-settings.json', { model: 'm', permissions: { deny: ['M'] }, env: { A: '1' } });
    await put('policy/managed-settings.d/20.json', { permissions: { deny: ['N'] }, env: { A: '2' } });
    await put('policy/managed-settings.d/10.json', { model: 'ten', env: { A: '3', B: '4' } });
    await put('policy/managed-settings.d/.hidden.json', { model: 'h' });
    await put('policy/managed-settings.d/x.txt', { model: 'h' });
    const { effective, machinePolicy } = await resolve();
    expect(effective).toEqual({ model: 'ten', permissions: { deny: ['M', 'N'] }, env: { A: '2', B: '4' } });
    expect(machinePolicy).toEqual({ didNotLoad: false });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is no JSON', async () => await put('policy/managed-settings.json', '{nope')],
    ['is a list', async () => await put('policy/managed-settings.json', [1])],
    ['has comments', async () => await put('policy/managed-settings.json', '// a\n{}')],
    ['is a folder', async () => await mkdir(path.join(root, 'policy/managed-settings.json'), { recursive: true })],
    ['has a broken addition', async () => await put('policy/managed-settings.d/1.json', '{nope')],
    ['has an addition that is a list', async () => await put('policy/managed-settings.d/1.json', '[1]')],
  ])('is named when it %s', async (_, prepare) => {
    await prepare();
    await put('policy/managed-settings.d/2.json', { model: 'd' });
    const { effective, machinePolicy } = await resolve();
    expect(machinePolicy).toEqual({ didNotLoad: ['file'] });
    expect(effective).toEqual({ model: 'd' });
  });

  it('is no source when it is empty', async () => {
    await put('policy/managed-settings.json', '');
    expect(await resolve()).toMatchObject({ sources: [], machinePolicy: { didNotLoad: false } });
  });

  it('keeps what can be read of it, and never allows more for a mistake', async () => {
    await put('policy/managed-settings.json', {
      model: 5,
      cleanupPeriodDays: 4,
      disableAllHooks: 'x',
      allowManagedHooksOnly: 'x',
      permissions: { deny: ['A', 'B('], allow: ['C'], disableBypassPermissionsMode: 'yes' },
    });
    const { effective } = await resolve();
    expect(effective).toEqual({
      cleanupPeriodDays: 4,
      allowManagedHooksOnly: true,
      permissions: { deny: ['A'], disableBypassPermissionsMode: 'disable' },
    });
  });

  it('gives way to that of the server, and both are over that of the program', async () => {
    await put('policy/managed-settings.json', { model: 'machine', permissions: { deny: ['M'] } });
    const policyOfProgram = { permissions: { deny: ['P'] } };
    const policyOfServer = { permissions: { deny: ['S'] } };
    expect((await resolve({ policyOfProgram, policyOfServer })).effective).toEqual({ permissions: { deny: ['S'] } });
    expect((await resolve({ policyOfProgram })).effective).toEqual({ model: 'machine', permissions: { deny: ['M'] } });
  });

  it('lets a program add to it, where it allows a merge', async () => {
    await put('policy/managed-settings.json', { parentSettingsBehavior: 'merge', permissions: { deny: ['M'] } });
    const policyOfProgram = { permissions: { deny: ['P'] }, allowManagedHooksOnly: true, model: 'x' };
    const { effective, provenance } = await resolve({ policyOfProgram });
    expect(effective).toEqual({
      parentSettingsBehavior: 'merge',
      allowManagedHooksOnly: true,
      permissions: { deny: ['P', 'M'] },
    });
    expect(provenance['permissions']).toEqual({ source: 'managed', policyOrigin: 'file' });
  });

  it.each<[NodeJS.Platform, string]>([
    ['darwin', 'profile'],
    ['win32', 'registry'],
  ])('on %s may be in a place that is not read, and that is named', async (platform, kind) => {
    expect((await resolve({ platform })).machinePolicy).toEqual({ didNotLoad: [kind] });
  });
});
