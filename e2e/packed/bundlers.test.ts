import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { hermeticEnv, hermeticHome } from '@hexagent/testing/cli';
import { startLoopback, toolUse } from '@hexagent/testing/loopback';
import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { build as viteBuild } from 'vite';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import webpack from 'webpack';
import { cli } from '../support/cli.ts';
import { run } from './run.ts';

type Format = 'esm' | 'cjs';

interface Bundle {
  /** The file to begin with, and the one to write. */
  readonly entry: string;
  readonly file: string;
  readonly format: Format;
  readonly isRun: boolean;
  warn(message: string): void;
}

/** With the options that each needs for a program on Node, and no more. */
const bundlers: Readonly<Record<string, (bundle: Bundle) => Promise<unknown>>> = {
  async esbuild({ entry, file, format, warn }) {
    const options = { bundle: true, platform: 'node', logLevel: 'silent', format } as const;
    const { warnings } = await esbuild.build({ ...options, entryPoints: [entry], outfile: file });
    for (const { text } of warnings) warn(text);
  },
  async rollup({ entry, file, format, warn }) {
    const plugins = [nodeResolve({ preferBuiltins: true })];
    const bundle = await rollup({ input: entry, plugins, onwarn: ({ message }) => warn(message) });
    await bundle.write({ file, format, inlineDynamicImports: true });
    await bundle.close();
  },
  async rolldown({ entry, file, format, warn }) {
    const bundle = await rolldown({ input: entry, platform: 'node', onLog: (_level, { message }) => warn(message) });
    await bundle.write({ file, format, codeSplitting: false });
    await bundle.close();
  },
  async 'vite SSR'({ entry, file, format, warn }) {
    const output = { entryFileNames: basename(file), format, codeSplitting: false } as const;
    await viteBuild({
      root: dirname(entry),
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir: dirname(file),
        emptyOutDir: false,
        rolldownOptions: { output, onLog: (_level, { message }) => warn(message) },
      },
    });
  },
  async webpack({ entry, file, format, isRun, warn }) {
    const isModule = format === 'esm';
    const compiler = webpack({
      mode: 'production',
      target: 'node20',
      entry,
      experiments: { outputModule: isModule },
      // Takes longer than the rest, and shows only when the file is run.
      optimization: { minimize: isRun },
      output: {
        path: dirname(file),
        filename: basename(file),
        asyncChunks: false,
        library: { type: isModule ? 'module' : 'commonjs2' },
      },
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    await promisify(compiler.close.bind(compiler))();
    const { errors = [], warnings = [] } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
    for (const { message } of warnings) warn(message);
  },
};

/**
 * What some bundlers warn of, and what the page docs/bundling.md says about: packages that are loaded when they are there,
 * and in CommonJS the place of the file, by which only those packages are found.
 */
const expected = /zod\/v4\/core|zod-to-json-schema|["']pg["']|import\.meta/u;

const { nodes, project } = inject('packed');
// `pnpm bundlers` has them all; else the one with more in it is run, on the Node that can least.
const isComplete = process.env['MODE'] === 'complete';
const formats: readonly Format[] = isComplete ? ['esm', 'cjs'] : ['esm'];
/** The programs that are bundled, with what they have beside our packages. */
const programs = { plain: [], zod: ['zod'] };

describe.each(Object.entries(programs))('The program %s', (program, beside) => {
  let folder: string;
  const runsOn = isComplete ? nodes : program === 'zod' ? nodes.slice(0, 1) : [];

  // The program, our packages, and nothing else that it did not ask for.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hexagent-bundles-'));
    cpSync(fileURLToPath(new URL('fixtures/bundled', import.meta.url)), join(folder, 'in'), { recursive: true });
    const { resolve } = createRequire(import.meta.url);
    const foreign = beside.map((name) => [name, dirname(resolve(`${name}/package.json`))] as const);
    for (const [name, source] of [['@hexagent', join(project, 'node_modules/@hexagent')] as const, ...foreign])
      cpSync(source, join(folder, 'in/node_modules', name), { recursive: true, dereference: true });
    return () => rmSync(folder, { recursive: true, force: true });
  });

  const versions = runsOn.map(({ version }) => version).join(', ');
  const ending = versions === '' ? '' : `, and runs on Node ${versions}`;
  for (const format of formats)
    it.each(Object.entries(bundlers))(`is bundled by %s as ${format}${ending}`, async (name, bundle) => {
      const file = join(folder, `${name.replaceAll(' ', '-')}.${format === 'esm' ? 'mjs' : 'cjs'}`);
      const warnings: string[] = [];
      await bundle({
        entry: join(folder, 'in', `${program}.mjs`),
        file,
        format,
        isRun: runsOn.length > 0,
        warn: (message) => warnings.push(message),
      });
      const unexpected = warnings.filter((text) => !expected.test(stripVTControlCharacters(text)));
      expect(unexpected.filter((text) => text.includes('@hexagent'))).toEqual([]);
      for (const { executable } of runsOn) expect(await converse(executable, file)).toBe('ok\n');
    });
});

/** Runs a bundle with the real CLI and a scripted model, and returns what it prints. */
async function converse(executable: string, file: string): Promise<string> {
  const turn = [toolUse('mcp__calc__add', { a: 2, b: 3 }), 'done'];
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback([...turn, ...turn])]);
  try {
    const own = { ...hermeticEnv({ loopback, home }), CLAUDE_CODE_PATH: cli };
    const place = JSON.stringify({ cwd: home.cwd, env: own });
    return await run(executable, [file], { cwd: home.cwd, env: { ...own, HEXAGENT_PLACE: place } });
  } finally {
    await loopback.close();
    await home.remove();
  }
}
