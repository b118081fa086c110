/** A module or a folder from which installed packages are searched, upwards. */
export interface SearchRoot {
  readonly path: string;
  /** The folder that is searched first. */
  readonly folder: string;
  /** Its owner, whose files are trusted in folders that every user may write to. */
  readonly owner: number | undefined;
}

/** The kind of file at a path, or the code of the error with which reading it failed. */
export type FileKind = 'file' | 'folder' | 'other' | { readonly code: string };

/**
 * What a search reads of the system. A value, so that each platform is tested on one. The current folder is not part
 * of it: what lies there is never searched.
 */
export interface HostEnvironment {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The Node that runs this program. */
  readonly execPath: string;
  /** The user that this process acts for; `undefined` where files have no owner, as on Windows. */
  readonly user: number | undefined;
  /** The home folders to try, the most specific first. They may be relative or empty. */
  readonly homes: readonly string[];
  /** The places of the application and the SDK, from which their installed packages are searched. */
  readonly roots: readonly SearchRoot[];
  env(name: string): string | undefined;
  libc(): 'glibc' | 'musl';
  inspect(path: string): FileKind;
  isExecutable(path: string): boolean;
  /** The path without links; the path itself when it leads nowhere. */
  realPath(path: string): string;
  /** The owner of the file or of the link itself; `undefined` for a missing file, and where files have no owner. */
  owner(path: string): number | undefined;
  /** Whether every user may create files in a folder; `false` where files have no owner. */
  isOpenToAll(folder: string): boolean;
  /** Empty when it cannot be read. */
  read(path: string): string;
  /** Resolves a request by Yarn Plug'n'Play, which keeps no `node_modules`; `undefined` everywhere else. */
  resolvePlugAndPlay(request: string, from: string): string | undefined;
}
