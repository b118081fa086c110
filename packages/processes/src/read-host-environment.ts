import { accessSync, constants, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { FileKind, HostEnvironment } from './host-environment.ts';
import { searchRoots } from './search-roots.ts';

export interface HostEnvironmentOptions {
  /** Variables that come before those of `fallbackEnv`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the variables of this process. */
  readonly fallbackEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** An absolute path or a file URL of a module or a folder, to search from instead of the application and the SDK. */
  readonly resolveFrom?: string | URL | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

/** The system as it is. */
export function readHostEnvironment(options: HostEnvironmentOptions): HostEnvironment {
  const { env, fallbackEnv = process.env, resolveFrom, platform = process.platform } = options;
  const host = {
    platform,
    arch: process.arch,
    execPath: process.execPath,
    user: process.geteuid?.(),
    get homes() {
      const named = [host.env('HOME'), host.env('USERPROFILE'), attempt(homedir)];
      return named.filter((home) => home !== undefined);
    },
    // Read on demand: a program that names the CLI does not wait for the file system.
    get roots() {
      return searchRoots(host, resolveFrom);
    },
    env: (name: string) => readVariable(env, name, platform) ?? readVariable(fallbackEnv, name, platform),
    libc,
    inspect,
    isExecutable: (path: string) => attempt(() => (accessSync(path, constants.X_OK), true)) === true,
    realPath: (path: string) => attempt(() => realpathSync(path)) ?? path,
    owner: (path: string) => (process.geteuid === undefined ? undefined : attempt(() => lstatSync(path).uid)),
    isOpenToAll: (folder: string) =>
      process.geteuid !== undefined && attempt(() => (statSync(folder).mode & constants.S_IWOTH) !== 0) === true,
    read: (path: string) => attempt(() => readFileSync(path, 'utf8')) ?? '',
    resolvePlugAndPlay: (request: string, from: string) => attempt(() => resolveInPlugAndPlay(request, from)),
  };
  return host;
}

/** Windows does not distinguish the case of names; a copy of its environment does. */
function readVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (env[name] !== undefined || platform !== 'win32') return env[name];
  // Node passes the first one of the sorted names on to a child.
  const same = Object.keys(env)
    .toSorted()
    .find((other) => other.toUpperCase() === name);
  return same === undefined ? undefined : env[same];
}

function inspect(path: string): FileKind {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { code: 'ENOENT' };
    if (found.isFile()) return 'file';
    return found.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { code: String(code) };
  }
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

/** The used part of the object that Yarn gives for a project. */
interface PlugAndPlay {
  resolveRequest(request: string, issuer: string): string | null;
}

/** @throws {Error} when Yarn does not let `from` reach the request */
function resolveInPlugAndPlay(request: string, from: string): string | undefined {
  if (process.versions['pnp'] === undefined) return undefined;
  // Yarn adds the function to the module of Node, which no other code needs; `require.resolve` would search NODE_PATH too.
  const findPnpApi = Reflect.get(process.getBuiltinModule('node:module'), 'findPnpApi') as
    | ((path: string) => PlugAndPlay | null)
    | undefined;
  return findPnpApi?.(from)?.resolveRequest(request, from) ?? undefined;
}
