/** Whether a path means the same in every folder. `C:claude` and `\claude` do not. */
export function isAbsolutePath(path: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(path) : path.startsWith('/');
}

/** Whether it is the name of a program, to be found in `PATH`, and not a path. */
export function isBareName(name: string, platform: NodeJS.Platform): boolean {
  return !(platform === 'win32' ? /[\\/:]/ : /\//).test(name);
}
