import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

const run = promisify(execFile);
const door = (file: string): string => new URL(`../src/${file}`, import.meta.url).href;

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(await realpath(tmpdir()), 'hexagent-test-'));
  await mkdir(join(place, 'work'));
});
afterEach(() => rm(place, { recursive: true }));

/** What the face writes before it waits: what is written to an agent that has exited fails by itself, before its exit is reported. */
const linesOf = { query: 2, ask: 2, openSession: 1 } as const;

/** Each face of the SDK with an agent that leaves at its last line. */
const faces = {
  query: `for await (const _ of sdk.query({ prompt: 'Hi', options: { cwd, pathToClaudeCodeExecutable: executable } }));`,
  ask: `await sdk.ask('Hi', { cwd, executable }).result;`,
  openSession: `const session = await sdk.openSession({ cwd, executable }); try { await session.ready; } finally { await session.close(); }`,
} as const;
const names = ['query', 'ask', 'openSession'] as const;

/**
 * What comes of each `cwd`, in a program that a shell starts where it has gone: a code and a message. `null` if there was no error.
 * @param afterwards what the program does once it has called
 */
async function failuresOf(
  face: keyof typeof faces,
  enter: string,
  cwds: readonly (string | null)[],
  afterwards = '',
): Promise<string[]> {
  const program = `const sdk = await import(${JSON.stringify(door(face === 'query' ? 'claude-agent-sdk.ts' : 'index.ts'))});
    const { cwds, executable } = JSON.parse(process.argv[2]);
    const attempt = async (cwd) => { ${faces[face]} };
    const outcomes = [];
    for (const cwd of cwds) {
      const going = attempt(cwd ?? undefined);
      ${afterwards}
      outcomes.push(await going.then(() => 'no failure', (error) => error.code + ' ' + error.message));
    }
    console.log(JSON.stringify(outcomes));`;
  const reads = 'read -r _\n'.repeat(linesOf[face]);
  await writeFile(join(place, 'claude'), `#!/bin/sh\n${reads}echo "started in $(pwd)" >&2\nexit 3\n`, { mode: 0o755 });
  // A file, because Node itself evaluates nothing in a folder that was deleted.
  await writeFile(join(place, 'program.mjs'), program);
  const argument = JSON.stringify({ cwds, executable: join(place, 'claude') });
  const node = [process.execPath, '--conditions=@hexagent/source', join(place, 'program.mjs'), argument];
  const { stdout } = await run('/bin/sh', ['-c', `${enter} && exec "$0" "$@"`, ...node], {
    cwd: place,
    env: { PATH: '/usr/bin:/bin', HOME: place },
  });
  return JSON.parse(stdout) as string[]; // written by the program above
}

const places = [
  { what: 'was deleted', enter: 'mkdir -p gone && cd gone && rmdir ../gone' },
  {
    what: 'has a name that is not UTF-8',
    enter: `folder=$(printf 'caf\\351') && mkdir -p "$folder" && cd "$folder"`,
  },
];

// There are file systems, such as the one of macOS, that take no such name.
const possible = places.filter(({ what }) => process.platform === 'linux' || what === 'was deleted');

describe.each(possible)('In a folder that $what', ({ what, enter }) => {
  it.each(names)('%s() starts an agent in the folder that is named, and asks for `cwd` when none is', async (face) => {
    const [named, ...others] = await failuresOf(face, enter, [join(place, 'work'), null, '.', 'work']);
    expect(named).toContain(`started in ${join(place, 'work')}`);
    const asking = expect.stringMatching(new RegExp(`^CWD_MISSING .*${what}.*absolute path as \`cwd\``)) as string;
    expect(others).toEqual([asking, asking, asking]);
  });
});

describe('A relative `cwd`', () => {
  it.each(names)('of %s() counts from where the program works at the call', async (face) => {
    const enter = 'mkdir -p other/work && true';
    const [outcome] = await failuresOf(face, enter, ['work'], `process.chdir('other');`);
    expect(outcome).toContain(`started in ${join(place, 'work')}`);
  });
});
