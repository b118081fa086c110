/** A module or a folder from which installed packages are searched, upwards. */
export interface SearchRoot {
  readonly path: string;
  /** The folder that is searched first. */
  readonly folder: string;
  /** Its owner, whose files are trusted in folders that every user may write to. */
  readonly owner: number | undefined;
}

/** What a path leads to, or the code of the error with which reading it failed. */
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
  /** Where the application and the SDK are: what was installed for them is searched from there. */
  readonly roots: readonly SearchRoot[];
  env(name: string): string | undefined;
  libc(): 'glibc' | 'musl';
  inspect(path: string): FileKind;
  isExecutable(path: string): boolean;
  /** Without links; the path itself when it leads nowhere. */
  realPath(path: string): string;
  /** Of the file or of the link itself; `undefined` when there is none, or where files have no owner. */
  owner(path: string): number | undefined;
  /** Whether every user may create files in a folder; `false` where files have no owner. */
  isOpenToAll(folder: string): boolean;
  /** Empty when it cannot be read. */
  read(path: string): string;
  /** As Yarn Plug'n'Play resolves it, which keeps no `node_modules`; `undefined` everywhere else. */
  resolvePlugAndPlay(request: string, from: string): string | undefined;
}
