// What `bootstrap.mjs` does: where this Node or pnpm is too old or missing, npm fetches the pinned one into `.tools`, once;
// pnpm installs the workspace; then the root script runs. Written for Node 20.19 and without imports of packages: it runs
// before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodeOf, npmFlags, readNpmLine, readPnpmLine, registryStep } from './registry-step.mjs';
import { installedPnpm, missingTools, npmInstallCommand, start } from './tools.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Scripts whose help needs nothing installed. */
const usages = {
  'chat:run': 'examples/chat/usage.txt',
  'demo:run': 'examples/demo/usage.txt',
  'fleet:run': 'examples/fleet/usage.txt',
};

/** Printed before a script that runs for long. */
const announcements = {
  'test:fast': 'Types, unit tests, and each promise once with the real CLI: a little more than a minute on two cores.',
};

/** Measured with empty caches; the README has the same figures. */
const firstRun =
  'The first run fetches about 1.1 GB, three minutes at 50 Mbit/s, and keeps 2.6 GB, 2.2 GB of them in this folder.';

/** The step or the script that runs now. */
let running;

/**
 * Fetches a tool unless an earlier run has done so, and returns the folders of its programs.
 * It is complete as soon as its folder exists: npm works in another one, which is then renamed.
 */
async function fetched({ name, version, why }) {
  const folder = path.join(root, '.tools', `${name}-${version}`);
  if (!existsSync(folder)) {
    console.error(`Fetching ${name} ${version} into .tools, since ${why}.`);
    mkdirSync(path.dirname(folder), { recursive: true });
    const staging = mkdtempSync(path.join(path.dirname(folder), 'fetching-'));
    try {
      await registryStep(npmInstallCommand(staging, { [name]: version }, npmFlags), {
        cwd: staging,
        read: readNpmLine,
        failure: `npm could not fetch ${name} ${version}. Only the first run needs a package registry.`,
        started: (child) => (running = child),
      });
      moveInto(folder, staging);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  }
  const modules = path.join(folder, 'node_modules');
  return [path.join(modules, name, 'bin'), path.join(modules, '.bin')];
}

/** Another run may have fetched the same meanwhile; either will do. */
function moveInto(folder, staging) {
  try {
    renameSync(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** pnpm compares the manifests with what is there, which takes it less than a second and no network where both agree. */
async function installWorkspace(isFirst) {
  let isAnnounced = false;
  const announce = (what) => {
    if (!isAnnounced) console.error(what);
    isAnnounced = true;
  };
  if (isFirst) announce('Installing the workspace with pnpm.');
  await registryStep(['pnpm', 'install', '--reporter=ndjson'], {
    cwd: root,
    read: readPnpmLine,
    failure: 'pnpm could not install the workspace.',
    onFetched: () => announce('Installing with pnpm what has changed in the workspace.'),
    started: (child) => (running = child),
  });
}

async function prepare() {
  const platform = `${process.platform}-${process.arch}`;
  const tools = missingTools({ node: process.versions.node, pnpm: installedPnpm(), platform });
  // pnpm writes this file when an installation is complete.
  const isFirst = !existsSync(path.join(root, 'node_modules', '.modules.yaml'));
  if (isFirst) console.error(firstRun);
  const folders = [];
  for (const tool of tools) folders.push(...(await fetched(tool)));
  process.env.PATH = [...folders, process.env.PATH].join(path.delimiter);
  process.env.TURBO_TELEMETRY_DISABLED = '1';
  // The packages are tried on it where npm has no other (`e2e/packed/nodes.ts`).
  process.env.STARTED_BY_NODE = process.execPath;
  await installWorkspace(isFirst);
}

/** Without the lines that pnpm itself adds, such as ELIFECYCLE for a script that failed: its own words are enough. */
async function runScript(script, args) {
  const child = start(spawn, ['pnpm', '--silent', 'run', script, ...args], { cwd: root, stdio: 'inherit' });
  running = child;
  await new Promise((resolve) => {
    child.on('error', ({ message }) => {
      console.error(`Could not start pnpm: ${message}`);
      process.exitCode = 1;
      resolve();
    });
    child.on('exit', (code, signal) => {
      process.exitCode = exitCodeOf(code, signal);
      resolve();
    });
  });
}

export async function main([script, ...args]) {
  const usage = usages[script];
  if (usage && args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(readFileSync(path.join(root, usage), 'utf8'));
    return;
  }
  // The terminal sends these to every child itself; this process only stays to clean up and to report how they ended.
  let left;
  for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => (left = signal));
  process.on('SIGTERM', () => running?.kill('SIGTERM'));
  try {
    await prepare();
    if (script in announcements && args.length === 0) console.error(announcements[script]);
    await runScript(script, args);
  } catch (error) {
    // To npm and pnpm, Ctrl-C is a failure like any other.
    console.error(left ? 'Stopped. The next run continues where this one ended.' : error.message);
    process.exitCode = left ? exitCodeOf(null, left) : (error.exitCode ?? 1);
  }
}
