import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesMentioning } from '@hexagent/testing/cli';

const hexagent = fileURLToPath(new URL('../src/hexagent.ts', import.meta.url));
const official = '@anthropic-ai/claude-agent-sdk';
const ours = '@hexagent/claude-agent-sdk';

let folder: string;
let project: string;
let temp: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hexagent-try-test-')));
  [project, temp] = [join(folder, 'project'), join(folder, 'temp')];
  mkdirSync(temp);
  write('package.json', '{ "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

/** A package whose `query` returns its name. */
function install(name: string, version: string, at = join('node_modules', name)): void {
  write(
    join(at, 'package.json'),
    JSON.stringify({
      name,
      version,
      type: 'module',
      exports: { '.': './sdk.mjs', './package.json': './package.json' },
    }),
  );
  write(join(at, 'sdk.mjs'), `export const query = () => '${name}';\n`);
}

function link(from: string, to: string): void {
  mkdirSync(dirname(join(project, from)), { recursive: true });
  symlinkSync(to, join(project, from));
}

/** Two tests, of which one passes with the official package alone. */
const tests = `
import assert from 'node:assert';
import { it } from 'node:test';
import { query } from '${official}';
it('loads', () => assert.ok(query()));
it('is the official one', () => assert.equal(query(), '${official}'));
`;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function start(
  args: readonly string[],
  cwd = project,
): { readonly child: ReturnType<typeof execFile>; readonly ended: Promise<Ended> } {
  const all = ['--conditions=@hexagent/source', hexagent, 'try', ...args];
  const env = { PATH: process.env['PATH'], TMPDIR: temp };
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = execFile(process.execPath, all, { cwd, env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
  );
  return { child, ended: promise };
}

const tryIt = (args: readonly string[], cwd?: string): Promise<Ended> => start(args, cwd).ended;
const nodeTest = ['--', process.execPath, '--test', '--test-reporter=tap'];

/** The cells of the printed table, by the name of the package. */
function tableIn(stdout: string): Readonly<Record<string, readonly string[]>> {
  const rows = [...stdout.matchAll(/^(?<name>@\S+ \S+) +(?<cells>[\d? ]+)$/gmu)];
  return Object.fromEntries(
    rows.map(({ groups = {} }) => [groups['name'], (groups['cells'] ?? '').trim().split(/ +/u)]),
  );
}

describe('hexagent try', () => {
  it('runs the tests with both packages, prints both counts, and leaves the project as it was', async () => {
    for (const [name, version] of [
      [official, '0.3.9'],
      [ours, '0.3.8'],
    ] as const)
      install(name, version);
    write('try.test.js', tests);
    const { code, stdout } = await tryIt(nodeTest);
    expect(tableIn(stdout)).toEqual({
      [`${official} 0.3.9`]: ['2', '0', '0', '0'],
      [`${ours} 0.3.8`]: ['1', '1', '0', '1'],
    });
    expect(stdout).toMatch(/^Not the same\.$/mu);
    expect(code).toBe(1);
    expect(readdirSync(join(project, 'node_modules', official))).toEqual(['package.json', 'sdk.mjs']);
    expect(readdirSync(temp)).toEqual([]);
  });

  it('succeeds where both runs end alike, also where the counts cannot be read', async () => {
    for (const name of [official, ours]) install(name, '0.3.9');
    const { code, stdout } = await tryIt(['--', process.execPath, '-e', 'process.exit(3)']);
    expect(Object.values(tableIn(stdout))).toEqual([
      ['?', '?', '?', '3'],
      ['?', '?', '?', '3'],
    ]);
    expect(stdout).toMatch(/only the exit codes are compared\.\nThe same\.$/mu);
    expect(code).toBe(0);
  });

  it('replaces each copy in a workspace, where packages are links', async () => {
    write('pnpm-workspace.yaml', 'packages: [app]');
    const store = 'node_modules/.pnpm';
    for (const name of [official, ours])
      install(name, '0.3.9', `${store}/${name.replace('/', '+')}/node_modules/${name}`);
    install(official, '0.2.0', `${store}/library/node_modules/${official}`);
    for (const name of [official, ours])
      link(`app/node_modules/${name}`, `../../../${store}/${name.replace('/', '+')}/node_modules/${name}`);
    write(
      `${store}/library/node_modules/library/package.json`,
      '{ "name": "library", "type": "module", "exports": "./index.js" }',
    );
    write(`${store}/library/node_modules/library/index.js`, `export { query } from '${official}';`);
    link('app/node_modules/library', `../../${store}/library/node_modules/library`);
    write('app/package.json', '{ "type": "module" }');
    write(
      'app/show.js',
      `import { query } from '${official}'; import { query as other } from 'library'; console.log([query(), other()].join(' and '));`,
    );
    const { stdout } = await tryIt(['--', process.execPath, 'show.js'], join(project, 'app'));
    expect(stdout.match(/^@.* and .*$/gmu)).toEqual([`${official} and ${official}`, `${ours} and ${ours}`]);
  });

  it('replaces a link that leads out of the project, and leaves the folder it leads to', async () => {
    const elsewhere = join(folder, 'store');
    for (const name of [official, ours]) {
      install(name, '0.3.9', join('../store', name));
      link(`node_modules/${name}`, join(elsewhere, name));
    }
    write('show.js', `import { query } from '${official}'; console.log(query());`);
    const { stdout } = await tryIt(['--', process.execPath, 'show.js']);
    expect(stdout.match(/^@\S+$/gmu)).toEqual([official, ours]);
    expect(readdirSync(join(elsewhere, official))).toEqual(['package.json', 'sdk.mjs']);
  });

  it('says what is missing', async () => {
    install(official, '0.3.9');
    expect(await tryIt(nodeTest)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`npm install --save-dev ${ours}`),
    });
    rmSync(join(project, 'node_modules', official), { recursive: true });
    install(ours, '0.3.9');
    expect(await tryIt(nodeTest)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to compare with'),
    });
    expect(await tryIt(['npm', 'test'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hexagent try -- COMMAND'),
    });
    install(official, '0.3.9');
    const { stdout, stderr } = await tryIt(['--', 'no-such-command']);
    expect(stderr).toContain('no-such-command could not be started');
    expect(Object.values(tableIn(stdout)).map((cells) => cells.at(-1))).toEqual(['127', '127']);
  });

  it('refuses a project that has the folder for temporary files in it, and a folder for them that is missing', async () => {
    for (const name of [official, ours]) install(name, '0.3.9');
    write('../package.json', '{ "workspaces": ["project"] }');
    expect(await tryIt(nodeTest)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Set TMPDIR to a folder outside'),
    });
    rmSync(join(folder, 'package.json'));
    rmSync(temp, { recursive: true });
    expect(await tryIt(nodeTest)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Set TMPDIR to a folder: ${temp}`),
    });
    mkdirSync(temp);
  });

  it('ends the command and removes the copy when it is terminated', async () => {
    for (const name of [official, ours]) install(name, '0.3.9');
    write('wait.mjs', `console.log('waiting'); setInterval(() => {}, 1000);`);
    const { child, ended } = start(['--', 'sh', '-c', `${process.execPath} wait.mjs & wait`]);
    await once(child.stdout!, 'data');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Stopped.') });
    expect(readdirSync(temp)).toEqual([]);
    expect(processesMentioning('wait.mjs')).toEqual([]);
  });
});
