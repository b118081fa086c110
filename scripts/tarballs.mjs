// Packs every published package as it would be published, into a cache folder outside the tree.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPackages, root } from './workspace.mjs';

export const cache = path.join(root, 'node_modules/.cache/hexagent');

/** `[{ name, file }]`; what an earlier run left is gone. The packages must have been built. */
export function packAll() {
  const folder = path.join(cache, 'tarballs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return publishedPackages().map(({ name, dir, manifest }) => {
    const file = path.join(folder, `${name.replace(/^@/, '').replace('/', '-')}-${manifest.version}.tgz`);
    pack(dir, file);
    return { name, file };
  });
}

function pack(cwd, file) {
  if (!existsSync(path.join(cwd, 'dist/index.js'))) throw new Error(`${cwd} has not been built: pnpm build`);
  const shell = process.platform === 'win32';
  const { status, stderr, stdout } = spawnSync('pnpm', ['pack', '--out', file], { cwd, encoding: 'utf8', shell });
  if (status !== 0) throw new Error(`pnpm pack failed in ${cwd}:\n${stdout}${stderr}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  packAll();
  const files = path.join(cache, 'tarballs', 'hexagent-*.tgz');
  console.log(`\nPacked. In the folder of your program:\n\n  npm install @anthropic-ai/claude-code@latest ${files}\n`);
}
