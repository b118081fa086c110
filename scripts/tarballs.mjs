// Packs every published package: for the checks as it would be published, and for a program as files that need no registry.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { layOneFile } from './one-file.mjs';
import { publishedPackages, root, toolPath } from './workspace.mjs';

export const cache = path.join(root, 'node_modules/.cache/hexagent');

/** What programs install. Every other package is in one of these, and for those who swap a part in the folder `single`. */
const doors = ['@hexagent/sdk', '@hexagent/chat', '@hexagent/claude-agent-sdk', '@hexagent/testing'];

/** `[{ name, file }]`, as they would be published; what an earlier run left is gone. The packages must have been built. */
export function packAll() {
  const folder = empty(path.join(cache, 'tarballs'));
  return publishedPackages().map(({ name, dir, manifest }) => pack(dir, folder, { name, version: manifest.version }));
}

/** `[{ name, file }]` of files that need no other: each has what its package needs of ours inside. */
export function packOneFiles(tarballs, folder, names = tarballs.map(({ name }) => name)) {
  return names.map((name) => {
    const laid = layOneFile(name, tarballs);
    try {
      return pack(laid.folder, doors.includes(name) ? folder : path.join(folder, 'single'), laid.manifest);
    } finally {
      rmSync(laid.folder, { recursive: true, force: true });
    }
  });
}

function empty(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function pack(cwd, folder, { name, version }) {
  if (!existsSync(path.join(cwd, 'dist/index.js'))) throw new Error(`${cwd} has not been built: pnpm build`);
  const file = path.join(folder, `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`);
  const shell = process.platform === 'win32';
  const { status, stderr, stdout } = spawnSync('pnpm', ['pack', '--out', file], { cwd, encoding: 'utf8', shell });
  if (status !== 0) throw new Error(`pnpm pack failed in ${cwd}:\n${stdout}${stderr}`);
  return { name, file };
}

/** Prints what it did only where it failed: most of it is a list of the packages. */
function build() {
  console.error('Building the packages, and laying what they need into files.');
  const options = { cwd: root, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [toolPath('turbo'), 'run', 'build'], options);
  if (status !== 0) throw new Error(`The packages could not be built:\n${stdout}${stderr}`);
}

function main() {
  build();
  const folder = empty(path.join(root, 'tarballs'));
  const files = packOneFiles(packAll(), folder);
  const [sdk, chat, dropIn, testing] = doors.map((door) => files.find(({ name }) => name === door).file);
  console.log(`In the folder of your program, one of these:

  npm install ${sdk}
  npm install ${chat}
  npm install @anthropic-ai/claude-agent-sdk@file:${dropIn}

For its tests: npm install --save-dev ${testing}
Each of the other packages: ${path.join(folder, 'single')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
