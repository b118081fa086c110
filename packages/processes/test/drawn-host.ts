import { posix, win32 } from 'node:path';
import type { FileKind, HostEnvironment, SearchRoot } from '@hexagent/processes';

export interface Drawing {
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly libc?: 'glibc' | 'musl';
  readonly env?: Readonly<Record<string, string>>;
  readonly homes?: readonly string[];
  readonly execPath?: string;
  /** The files that searches start from. */
  readonly roots?: readonly string[];
  /** What exists, with its content where that matters. */
  readonly files?: Readonly<Record<string, string>> | readonly string[];
  readonly notExecutable?: readonly string[];
  /** What a path really is; also for everything below it. */
  readonly links?: Readonly<Record<string, string>>;
  /** The code of the error for this folder and everything in it. */
  readonly unreadable?: Readonly<Record<string, string>>;
  /** Owners of folders and all that is in them. Default: 1000, who is also the user. */
  readonly owners?: Readonly<Record<string, number>>;
  /** Folders that every user may write to. */
  readonly openToAll?: readonly string[];
  /** What Yarn resolves, as `request <- from`. */
  readonly plugAndPlay?: Readonly<Record<string, string>>;
}

/** A system as it is drawn, which also records every path that is read. */
export interface DrawnHost extends HostEnvironment {
  readonly asked: readonly string[];
}

export function drawHost(drawing: Drawing = {}): DrawnHost {
  const { platform = 'linux', env = {}, files = [], links = {}, unreadable = {}, owners = {} } = drawing;
  const { dirname, sep } = platform === 'win32' ? win32 : posix;
  const contents = new Map(Array.isArray(files) ? files.map((file: string) => [file, '']) : Object.entries(files));
  const asked: string[] = [];
  const below = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);
  const valueFor = <T>(path: string, table: Readonly<Record<string, T>>): T | undefined =>
    Object.entries(table).find(([folder]) => below(path, folder))?.[1];
  const realPath = (path: string): string => {
    const [link, target] = Object.entries(links).find(([from]) => below(path, from)) ?? [];
    return link === undefined ? path : realPath(`${target}${path.slice(link.length)}`);
  };
  const ask = (path: string): string => {
    asked.push(path);
    return realPath(path);
  };
  const inspect = (path: string): FileKind => {
    const real = ask(path);
    const code = valueFor(real, unreadable);
    if (code !== undefined) return { code };
    if (contents.has(real)) return 'file';
    return [...contents.keys()].some((file) => below(file, real)) ? 'folder' : { code: 'ENOENT' };
  };
  const rootOf = (path: string): SearchRoot => ({ path, folder: dirname(path), owner: valueFor(path, owners) ?? 1000 });
  return {
    asked,
    platform,
    arch: drawing.arch ?? 'x64',
    execPath: drawing.execPath ?? '/usr/bin/node',
    user: platform === 'win32' ? undefined : 1000,
    homes: drawing.homes ?? ['/home/ada'],
    roots: (drawing.roots ?? ['/app/main.js']).map(rootOf),
    env: (name) => env[name],
    libc: () => drawing.libc ?? 'glibc',
    inspect,
    isExecutable: (path) => drawing.notExecutable?.includes(ask(path)) !== true,
    realPath: ask,
    owner: (path) => (platform === 'win32' ? undefined : (valueFor(ask(path), owners) ?? 1000)),
    isOpenToAll: (folder) => drawing.openToAll?.includes(ask(folder)) === true,
    read: (path) => contents.get(ask(path)) ?? '',
    resolvePlugAndPlay: (request, from) => drawing.plugAndPlay?.[`${request} <- ${from}`],
  };
}
