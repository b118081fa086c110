import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder, type Folder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

const run = promisify(execFile);
const sources = fileURLToPath(new URL('../src', import.meta.url));

let place: Folder;
beforeEach(async () => {
  place = await temporaryFolder();
  await mkdir(join(place.path, 'elsewhere'));
});
afterEach(() => place[Symbol.asyncDispose]());

/** A copy of the sources, as if they were installed in that folder; `url` is what a bundler makes of `import.meta.url`. */
async function sdkIn(folder: string, url?: string): Promise<string> {
  const target = join(place.path, folder);
  await cp(sources, target, { recursive: true });
  if (url !== undefined) {
    for (const file of await readdir(target)) {
      const path = join(target, file);
      await writeFile(path, (await readFile(path, 'utf8')).replaceAll('import.meta.url', url));
    }
  }
  return pathToFileURL(join(target, 'read-host-environment.ts')).href;
}

const searching = (sdk: string): string =>
  `import(${JSON.stringify(sdk)}).then(({ readHostEnvironment }) =>
    console.log(JSON.stringify(readHostEnvironment({ env: {} }).roots.map(({ path }) => path))));`;

/** The files from which a program searches; it works in a folder that is not one of them. */
async function rootsOf(args: readonly string[], input = ''): Promise<readonly string[]> {
  const child = spawn(process.execPath, args, { cwd: join(place.path, 'elsewhere'), env: {} });
  child.stdin.end(input);
  const output = await text(child.stdout);
  if (output === '') throw new Error(await text(child.stderr));
  const paths = JSON.parse(output) as string[];
  return paths.map((path) => path.slice(place.path.length + 1));
}

describe('A program searches from', () => {
  it('its entry file, then from where the SDK lies', async () => {
    const main = await place.file('app/main.js', searching(await sdkIn('lib/sdk')));
    expect(await rootsOf([main])).toEqual(['app/main.js', 'lib/sdk/search-roots.ts']);
  });

  it('what a link leads to that it was started with', async () => {
    await place.file('tool/bin/main.js', searching(await sdkIn('lib/sdk')));
    await mkdir(join(place.path, 'bin'));
    await symlink('../tool/bin/main.js', join(place.path, 'bin/tool'));
    expect(await rootsOf([join(place.path, 'bin/tool')])).toEqual(['tool/bin/main.js', 'lib/sdk/search-roots.ts']);
  });

  it('an entry file that was named without its ending, or by its folder', async () => {
    await place.file('app/index.js', searching(await sdkIn('lib/sdk')));
    expect(await rootsOf([join(place.path, 'app/index')])).toEqual(['app/index.js', 'lib/sdk/search-roots.ts']);
    expect(await rootsOf([join(place.path, 'app')])).toEqual(['app', 'lib/sdk/search-roots.ts']);
  });

  it('the file of a worker, in the worker', async () => {
    const worker = await place.file('app/worker.js', searching(await sdkIn('lib/sdk')));
    const code = `new (require('node:worker_threads').Worker)(${JSON.stringify(worker)})`;
    const main = await place.file('other/main.js', code);
    for (const args of [[main], ['-e', code, join(place.path, 'elsewhere')]])
      expect(await rootsOf(args)).toEqual(['app/worker.js', 'lib/sdk/search-roots.ts']);
  });

  it('where the SDK lies alone, when it has no entry file', async () => {
    const code = searching(await sdkIn('lib/sdk'));
    const argument = await place.file('elsewhere/file.js');
    const only = ['lib/sdk/search-roots.ts'];
    for (const args of [
      ['-e', code],
      ['-e', code, argument],
      ['-e', code, 'file.js'],
      [`--eval=${code}`, argument],
    ])
      expect(await rootsOf(args)).toEqual(only);
    expect(await rootsOf([], code)).toEqual(only);
    expect(await rootsOf(['-', argument], code)).toEqual(only);
    const worker = `new (require('node:worker_threads').Worker)(${JSON.stringify(code)}, { eval: true })`;
    expect(await rootsOf(['-e', worker, argument])).toEqual(only);
    expect(await rootsOf([await place.file('app/evaluating.js', worker)])).toEqual(only);
  });

  it.each([
    ['a single executable, which has the name that was typed there', 'tool'],
    ['a path that was never made absolute', './tool'],
    ['text that a tool evaluates', '[eval].ts'],
    ['text that Deno evaluates', '$deno$eval.mts'],
  ])('where the SDK lies alone, when its first argument is %s', async (_what, name) => {
    const file = await place.file(`elsewhere/${name}`);
    const first = name.includes('tool') ? name : file;
    const code = `process.argv[1] = ${JSON.stringify(first)};\n${searching(await sdkIn('lib/sdk'))}`;
    expect(await rootsOf([await place.file('app/main.js', code)])).toEqual(['lib/sdk/search-roots.ts']);
  });

  it.each([
    [
      'where the SDK lies alone, in a packaged Electron program: its first argument is a file to open',
      'browser',
      false,
    ],
    ['its entry file too, when Electron was started with a program to run', 'browser', true],
    ['its entry file too, when Electron runs as Node', undefined, false],
  ])('%s', async (_what, type, isDefaultApp) => {
    const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '40.0.0' } });
      Object.assign(process, ${JSON.stringify({ type, ...(isDefaultApp ? { defaultApp: true } : {}) })});
      ${searching(await sdkIn('lib/sdk'))}`;
    const isEntry = type === undefined || isDefaultApp;
    expect(await rootsOf([await place.file('app/main.js', code)])).toEqual([
      ...(isEntry ? ['app/main.js'] : []),
      'lib/sdk/search-roots.ts',
    ]);
  });

  it('its entry file alone, after a bundler that leaves no trace of where the SDK lies', async () => {
    const main = await place.file('app/main.js', searching(await sdkIn('lib/sdk', 'undefined')));
    expect(await rootsOf([main])).toEqual(['app/main.js']);
  });

  it('its entry file alone, when a bundler wrote a path of the machine that built the program', async () => {
    for (const url of [
      'file:///home/builder/no-such-place/index.js',
      'https://example.com/sdk.js',
      'data:text/plain,',
    ]) {
      const main = await place.file('app/main.js', searching(await sdkIn('lib/sdk', JSON.stringify(url))));
      expect(await rootsOf([main])).toEqual(['app/main.js']);
    }
  });
});

describe('A program that has no folder, or one without a name', () => {
  it('searches nevertheless', async () => {
    const main = await place.file('app/main.js', searching(await sdkIn('lib/sdk')));
    const gone = join(place.path, 'gone');
    await mkdir(gone);
    const { stdout } = await run('/bin/sh', [
      '-c',
      `cd '${gone}' && rmdir '${gone}' && exec "$0" "$@"`,
      process.execPath,
      main,
    ]);
    expect(JSON.parse(stdout)).toContain(main);
  });
});
