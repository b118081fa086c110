import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { pack, startRegistry, type Registry } from '../support/local-registry.ts';
import { official } from '../types/facade.ts';
import { lackingWith, outcomeWith } from './probing.ts';

/** A version that was never published: the pinned one, with something of each kind changed. */
async function makeUp(folder: string): Promise<string> {
  const made = join(folder, 'made-up');
  const pinned = dirname(fileURLToPath(import.meta.resolve(official)));
  await cp(pinned, made, {
    recursive: true,
    filter: (source) => !source.slice(pinned.length).includes('node_modules'),
  });
  const edit = async (file: string, change: (text: string) => string): Promise<void> => {
    await writeFile(join(made, file), change(await readFile(join(made, file), 'utf8')));
  };
  await edit('package.json', (text) => {
    // The whole manifest, without what the registry of the test does not have.
    const { peerDependencies: _, exports, ...manifest } = JSON.parse(text) as Record<string, object>;
    const { './bridge': _gone, ...entries } = exports as Record<string, object>;
    return JSON.stringify({
      ...manifest,
      version: '0.3.999',
      exports: { ...entries, './new': { default: './new.mjs' } },
    });
  });
  await edit('sdk.d.ts', (text) =>
    text
      .replace(/^export declare type Options = \{$/mu, '$&\n    newOption?: boolean;')
      .replace(/^export declare type SDKStatus = /mu, "$&'dozing' | ")
      .concat('\nexport declare type NewType = { key: string };\n'),
  );
  await rename(join(made, 'sdk.mjs'), join(made, 'former.mjs'));
  await writeFile(
    join(made, 'sdk.mjs'),
    `import * as former from './former.mjs';
     export * from './former.mjs';
     export const HOOK_EVENTS = [...former.HOOK_EVENTS, 'Sneezed'];
     export function newFunction() {}
     export function query({ prompt, options }) {
       const args = { ...options.extraArgs, ...(options.maxTurns === undefined ? {} : { 'turns-left': '1' }) };
       return former.query({ prompt, options: { ...options, extraArgs: args } });
     }`,
  );
  return pack(made, folder);
}

/** The real CLI as that version would bring it. */
async function makeUpCli(folder: string): Promise<string> {
  const name = `${official}-${process.platform}-${process.arch}`;
  const made = join(folder, 'made-up-cli');
  await mkdir(made);
  await writeFile(join(made, 'package.json'), JSON.stringify({ name, version: '0.3.999' }));
  await writeFile(join(made, 'claude'), `#!/bin/sh\nexec '${cli}' "$@"\n`, { mode: 0o755 });
  return pack(made, folder);
}

let folder: string;
let registry: Registry;
let withItsCli: Registry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'made-up-'));
  const packed = await makeUp(folder);
  registry = await startRegistry([packed]);
  withItsCli = await startRegistry([packed, await makeUpCli(folder)]);
});

afterAll(async () => {
  await registry.close();
  await withItsCli.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly printed: string;
}

/** What the script prints for arguments, with the made-up version on the registry, and how it ends. */
const canary = (...args: readonly string[]): Promise<Ended> => canaryFrom(registry, args);

async function canaryFrom({ url }: Registry, args: readonly string[]): Promise<Ended> {
  const script = fileURLToPath(new URL('canary.ts', import.meta.url));
  const env = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, npm_config_registry: url };
  return await new Promise((resolve) => {
    execFile(process.execPath, ['--conditions=@hexagent/source', script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), printed: `${stdout}${stderr}` }),
    );
  });
}

