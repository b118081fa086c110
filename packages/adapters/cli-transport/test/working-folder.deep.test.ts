import { execFile } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixture } from './agents.ts';
import { temporaryFolder, type Folder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

const run = promisify(execFile);

let place: Folder;
beforeEach(async () => {
  place = await temporaryFolder();
  await mkdir(join(place.path, 'work'));
  await place.file('claude', '#!/bin/sh\npwd >&2\n');
});
afterEach(() => place[Symbol.asyncDispose]());

/** Another user, where this one may enter every folder. Its files are loaded before the program becomes that user. */
const user = process.getuid?.() === 0 ? 65_534 : undefined;

/** Runs a program that starts an agent, from a shell that has gone where no path leads. */
async function outcomeIn(enter: string, request: object): Promise<unknown> {
  const node = [
    process.execPath,
    '--conditions=@hexagent/source',
    fixture('default-agent.ts'),
    JSON.stringify(request),
  ];
  const { stdout } = await run('/bin/sh', ['-c', `${enter} && exec "$0" "$@"`, ...node], {
    cwd: place.path,
    env: { PATH: '/usr/bin:/bin', HOME: place.path },
  });
  return JSON.parse(stdout);
}

const places = [
  { what: 'was deleted', enter: 'mkdir gone && cd gone && rmdir ../gone', problem: 'was deleted' },
  {
    what: 'has a name that is not UTF-8',
    enter: `folder=$(printf 'caf\\351') && mkdir -p "$folder" && cd "$folder"`,
    problem: 'has a name that is not UTF-8',
  },
];

// There are file systems, such as the one of macOS, that take no such name.
const possible = places.filter(({ what }) => process.platform === 'linux' || what === 'was deleted');

describe.each(possible)('A program in a folder that $what', ({ enter, problem }) => {
  const options = (): object => ({ executable: join(place.path, 'claude') });

  it('starts an agent in the folder that it names', async () => {
    const cwd = join(place.path, 'work');
    expect(await outcomeIn(enter, { options: options(), launch: { cwd } })).toEqual({ code: 0, stderr: `${cwd}\n` });
  });

  it('finds the CLI as elsewhere', async () => {
    const launch = { cwd: join(place.path, 'work'), env: { PATH: `${place.path}:/usr/bin:/bin`, HOME: place.path } };
    expect(await outcomeIn(enter, { launch })).toMatchObject({ code: 0 });
  });

  it('gets the error that it must name a folder', async () => {
    for (const way of [{}, { cwd: '.' }, { cwd: 'work' }, { cwd: '../work' }, { givesOwnFolder: true }]) {
      const { cwd, givesOwnFolder } = { cwd: undefined, givesOwnFolder: false, ...way };
      if (givesOwnFolder && problem === 'was deleted') continue; // there is none to give
      expect(await outcomeIn(enter, { options: options(), launch: { cwd }, givesOwnFolder })).toMatchObject({
        failure: 'CWD_MISSING',
        message: expect.stringContaining(problem) as string,
      });
    }
  });

  it('gets the name of its folder in the error', async () => {
    expect(await outcomeIn(enter, { options: options() })).toMatchObject({
      message: expect.stringMatching(/works in \(.*\/(gone|caf\uFFFD)\) /) as string,
    });
  });

  it('gets the error that a relative path to the CLI cannot be resolved', async () => {
    const launch = { cwd: join(place.path, 'work') };
    expect(await outcomeIn(enter, { options: { executable: '../claude' }, launch })).toMatchObject({
      failure: 'AGENT_NOT_FOUND',
      message: expect.stringMatching(new RegExp(`\`executable\` is the relative path ../claude.*${problem}`)) as string,
    });
  });
});

describe.skipIf(process.platform === 'win32')('A folder that the user of a program may not enter', () => {
  const options = (): object => ({ executable: join(place.path, 'claude') });
  let closed: string;
  beforeEach(async () => {
    closed = join(place.path, 'closed');
    await chmod(place.path, 0o755);
    await mkdir(join(closed, 'inside'), { recursive: true });
  });
  afterEach(() => chmod(closed, 0o700));

  it('is named where it is given', async () => {
    await chmod(closed, 0o600);
    const inside = join(closed, 'inside');
    for (const [cwd, problem] of [
      [closed, 'may not be entered by the user'],
      [inside, 'does not exist or cannot be entered'],
    ] as const)
      expect(await outcomeIn('true', { options: options(), launch: { cwd }, user })).toMatchObject({
        failure: 'CWD_MISSING',
        message: expect.stringContaining(`${cwd} ${problem}`) as string,
      });
  });

  it('is no obstacle where the program works in it, as the CLI starts there', async () => {
    const request = { options: options(), moveTo: 'closed', closes: 'closed', user };
    expect(await outcomeIn('true', request)).toEqual({ code: 0, stderr: `${closed}\n` });
  });

  it('is named where the program works below it', async () => {
    const request = { options: options(), moveTo: 'closed/inside', closes: 'closed', user };
    expect(await outcomeIn('true', request)).toEqual({
      failure: 'CWD_MISSING',
      message: expect.stringContaining(`(${join(closed, 'inside')}) was deleted, or may not be read`) as string,
    });
  });
});

describe('A program whose working directory is deleted while it runs', () => {
  it('gets the error that it must name a folder', async () => {
    expect(
      await outcomeIn('true', {
        options: { executable: join(place.path, 'claude') },
        moveTo: 'work',
        deletesFolder: true,
      }),
    ).toMatchObject({
      failure: 'CWD_MISSING',
      message: expect.stringContaining('was deleted') as string,
    });
  });
});

describe('A relative path among the options', () => {
  it('is taken from the folder in which the program works when the transport is made', async () => {
    const launch = { cwd: join(place.path, 'work') };
    expect(await outcomeIn('true', { options: { executable: './claude' }, launch })).toMatchObject({ code: 0 });
    await place.file('work/claude', '#!/bin/sh\necho wrong >&2\n');
    await place.file('run.mjs', 'console.error("by the interpreter")');
    await place.file('interpreter', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    await place.file('work/interpreter', '#!/bin/sh\necho wrong >&2\n');
    const script = { executable: './run.mjs', interpreter: './interpreter' };
    expect(await outcomeIn('true', { options: script, launch, moveTo: 'work' })).toEqual({
      code: 0,
      stderr: 'by the interpreter\n',
    });
  });
});
