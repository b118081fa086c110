// Facts about the workspace for every script: where it is, which packages it has, how to run a tool of it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Rooms of pnpm-workspace.yaml that hold published packages. An architecture test keeps the two in step. */
const rooms = ['packages', 'packages/domain', 'packages/adapters', 'packages/stored', 'packages/server'];

/** Where a group of tests leaves the report that vitest writes of it. */
export const reportOf = (group) => path.join(root, 'node_modules/.cache/hexagent/reports', `${group}.json`);

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Every published package of the workspace in `base`, sorted by folder. */
export function publishedPackages(base = root) {
  return rooms
    .filter((room) => existsSync(path.join(base, room)))
    .flatMap((room) => readdirSync(path.join(base, room)).map((name) => `${room}/${name}`))
    .filter((folder) => existsSync(path.join(base, folder, 'package.json')))
    .toSorted()
    .map((folder) => ({ folder, manifest: readJson(path.join(base, folder, 'package.json')) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => ({ folder, dir: path.join(base, folder), name: manifest.name, manifest }));
}

export const isThirdParty = (file) => /[\\/]node_modules[\\/]/.test(file);

/** The folder of the nearest manifest with a name: packages keep nameless ones to set `type`. */
export function packageFolder(file) {
  const folder = path.dirname(file);
  if (folder === file) throw new Error('A module outside every package.');
  const manifest = path.join(folder, 'package.json');
  return existsSync(manifest) && readJson(manifest).name !== undefined ? folder : packageFolder(folder);
}

/** The script behind a tool's command, so that it runs under this very Node and needs no shell on Windows. */
export function toolPath(name, command = name) {
  const require = createRequire(path.join(root, 'package.json'));
  const folder = require.resolve
    .paths(name)
    .map((modules) => path.join(modules, name))
    .find((candidate) => existsSync(path.join(candidate, 'package.json')));
  if (folder === undefined) throw new Error(`${name} is not installed; run pnpm install.`);
  const { bin } = readJson(path.join(folder, 'package.json'));
  return path.join(folder, typeof bin === 'string' ? bin : bin[command]);
}

/** Runs one command to its end with our terminal; answers whether it succeeded. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: root, ...options });
  if (error) throw error;
  return status === 0;
}