describe('pnpm canary', { timeout: 300_000 }, () => {
  it('prints what changed in entries, names, types, options and in what the CLI receives', async () => {
    const steps = ['--steps', 'surface,values'];
    const { code, printed } = await canary('0.3.999', ...steps, '--options', 'maxTurns,newOption,title');
    expect(printed).toContain(`${official}: 0.3.328 → 0.3.999`);
    expect(printed).toMatch(/^Entries:\n {2}- \.\/bridge\n {2}\+ \.\/new\n\n/m);
    expect(printed).toMatch(/^Names at run time:\n {2}\+ \. newFunction\n {2}~ \. HOOK_EVENTS\n {6}\+ 'Sneezed'\n/m);
    // What it needs beside it is not on this registry.
    expect(printed).toMatch(/^ {2}! \.\/core cannot be loaded: .*modelcontextprotocol/m);
    expect(printed).toMatch(/^Types:\n(?: {2}- .*\n)* {2}- attachBridgeSession\n/m);
    expect(printed).toMatch(
      /^ {2}\+ NewType\n {2}~ Options\n {6}\+ newOption\?: boolean;\n {2}~ SDKStatus\n {6}\+ 'dozing'/m,
    );
    expect(printed).toMatch(/^ {2}~ maxTurns: 1\n {6}received\.launches\.0\.flags\.turns-left: undefined → \["1"\]$/m);
    expect(printed).not.toMatch(/^ {2}~ (?:title|newOption)/m);
    expect(printed).toMatch(
      new RegExp(
        [
          '^Lacking in ours, and what to do:',
          '  the entry ./new: .*',
          '  Sneezed in HOOK_EVENTS of .: .*',
          '  newFunction of .: .*',
          '  the option newOption: .*',
          '  the type NewType: .*',
        ].join('\\n'),
        'm',
      ),
    );
    expect(code).toBe(1);
  });

  it('takes the latest version, and only the options that are asked for', async () => {
    const { code, printed } = await canary('--steps', 'values', '--options', 'title');
    expect(printed).toContain('→ 0.3.999');
    expect(printed).toMatch(/for \d values of options: nothing changed$/m);
    expect(printed).toMatch(/^Lacking in ours, and what to do: nothing$/m);
    expect(code).toBe(0);
  });

  it('tries both faces with the CLI of that version, and reports where there is none', async () => {
    const { code, printed } = await canary('--steps', 'probes');
    expect(printed).toMatch(/^ {2}the CLI of 0\.3\.999: there is none/m);
    expect(code).toBe(1);
  });

  it('runs tests of this repository with that version, and lists those that fail', async () => {
    const { code, printed } = await canary('--steps', 'tests', '--tests', 'differential/limits.test.ts');
    expect(printed).toMatch(
      /^Of [1-9]\d* tests with the new version, these fail:\n {2}e2e\/differential\/limits\.test\.ts: .*`maxTurns`, in both\n\n/m,
    );
    expect(code).toBe(1);
  });

  it('reports which version could not be installed, and leaves nothing behind', async () => {
    expect((await canary('0.0.1')).printed).toContain(`npm could not install ${official}@0.0.1.`);
    const left = (await promisify(execFile)('ls', [folder])).stdout;
    expect(left).not.toContain('canary-');
  });

  it('prints how it is used', async () => {
    expect((await canary('--help')).printed).toContain('pnpm canary [version]');
  });
});

withCli('pnpm canary with a CLI', { timeout: 300_000 }, () => {
  const probes = ['a turn', 'a text'];

  it.skipIf(process.platform === 'win32')(
    'tries both faces with the one of that version, and lacks nothing',
    async () => {
      const args = ['--steps', 'probes', '--probes', probes.join(',')];
      const { code, printed } = await canaryFrom(withItsCli, args);
      expect(printed).toMatch(/^What ours lacks with the new CLI: nothing$/m);
      expect(code).toBe(0);
    },
  );

  it('counts what was tried on each face, and names what does not work', async () => {
    const lacking = await outcomeWith('/bin/false', '0.0.1', probes);
    expect(lacking).toMatchObject({ native: { tried: 1 }, dropIn: { tried: 1 } });
    expect(lackingWith(lacking)).toEqual([
      expect.stringMatching(/^native, a turn: .*code 1/),
      expect.stringMatching(/^drop-in, a text: .*code 1/),
    ]);
  });
});
