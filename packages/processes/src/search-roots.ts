import { basename, dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAbsolutePath } from './absolute-path.ts';
import type { HostEnvironment, SearchRoot } from './host-environment.ts';
import { isTrusted } from './trusted-owners.ts';

type Files = Pick<HostEnvironment, 'platform' | 'user' | 'inspect' | 'realPath' | 'owner'>;

/** The application, then the SDK itself; only `resolveFrom` when it is given. Never the current folder. */
export function searchRoots(files: Files, resolveFrom?: string | URL): readonly SearchRoot[] {
  if (resolveFrom !== undefined) return [toRoot(toPath(resolveFrom), files)];
  const application = entryFile(process.argv[1], files);
  const sdk = ownFile(files, application);
  return [application, sdk?.path === application?.path ? undefined : sdk].filter((root) => root !== undefined);
}

/**
 * The file that this program, or this worker, was started with. Programs from `-e`, standard input or a REPL have
 * none: there `process.argv[1]` is an argument of the user, or a name in the current folder.
 */
function entryFile(file: string | undefined, files: Files): SearchRoot | undefined {
  if (file === undefined || ((isEvaluated() || isPackagedElectron()) && isMainThread())) return undefined;
  const isInvented = /^(?:\[|\$deno\$)/.test(basename(file));
  if (isInvented || !isAbsolutePath(file, files.platform)) return undefined;
  // Node takes an entry file without its ending.
  const found = [file, `${file}.js`].find((path) => typeof files.inspect(path) === 'string');
  return found === undefined ? undefined : toRoot(found, files);
}

/** The place of this module; `undefined` in a bundle that does not keep it. */
function ownFile(files: Files, application: SearchRoot | undefined): SearchRoot | undefined {
  // Typed as always there, yet empty in a bundle in the CommonJS format.
  const url: string | undefined = import.meta.url;
  if (!url?.startsWith('file:')) return undefined;
  const root = toRoot(fileURLToPath(url), files);
  // Some bundlers write the path of the machine that built the program: here any user may own it.
  if (files.inspect(root.path) !== 'file') return undefined;
  return isTrusted(root.owner, files, application?.owner) ? root : undefined;
}

function isMainThread(): boolean {
  // Loaded on demand: an import of it would take the import of the drop-in below its bound.
  return process.getBuiltinModule('node:worker_threads').isMainThread;
}

function isEvaluated(): boolean {
  // Not documented, and the same in Node and Bun: the text of `-e`, or of standard input.
  return Reflect.get(process, '_eval') !== undefined;
}

/** Whether this is a packaged Electron application, whose first argument is a file to open. */
function isPackagedElectron(): boolean {
  return (
    process.versions['electron'] !== undefined &&
    Reflect.get(process, 'type') !== undefined &&
    Reflect.get(process, 'defaultApp') === undefined
  );
}

function toRoot(given: string, files: Files): SearchRoot {
  const path = files.realPath(given);
  const isFolder = given.endsWith(sep) || files.inspect(path) === 'folder';
  return { path, folder: isFolder ? path : dirname(path), owner: files.owner(path) };
}

function toPath(place: string | URL): string {
  return place instanceof URL || place.startsWith('file:') ? fileURLToPath(place) : place;
}
