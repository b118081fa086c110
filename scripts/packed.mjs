// Uses the packages as a stranger would: installed from tarballs into an empty project, on each Node that we promise, on
// Bun and on Deno. Build first. Every entry is imported and required, the quickstart and a conversation with everything
// that a runtime must be able to do are run against the loopback model.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkBundles } from './bundles.mjs';
import { carried } from './bundling.mjs';
import { compilers, compiling } from './compilers.mjs';
import { cliExecutable, emptyProject, environment, install } from './empty-project.mjs';
import { checkMoved } from './moved.mjs';
import { installedNodes } from './nodes.mjs';
import { otherRuntimes } from './other-runtimes.mjs';
import { reporter } from './reporter.mjs';
import { packAll } from './tarballs.mjs';
import { publishedPackages, root } from './workspace.mjs';

const programs = [
  'examples/quickstart/quickstart.mjs',
  'scripts/packed-quickstart.mjs',
  'scripts/packed-conversation.mjs',
].map((file) => path.join(root, file));

const report = reporter();

function check(what, command, args, options) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 180_000,
    env: environment,
    ...options,
  });
  const why = error?.message ?? (signal ? `ended by ${signal}` : `ended with code ${status}`);
  report(what, status === 0 ? undefined : Object.assign(new Error(why), { stdout, stderr }));
  return status === 0;
}

/** Whoever has the code must have the licences: ours, and those of what the bundles carry. */
function checkLicences(project) {
  for (const { name } of publishedPackages()) {
    const wanted = ['LICENSE', 'README.md', ...(name in carried ? ['dist/THIRD-PARTY-LICENSES'] : [])];
    const missing = wanted.filter((file) => !existsSync(path.join(project, 'node_modules', name, file)));
    if (missing.length === 0) continue;
    console.log(`NOT OK  ${name} comes without ${missing.join(' and ')}`);
    process.exitCode = 1;
  }
}

/**
 * Both ways in must lead to the same names; a package that awaits at its top level cannot be required. And the doors
 * of the facade lead to the same errors.
 */
function loadingProgram() {
  const isProgram = ([, target]) => target.default?.endsWith('.js');
  const entries = publishedPackages().flatMap(({ name, manifest }) =>
    Object.entries(manifest.exports)
      .filter(isProgram)
      .map(([subpath]) => path.posix.join(name, subpath)),
  );
  return `
    const assert = require('node:assert');
    const names = (module) => Object.keys(module).filter((name) => name !== 'module.exports').sort();
    (async () => {
      for (const entry of ${JSON.stringify(entries)}) {
        assert.deepEqual(names(require(entry)), names(await import(entry)), entry);
      }
      const doors = ['@hexagent/sdk', '@hexagent/sdk/claude-agent-sdk', '@hexagent/claude-agent-sdk'].map(require);
      assert.equal(new Set(doors.map(({ AbortError }) => AbortError)).size, 1);
      assert.equal(doors[1].query, doors[2].query);
    })();`;
}

/** A program that sees every type, with nothing skipped: a type that only our devDependencies provide would show here. */
function typedProgram() {
  const entries = publishedPackages().flatMap(({ name, manifest }) =>
    Object.entries(manifest.exports)
      .filter(([, target]) => target.types)
      .map(([subpath]) => path.posix.join(name, subpath)),
  );
  return entries.map((entry, number) => `export type * as Entry${number} from '${entry}';`).join('\n');
}

async function checkMoving({ tarballs, nodes, cli }) {
  await checkMoved({
    tarballs: tarballs.map(({ file }) => file),
    nodes,
    cli,
    runtimes: otherRuntimes().filter(({ name }) => name === 'Bun'),
    compilers: compilers(),
    searchPath: environment.PATH,
    report,
  });
}

async function main() {
  const nodes = installedNodes();
  const tarballs = packAll();
  const project = emptyProject(tarballs);
  try {
    install(project);
    report('npm installs the tarballs into an empty project');
    checkLicences(project);
    writeFileSync(path.join(project, 'typed.mts'), typedProgram());
    for (const compiler of compilers()) {
      const args = compiling(compiler, 'typed.mts');
      check(`TypeScript ${compiler.version} finds every type`, process.execPath, args, { cwd: project });
    }
    for (const program of programs) copyFileSync(program, path.join(project, path.basename(program)));
    const cli = await cliExecutable();
    for (const node of nodes) useOn(node, { project, cli });
    const [floor] = nodes;
    runOn({ name: 'Node', args: [], ...floor }, ['packed-conversation.mjs'], { project, cli });
    await checkBundles({
      modules: path.join(project, 'node_modules'),
      cli,
      formats: ['esm'],
      // The one with more in it, on the Node that can least. `pnpm bundlers` runs the others.
      nodesFor: (program) => (program === 'zod' ? [floor] : []),
      report,
    });
    for (const runtime of otherRuntimes())
      runOn(runtime, ['packed-quickstart.mjs', 'packed-conversation.mjs'], { project, cli });
    // What stands for the CLI's package there is a shell script.
    if (process.platform !== 'win32') await checkMoving({ tarballs, nodes, cli });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function useOn({ version, executable }, { project, cli }) {
  const loads = check(`Node ${version} loads every entry`, executable, ['-e', loadingProgram()], { cwd: project });
  if (!loads) return;
  const env = { ...environment, CLAUDE_CODE_PATH: cli };
  check(`Node ${version} runs the quickstart`, executable, ['packed-quickstart.mjs'], { cwd: project, env });
}

function runOn({ name, version, executable, args }, files, { project, cli }) {
  if (executable === undefined) {
    console.log(`--  There is no ${name} for this platform.`);
    return;
  }
  const options = { cwd: project, env: { ...environment, CLAUDE_CODE_PATH: cli } };
  for (const file of files) check(`${name} ${version} runs ${file}`, executable, [...args, file], options);
}

await main();
