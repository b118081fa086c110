// Uses the packages as a stranger would: installed from tarballs into an empty project, on each Node that we promise, on
// Bun and on Deno. Build first. Every entry is imported and required, the quickstart and a conversation with everything
// that a runtime must be able to do are run against the loopback model.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { carried } from './bundling.mjs';
import { compilers, compiling } from './compilers.mjs';
import { checkMoved } from './moved.mjs';
import { installedNodes } from './nodes.mjs';
import { otherRuntimes } from './other-runtimes.mjs';
import { packAll } from './tarballs.mjs';
import { publishedPackages, root } from './workspace.mjs';

const programs = [
  'examples/quickstart/quickstart.mjs',
  'scripts/packed-quickstart.mjs',
  'scripts/packed-conversation.mjs',
].map((file) => path.join(root, file));

/** What a stranger's shell has; nothing of ours may leak in and make it work here only. */
const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(npm_config_|NODE_EXTRA_CA|https?_proxy)/i.test(name)),
  ),
};

function check(what, command, args, options) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 180_000,
    env: environment,
    ...options,
  });
  const passed = status === 0;
  console.log(`${passed ? 'ok' : 'NOT OK'}  ${what}`);
  if (passed) return true;
  console.log(`${stdout}${stderr}`.slice(0, 3000), error?.message ?? '', signal ? `ended by ${signal}` : '');
  process.exitCode = 1;
  return false;
}

/** An npm project with our tarballs, and nothing of the workspace above it. */
function emptyProject(tarballs) {
  const project = mkdtempSync(path.join(os.tmpdir(), 'hexagent-packed-'));
  const dependencies = Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`]));
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ name: 'stranger', private: true, dependencies }));
  return project;
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

/** A program that sees every type, with nothing skipped: a type that only our devDependencies know would show here. */
function typedProgram() {
  const entries = publishedPackages().flatMap(({ name, manifest }) =>
    Object.entries(manifest.exports)
      .filter(([, target]) => target.types)
      .map(([subpath]) => path.posix.join(name, subpath)),
  );
  return entries.map((entry, number) => `export type * as Entry${number} from '${entry}';`).join('\n');
}

/** The workspace's own CLI, so that the quickstart need not download another one. Found by the package that was built. */
async function cliExecutable() {
  const { findCli, readHostEnvironment } = await import('../packages/processes/dist/index.js');
  const resolveFrom = path.join(root, 'e2e/package.json');
  return findCli(readHostEnvironment({ env: process.env, resolveFrom })).path;
}

async function checkMoving({ tarballs, nodes, cli }) {
  await checkMoved({
    tarballs: tarballs.map(({ file }) => file),
    nodes,
    cli,
    compile(cwd, file) {
      for (const compiler of compilers())
        execFileSync(process.execPath, compiling(compiler, file), { cwd, encoding: 'utf8' });
    },
    searchPath: environment.PATH,
    report(what, error) {
      console.log(`${error ? 'NOT OK' : 'ok'}  ${what}`);
      if (error === undefined) return;
      console.log(error.message.slice(0, 3000), error.stdout ?? '');
      process.exitCode = 1;
    },
  });
}

async function main() {
  const nodes = installedNodes();
  const tarballs = packAll();
  const project = emptyProject(tarballs);
  try {
    const shell = process.platform === 'win32';
    const install = [
      'install',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--ignore-scripts',
      // The CLI, which is here already.
      '--omit=optional',
    ];
    if (!check('npm installs the tarballs into an empty project', 'npm', install, { cwd: project, shell })) return;
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
    for (const runtime of otherRuntimes())
      runOn(runtime, ['packed-quickstart.mjs', 'packed-conversation.mjs'], { project, cli });
    // What stands for the CLI's package there is a shell script.
    if (!shell) await checkMoving({ tarballs, nodes, cli });
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
