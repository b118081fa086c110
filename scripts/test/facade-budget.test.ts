import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../build.mjs';
import { copyOfWorkspace, type Folder } from './planted.ts';

/*
 * What an import of the facade may load, in bytes: a kilobyte costs every program 25 microseconds at its start. What a
 * plain query() does not need is loaded by import() where it is first needed, as `load-engine.ts` does it. A number is
 * raised only for what every program needs, and with a reason in the commit.
 */
const budgets = { 'claude-agent-sdk': 287_500, index: 348_500 };
/** The same with what is loaded while the first agent starts. */
const withEngine = 369_900;
/** `query` with all it may load, bundled into one file and minified. */
const bundled = 233_300;

/** Modules of Node that Node itself has not loaded by then, and that take their time. */
const expensive = ['child_process', 'crypto', 'http', 'net', 'os', 'perf_hooks', 'stream', 'url', 'worker_threads'];

let workspace: Folder;
const dist = (file: string): string => `packages/sdk/dist/${file}`;

beforeAll(async () => {
  workspace = copyOfWorkspace();
  await bundle(path.join(workspace.dir, 'packages/sdk'));
}, 300_000);

afterAll(() => workspace[Symbol.dispose]());

/** A file of the bundle and all that it imports statically. */
function loadedWith(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  seen.add(file);
  for (const [, name = ''] of workspace.read(dist(file)).matchAll(/^(?:import|export) .*?from "(\..*?)";$/gm)) {
    const imported = path.posix.join(path.posix.dirname(file), name);
    if (!seen.has(imported)) loadedWith(imported, seen);
  }
  return seen;
}

const bytesOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + Buffer.byteLength(workspace.read(dist(file))), 0);

describe('An import of the facade', () => {
  it.each(Object.entries(budgets))('reads two files for %s, within %i bytes', (door, budget) => {
    const files = loadedWith(`${door}.js`);
    expect([...files].toSorted()).toEqual(['chunks/shared.js', `${door}.js`]);
    expect(bytesOf(files)).toBeLessThan(budget);
  });

  it('is the same in each clone: no path to where third parties are installed is in it', () => {
    expect(workspace.read(dist('chunks/shared.js'))).not.toContain('node_modules/');
  });

  it('loads no expensive module of Node', () => {
    const program = `const before = new Set(process.moduleLoadList);
      for (const door of ['index', 'claude-agent-sdk']) require('./packages/sdk/dist/' + door + '.js');
      console.log(JSON.stringify(process.moduleLoadList.filter((name) => !before.has(name))));`;
    const loaded: string[] = JSON.parse(workspace.run(process.execPath, '-e', program).output);
    expect(loaded.filter((name) => expensive.some((one) => name === `NativeModule ${one}`))).toEqual([]);
  });
});

describe('The first query of a program', () => {
  it('loads one file more', () => {
    const files = loadedWith('chunks/sdk-engine.js');
    expect([...files].toSorted()).toEqual(['chunks/sdk-engine.js', 'chunks/shared.js']);
    expect(bytesOf([...files, 'claude-agent-sdk.js'])).toBeLessThan(withEngine);
  });

  it('is not too large for programs that bundle it', async () => {
    const door = path.join(workspace.dir, dist('claude-agent-sdk.js'));
    const bundler = await rolldown({
      input: 'program.js',
      platform: 'node',
      external: [/^@modelcontextprotocol/, /^zod/],
      plugins: [
        {
          name: 'program',
          resolveId: (id) => (id === 'program.js' ? id : undefined),
          load: (id) => (id === 'program.js' ? `export { query } from ${JSON.stringify(door)};` : undefined),
        },
      ],
    });
    const { output } = await bundler.generate({ format: 'esm', minify: true, codeSplitting: false });
    await bundler.close();
    expect(output.map(({ fileName }) => fileName)).toEqual(['program.js']);
    expect(output[0].code).toContain('RESULT_ERROR');
    expect(Buffer.byteLength(output[0].code)).toBeLessThan(bundled);
  });
});
