/** The variables that a program needs to run; other MCP clients pass on the same ones. */
const names =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

/** The few variables of ours that a server gets. */
export function inheritedEnvironment(): Readonly<Record<string, string>> {
  const found = names.flatMap((name) => {
    const value = process.env[name];
    // Older shells export functions like this, and a shell that reads them runs them.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Whether a program gets such a variable in any case. */
export const isInherited = (name: string): boolean =>
  names.includes(process.platform === 'win32' ? name.toUpperCase() : name);
