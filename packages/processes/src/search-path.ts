import { posix, win32 } from 'node:path';
import { isAbsolutePath } from './absolute-path.ts';
import type { HostEnvironment } from './host-environment.ts';

export interface PathSearch {
  /** The program; `undefined` when no folder has it. */
  readonly path: string | undefined;
  /** Entries that were not searched, each with the reason. */
  readonly skipped: readonly string[];
}

/**
 * The program of that name in `PATH`. Unlike a shell, it never searches the current folder: an entry that is empty or
 * relative is skipped, and so is one that cannot be read.
 */
export function searchPath(
  name: string,
  host: HostEnvironment,
  path: string | undefined = host.env('PATH'),
): PathSearch {
  const { join, delimiter } = host.platform === 'win32' ? win32 : posix;
  const skipped: string[] = [];
  for (const entry of (path ?? '').split(delimiter)) {
    const folder = host.platform === 'win32' ? entry.replaceAll('"', '') : entry;
    if (!isAbsolutePath(folder, host.platform)) {
      if (folder !== '') skipped.push(`${folder} (not absolute)`);
      continue;
    }
    for (const file of fileNames(name, host)) {
      const program = join(folder, file);
      const kind = host.inspect(program);
      if (kind === 'file' && mayRun(program, host)) return { path: program, skipped };
      if (typeof kind === 'object' && kind.code !== 'ENOENT') skipped.push(`${folder} (${kind.code})`);
    }
  }
  return { path: undefined, skipped: [...new Set(skipped)] };
}

function fileNames(name: string, { platform }: HostEnvironment): readonly string[] {
  if (platform !== 'win32') return [name];
  return /\.(?:exe|cmd|bat)$/i.test(name) ? [name] : [`${name}.exe`, `${name}.cmd`, `${name}.bat`];
}

function mayRun(program: string, host: HostEnvironment): boolean {
  return host.platform === 'win32' || host.isExecutable(program);
}
