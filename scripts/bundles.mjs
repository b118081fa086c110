// Bundles a program with everything it imports, as applications and serverless functions are shipped, and runs the one
// file where there is no package beside it: with the real CLI and a scripted model.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { root } from './workspace.mjs';

const fixtures = path.join(root, 'scripts/fixtures/bundled');
const require = createRequire(path.join(root, 'e2e/package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const extensions = { esm: 'mjs', cjs: 'cjs' };

/**
 * Each takes the file to begin with, the file to write and its format, and returns what the bundler warns of. Options are
 * those that each needs for a program on Node, and no more.
 */
const bundlers = {
  async esbuild({ entry, file, format }) {
    const { build } = await load('esbuild');
    const options = { bundle: true, platform: 'node', logLevel: 'silent' };
    const { warnings } = await build({ ...options, entryPoints: [entry], outfile: file, format });
    return warnings.map(({ text }) => text);
  },
  async rollup({ entry, file, format }) {
    const [{ rollup }, { nodeResolve }] = await Promise.all([load('rollup'), load('@rollup/plugin-node-resolve')]);
    const warnings = [];
    const resolving = nodeResolve({ preferBuiltins: true });
    const bundle = await rollup({
      input: entry,
      plugins: [resolving],
      onwarn: ({ message }) => warnings.push(message),
    });
    await bundle.write({ file, format, inlineDynamicImports: true });
    await bundle.close();
    return warnings;
  },
  async rolldown({ entry, file, format }) {
    const { rolldown } = await load('rolldown');
    const warnings = [];
    const bundle = await rolldown({
      input: entry,
      platform: 'node',
      onLog: (_level, { message }) => warnings.push(message),
    });
    await bundle.write({ file, format, codeSplitting: false });
    await bundle.close();
    return warnings;
  },
  async 'vite SSR'({ entry, file, format }) {
    const { build } = await load('vite');
    const warnings = [];
    const output = { entryFileNames: path.basename(file), format, codeSplitting: false };
    await build({
      root: path.dirname(entry),
      configFile: false,
      logLevel: 'warn',
      customLogger: quietLogger(warnings),
      ssr: { noExternal: true },
      build: { ssr: entry, outDir: path.dirname(file), emptyOutDir: false, rolldownOptions: { output } },
    });
    return warnings;
  },
  async webpack({ entry, file, format }) {
    const { default: webpack } = await load('webpack');
    const isModule = format === 'esm';
    const compiler = webpack({
      mode: 'production',
      target: 'node20',
      entry,
      experiments: { outputModule: isModule },
      output: {
        path: path.dirname(file),
        filename: path.basename(file),
        asyncChunks: false,
        library: { type: isModule ? 'module' : 'commonjs2' },
      },
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    await promisify(compiler.close.bind(compiler))();
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
    return warnings.map(({ message }) => message);
  },
};

function quietLogger(warnings) {
  const warn = (text) => warnings.push(text);
  const quiet = () => {};
  return {
    info: quiet,
    warn,
    warnOnce: warn,
    error: warn,
    clearScreen: quiet,
    hasErrorLogged: () => false,
    hasWarned: false,
  };
}

/**
 * What some bundlers warn of, and what the page docs/bundling.md says about: packages that are loaded when they are there,
 * and in CommonJS the place of the file, by which only those packages are found.
 */
const expected = /zod\/v4\/core|zod-to-json-schema|import\.meta/;
const isUnexpected = (warning) => warning.includes('@hexagent') && !expected.test(stripVTControlCharacters(warning));

/** The programs that are bundled, by what they have beside our packages. */
const programs = { plain: [], zod: ['zod'] };

/**
 * Bundles each program with each bundler.
 * @param modules a `node_modules` with our packages
 * @param cli the real CLI
 * @param formats `esm`, `cjs`
 * @param nodesFor `(program)`: the Nodes to run its bundles on
 * @param report receives `(what, error)`; without an error, what holds
 */
export async function checkBundles({ modules, cli, formats, nodesFor, report }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hexagent-bundles-'));
  try {
    for (const [program, beside] of Object.entries(programs)) {
      const entry = lay(path.join(folder, program), { program, beside, modules });
      for (const [name, bundle] of Object.entries(bundlers)) {
        for (const format of formats) {
          const file = path.join(folder, 'out', `${program}-${name.replaceAll(' ', '-')}.${extensions[format]}`);
          const nodes = nodesFor(program);
          const runsOn =
            nodes.length === 0 ? '' : `, and it runs on Node ${nodes.map(({ version }) => version).join(', ')}`;
          const what = `${name} bundles the program ${program} as ${format}${runsOn}`;
          try {
            const warnings = (await bundle({ entry, file, format })).filter(isUnexpected);
            if (warnings.length > 0) throw new Error(`It warns: ${warnings.join('\n')}`);
            for (const { executable } of nodes) await run(executable, file, cli);
            report(what);
          } catch (error) {
            report(what, error);
          }
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program, our packages, and nothing else that it did not ask for. */
function lay(folder, { program, beside, modules }) {
  cpSync(fixtures, folder, { recursive: true });
  const foreign = beside.map((name) => [name, path.dirname(require.resolve(`${name}/package.json`))]);
  for (const [name, source] of [['@hexagent', path.join(modules, '@hexagent')], ...foreign])
    cpSync(source, path.join(folder, 'node_modules', name), { recursive: true, dereference: true });
  return path.join(folder, `${program}.mjs`);
}

async function run(executable, file, cli) {
  const testing = path.join(root, 'packages/testing/dist');
  const [{ hermeticEnv, hermeticHome }, { startLoopback, toolUse }] = await Promise.all([
    import(pathToFileURL(path.join(testing, 'cli/index.js')).href),
    import(pathToFileURL(path.join(testing, 'loopback/index.js')).href),
  ]);
  const turn = [toolUse('mcp__calc__add', { a: 2, b: 3 }), 'done'];
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback([...turn, ...turn])]);
  try {
    const env = { ...hermeticEnv({ loopback, home }), CLAUDE_CODE_PATH: cli };
    const place = JSON.stringify({ cwd: home.cwd, env });
    const { stdout } = await promisify(execFile)(executable, [file], {
      env: { ...env, HEXAGENT_PLACE: place },
      cwd: home.cwd,
      timeout: 60_000,
    });
    if (stdout !== 'ok\n') throw new Error(`It printed: ${stdout}`);
  } finally {
    await loopback.close();
    await home.remove();
  }
}
