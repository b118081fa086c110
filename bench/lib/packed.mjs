// The facade as it is published: built, packed, and unpacked into a folder of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = path.join(root, 'node_modules/.cache/hexagent/bench');
/** The facade, what it imports, and what runs the real CLI. */
const packages = [
  'async',
  'checks',
  'ports',
  'processes',
  'sdk',
  'testing',
  'adapters/otel',
  'adapters/tapes',
  'server/inspector',
  'server/ui-stream',
  'server/hosting',
  'server/http-fleet',
];

/** The folder from which `@hexagent/sdk` resolves to the packed facade. */
export function packedFacade({ build }) {
  if (build) {
    const built = ['sdk', 'testing', 'otel', 'inspector', 'ui-stream', 'hosting', 'http-fleet'].map(
      (name) => `--filter=@hexagent/${name}`,
    );
    run('pnpm', ['run', 'build', ...built]);
    rmSync(folder, { recursive: true, force: true });
    for (const name of packages) unpack(name);
    // What a program brings for telemetry.
    symlinkSync(
      path.join(root, 'packages/adapters/otel/node_modules/@opentelemetry'),
      path.join(folder, 'node_modules/@opentelemetry'),
      'junction',
    );
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  }
  if (!existsSync(path.join(folder, 'package.json')))
    throw new Error('Nothing has been packed yet: leave out --no-build.');
  return folder;
}

function unpack(place) {
  const name = path.basename(place);
  const into = path.join(folder, 'node_modules/@hexagent', name);
  const tarball = path.join(folder, `${name}.tgz`);
  mkdirSync(into, { recursive: true });
  run('pnpm', ['pack', '--out', tarball], path.join(root, 'packages', place));
  run('tar', ['-xzf', `${name}.tgz`, '-C', path.relative(folder, into), '--strip-components=1'], folder);
}

function run(command, args, cwd = root) {
  // The table is the only output.
  const options = { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', shell: process.platform === 'win32' };
  const { status, stdout, error } = spawnSync(command, args, options);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout ?? ''}`, { cause: error });
}

export const resolveFrom = (place, name) => createRequire(path.join(place, 'package.json')).resolve(name);
