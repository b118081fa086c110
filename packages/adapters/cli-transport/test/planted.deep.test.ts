import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixture } from './agents.ts';
import { temporaryFolder, type Folder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

const host = `${process.platform}-${process.arch}`;
const builds = ['claude-agent-sdk', 'claude-code'].flatMap((main) =>
  [`${main}-${host}`, `${main}-${host}-musl`].map((build) => ({ main, build })),
);

let place: Folder;
/** A folder of another user, full of programs with the names that the SDK looks for. */
let hostile: string;
/** Where the program that uses the SDK works, below the hostile folder. */
let deep: string;
/** Holds the one CLI that the person installed. */
let bin: string;

beforeEach(async () => {
  place = await temporaryFolder();
  hostile = join(place.path, 'hostile');
  deep = join(hostile, 'packages', 'one');
  bin = join(place.path, 'bin');
  await mkdir(join(place.path, 'home'));
  await place.file('bin/claude', '#!/bin/sh\necho installed >&2\n');
  for (const folder of [hostile, deep]) await plant(folder);
});
afterEach(() => place[Symbol.asyncDispose]());

/** Every planted program leaves a file beside the hostile folder. */
async function plant(folder: string): Promise<void> {
  const program = `#!/bin/sh\necho "$0" >> '${join(place.path, 'ran')}'\necho planted >&2\n`;
  const names = ['claude', 'node', 'bin/claude', 'bin/node', '.local/bin/claude', '.claude/local/claude'];
  const modules = 'node_modules/@anthropic-ai';
  for (const { main, build } of builds) {
    names.push(`${modules}/${build}/claude`, `${modules}/${main}/${modules}/${build}/claude`);
    const manifest = JSON.stringify({ name: `@anthropic-ai/${main}`, version: '9.9.9', main: 'index.js' });
    await place.file(join(folder.slice(place.path.length), modules, main, 'package.json'), manifest);
    await place.file(join(folder.slice(place.path.length), modules, main, 'index.js'), '');
  }
  names.push('node_modules/.bin/claude', 'node_modules/.bin/node');
  for (const name of names) await place.file(join(folder.slice(place.path.length), name), program);
}

interface Outcome {
  readonly code?: number;
  readonly stderr?: string;
  readonly failure?: string;
  readonly message?: string;
}

interface Way {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly request?: object;
  /** Default: a program that lies outside of the hostile folder. */
  readonly program?: readonly string[];
  readonly input?: string;
}

async function outcomeOf({ cwd = deep, env = {}, request = {}, program, input }: Way): Promise<Outcome> {
  const args = [
    '--conditions=@hexagent/source',
    ...(program ?? [fixture('default-agent.ts'), JSON.stringify(request)]),
  ];
  const environment = { PATH: `${bin}:/usr/bin:/bin`, HOME: join(place.path, 'home'), ...env };
  const child = spawn(process.execPath, args, { cwd, env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input ?? '');
  return JSON.parse(await text(child.stdout)) as Outcome; // printed by start-default.ts
}

const nothingPlantedRan = (): void => expect(existsSync(join(place.path, 'ran'))).toBe(false);
const installed = { code: 0, stderr: 'installed\n' };

/** For `node -e` and its like: loads the SDK from where it is and starts its default agent. */
function evaluated(request: object = {}): string {
  const module = pathToFileURL(fixture('start-default.ts')).href;
  return `import(${JSON.stringify(module)}).then((m) => m.startDefault(${JSON.stringify(JSON.stringify(request))}));`;
}

describe('A program that was planted in a folder does not run', () => {
  it('because the process works there, or below', async () => {
    expect(await outcomeOf({ cwd: hostile })).toEqual(installed);
    expect(await outcomeOf({ cwd: deep })).toEqual(installed);
    nothingPlantedRan();
  });

  it('because the session works there, or below', async () => {
    for (const cwd of [hostile, deep])
      expect(await outcomeOf({ cwd: place.path, request: { launch: { cwd } } })).toEqual(installed);
    nothingPlantedRan();
  });

  it('because a program without an entry file is typed there, with a file of the folder as its argument', async () => {
    const code = evaluated();
    for (const program of [
      ['-e', code],
      ['-e', code, './claude'],
      ['-e', code, join(deep, 'claude')],
      [`--eval=${code}`, 'claude'],
    ])
      expect(await outcomeOf({ program })).toEqual(installed);
    expect(await outcomeOf({ program: [], input: code })).toEqual(installed);
    expect(await outcomeOf({ program: ['-', join(deep, 'claude')], input: code })).toEqual(installed);
    nothingPlantedRan();
  });

  it('because a worker was made from text there', async () => {
    const code = `new (require('worker_threads').Worker)(${JSON.stringify(evaluated())}, { eval: true });`;
    expect(await outcomeOf({ program: ['-e', code, join(deep, 'claude')] })).toEqual(installed);
    nothingPlantedRan();
  });

  it.each(['.', '', './bin', 'bin', 'node_modules/.bin', '..', '../../bin'])(
    'because PATH has the entry "%s"',
    async (entry) => {
      expect(await outcomeOf({ env: { PATH: `${entry}:${bin}:/usr/bin:/bin` } })).toEqual(installed);
      nothingPlantedRan();
    },
  );

  it('because NODE_PATH leads there', async () => {
    for (const NODE_PATH of ['.', 'node_modules', './node_modules'])
      expect(await outcomeOf({ env: { NODE_PATH } })).toEqual(installed);
    nothingPlantedRan();
  });

  it('because it has the name that the option or a variable gives', async () => {
    const path = { PATH: `.:${bin}:/usr/bin:/bin` };
    expect(await outcomeOf({ env: path, request: { options: { executable: 'claude' } } })).toEqual(installed);
    for (const name of ['CLAUDE_CODE_PATH', 'CLAUDE_CLI_PATH'])
      expect(await outcomeOf({ env: { ...path, [name]: 'claude' } })).toEqual(installed);
    const elsewhere = { PATH: '.:/usr/bin:/bin' };
    for (const way of [
      { env: elsewhere, request: { options: { executable: 'claude' } } },
      { env: { ...elsewhere, CLAUDE_CODE_PATH: 'claude' } },
      { env: { ...elsewhere, CLAUDE_CODE_PATH: './claude' } },
      { env: { ...elsewhere, CLAUDE_CODE_PATH: 'bin/claude' } },
    ])
      expect(await outcomeOf(way)).toMatchObject({ failure: 'AGENT_NOT_FOUND' });
    nothingPlantedRan();
  });

  it('as a tool of the system that the SDK uses', async () => {
    await place.file('hostile/ps', `#!/bin/sh\ntouch '${join(place.path, 'ran')}'\n`);
    const module = new URL('../../../processes/src/ps.ts', import.meta.url).href;
    const main = await place.file(
      'lists.mjs',
      `import { entriesFromPs } from ${JSON.stringify(module)};
      console.log(JSON.stringify({ code: (await entriesFromPs()).some(({ pid }) => pid === process.pid) ? 0 : 1 }));`,
    );
    const env = { PATH: '.:/usr/bin:/bin' };
    expect(await outcomeOf({ cwd: hostile, env, program: [main] })).toEqual({ code: 0 });
    nothingPlantedRan();
  });

  it('as the interpreter of the CLI', async () => {
    await place.file('script/claude', '#!/usr/bin/env node\nconsole.error("installed");\n');
    await place.file('script/split', '#!/usr/bin/env -S node --no-warnings\nconsole.error("installed");\n');
    await place.file('script/cli.mjs', 'console.error("installed");\n');
    const node = dirname(process.execPath);
    for (const PATH of [`.:${node}:/usr/bin:/bin`, `bin::${node}`, `${node}:.`]) {
      const launch = { cwd: deep, env: { PATH, HOME: place.path } };
      for (const options of [
        { executable: join(place.path, 'script/claude') },
        { executable: join(place.path, 'script/split') },
        { executable: join(place.path, 'script/cli.mjs'), interpreter: 'node' },
      ])
        expect(await outcomeOf({ cwd: place.path, env: { PATH }, request: { options, launch } })).toEqual(installed);
    }
    nothingPlantedRan();
  });
});

describe('What the application installed', () => {
  it('runs although other builds are planted where the program works', async () => {
    const main = await place.file(
      'app/main.mjs',
      `import { startDefault } from ${JSON.stringify(pathToFileURL(fixture('start-default.ts')).href)};\nawait startDefault('{}');\n`,
    );
    const name = `app/node_modules/@anthropic-ai/claude-code-${host}`;
    await place.file(`${name}/claude`, '#!/bin/sh\necho application >&2\n');
    expect(await outcomeOf({ program: [main] })).toEqual({ code: 0, stderr: 'application\n' });
    nothingPlantedRan();
  });
});
