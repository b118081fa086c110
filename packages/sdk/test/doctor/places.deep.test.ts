import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, doctor, type DoctorOptions } from '@hexagent/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: string;
let cli: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexagent-doctor-'));
  cli = join(folder, 'claude');
  await writeFile(cli, '#!/bin/sh\necho "$VERSION (Claude Code)"\nexit "${CODE:-0}"\n', { mode: 0o755 });
});
afterAll(async () => await rm(folder, { recursive: true }));

const examined = async (options: DoctorOptions) => {
  const { ok, checks } = await doctor(options);
  return {
    ok,
    found: Object.fromEntries(checks.filter(({ status }) => status !== 'skipped').map((one) => [one.name, one])),
  };
};
const printing = (VERSION: string, CODE = '0'): DoctorOptions['env'] => ({ policy: 'exact', set: { VERSION, CODE } });

describe.skipIf(process.platform === 'win32')('A place', () => {
  it('is reached, and its CLI and folder are examined there', async () => {
    const { ok, found } = await examined({ executable: command(['env'], { cli }), cwd: '/', env: printing('2.1.328') });
    expect(found).toMatchObject({ cli: { status: 'ok' }, cwd: { status: 'ok' }, version: { status: 'ok' } });
    expect([ok, Object.keys(found)]).toEqual([true, ['cli', 'version', 'cwd']]);
  });

  it('is not examined for a folder that a session there would refuse', async () => {
    const options = { executable: command(['env'], { cli }), cwd: 'src' };
    await expect(doctor(options)).rejects.toThrow(TypeError);
    await expect(doctor(options)).rejects.toThrow('`cwd` must be an absolute path where `executable` is a place');
  });

  it.each([Infinity, 2 ** 33, 10_000.5])('is waited for as long as the program wants: %d ms', async (timeoutMs) => {
    const options = { executable: command(['env'], { cli }), env: printing('2.1.328'), timeoutMs };
    expect((await examined(options)).found).toMatchObject({ version: { status: 'ok' } });
  });

  it.each<[string, string, RegExp, () => DoctorOptions]>([
    ['that cannot be reached', 'cli', /exited with code 1/, () => ({ executable: command(['false']) })],
    [
      'without the program that reaches it',
      'cli',
      /no program none-such/,
      () => ({ executable: command(['none-such']) }),
    ],
    ['without a CLI', 'cli', /There is no \/none there/, () => ({ executable: command(['env'], { cli: '/none' }) })],
    ['without the folder', 'cwd', /cannot be entered/, () => ({ executable: command(['env'], { cli }), cwd: '/none' })],
    [
      'with an old CLI',
      'version',
      /older than/,
      () => ({ executable: command(['env'], { cli }), env: printing('2.0.1') }),
    ],
    [
      'with a CLI that fails',
      'version',
      /ended with 3/,
      () => ({ executable: command(['env'], { cli }), env: printing('none', '3') }),
    ],
    [
      'that does not answer',
      'cli',
      /did not answer within 0.2 s/,
      () => ({ executable: command(['sh', '-c', 'sleep 60']), timeoutMs: 200 }),
    ],
  ])('%s is named with the remedy', async (_, check, message, options) => {
    const { ok, found } = await examined(options());
    expect(ok).toBe(false);
    expect(found[check]).toMatchObject({ status: 'fail', found: expect.stringMatching(message) });
    expect(found[check]?.remedy).toMatch(/./);
  });
});
