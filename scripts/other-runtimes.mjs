// Bun and Deno, as devDependencies of `e2e` bring them for this platform.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readJson, root } from './workspace.mjs';

/** What each is called in its platform package, and its arguments to run a program that may do everything. */
const runtimes = [
  { name: 'Bun', command: 'bun', file: 'bin/bun', args: [] },
  { name: 'Deno', command: 'deno', file: 'deno', args: ['run', '--allow-all'] },
];

/** `[{ name, version, executable, args }]`; `executable` is undefined where there is none for this platform. */
export function otherRuntimes() {
  return runtimes.map(({ name, command, file, args }) => {
    const executable = executableOf(command, process.platform === 'win32' ? `${file}.exe` : file);
    if (executable === undefined) return { name, args };
    const { stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8' });
    const [version] = /\d+\.\d+\.\d+/.exec(stdout ?? '') ?? [];
    if (version === undefined) throw new Error(`${executable} does not say its version: ${stdout}`);
    return { name, version, executable, args };
  });
}

/** Only the platform packages that fit are installed. */
function executableOf(command, file) {
  const require = createRequire(path.join(root, 'e2e/package.json'));
  const manifest = require.resolve(`${command}/package.json`);
  const nested = createRequire(manifest);
  const folders = Object.keys(readJson(manifest).optionalDependencies).flatMap((name) =>
    nested.resolve.paths(name).map((modules) => path.join(modules, name)),
  );
  return folders.map((folder) => path.join(folder, file)).find((candidate) => existsSync(candidate));
}
