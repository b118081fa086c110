import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';

/** What locating asks of the system. A value, so that every platform is tested on one. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly home: string;
  readonly cwd: string;
  /** The Node that runs this program. */
  readonly execPath: string;
  /** Where the application is: what it installed is resolved from there. */
  readonly applications: readonly string[];
  /** A variable of the launch, else of this process. */
  env(name: string): string | undefined;
  libc(): 'glibc' | 'musl';
  isFile(path: string): boolean;
  isExecutable(path: string): boolean;
  /** As `require.resolve` does from there, through links and strict trees. */
  resolve(request: string, from: string): string | undefined;
  /** Empty when it cannot be read. */
  read(path: string): string;
}

export interface SurroundingsOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly resolveFrom?: string | URL | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

/** The system as it is. */
export function systemSurroundings({ env, resolveFrom, platform }: SurroundingsOptions): Surroundings {
  return {
    platform: platform ?? process.platform,
    arch: process.arch,
    home: env['HOME'] ?? env['USERPROFILE'] ?? homedir(),
    cwd: process.cwd(),
    execPath: process.execPath,
    // Only a search needs it: who names the CLI does not wait for the file system.
    get applications() {
      return resolveFrom === undefined ? [...mainModule(), process.cwd()] : [toPath(resolveFrom)];
    },
    env: (name) => env[name] ?? process.env[name],
    libc,
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
    isExecutable: (path) => attempt(() => (accessSync(path, constants.X_OK), true)) === true,
    resolve: (request, from) => attempt(() => createRequire(`${from}/`).resolve(request)),
    read: (path) => attempt(() => readFileSync(path, 'utf8')) ?? '',
  };
}

/** Absent in a REPL; a link in `node_modules/.bin` is followed to the program's own tree. */
function mainModule(): readonly string[] {
  const main = process.argv[1];
  if (main === undefined) return [];
  return [attempt(() => realpathSync(main)) ?? main];
}

function toPath(place: string | URL): string {
  return place instanceof URL || place.startsWith('file:') ? fileURLToPath(place) : place;
}

function libc(): 'glibc' | 'musl' {
  // Typed as `object`; the field is there exactly when Node itself runs on glibc.
  const report = process.report.getReport() as { readonly header?: { readonly glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/** `undefined` when it throws: the answer to the question asked is no. */
function attempt<T>(question: () => T): T | undefined {
  try {
    return question();
  } catch {
    return undefined;
  }
}
