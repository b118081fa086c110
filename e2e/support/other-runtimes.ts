import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface OtherRuntime {
  readonly name: string;
  readonly version?: string;
  /** `undefined` where there is none for this platform. */
  readonly executable?: string;
  /** To run a program that may do everything. */
  readonly args: readonly string[];
}

/** Bun and Deno, as devDependencies bring them for this platform. */
export function otherRuntimes(): readonly OtherRuntime[] {
  return [
    { name: 'Bun', command: 'bun', file: 'bin/bun', args: [] },
    { name: 'Deno', command: 'deno', file: 'deno', args: ['run', '--allow-all'] },
  ].map(({ name, command, file, args }) => {
    const executable = executableOf(command, process.platform === 'win32' ? `${file}.exe` : file);
    if (executable === undefined) return { name, args };
    const [version] = /\d+\.\d+\.\d+/u.exec(spawnSync(executable, ['--version'], { encoding: 'utf8' }).stdout) ?? [];
    if (version === undefined) throw new Error(`${executable} does not say its version.`);
    return { name, version, executable, args };
  });
}

/** Only the platform packages that fit are installed. */
function executableOf(command: string, file: string): string | undefined {
  const manifest = createRequire(import.meta.url).resolve(`${command}/package.json`);
  const { optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly optionalDependencies: object;
  };
  const places = Object.keys(optionalDependencies).flatMap((name) =>
    (createRequire(manifest).resolve.paths(name) ?? []).map((modules) => join(modules, name, file)),
  );
  return places.find((place) => existsSync(place));
}
