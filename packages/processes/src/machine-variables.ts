/** Environment variables that describe a machine and its user, in upper case: to Windows, names are the same in either. */
export const machineVariables: { readonly names: readonly string[]; readonly prefixes: readonly string[] } = {
  names: [
    ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
    'SSH_AUTH_SOCK',
    ...[
      'SYSTEMROOT',
      'SYSTEMDRIVE',
      'WINDIR',
      'COMSPEC',
      'PATHEXT',
      'USERPROFILE',
      'USERNAME',
      'HOMEDRIVE',
      'HOMEPATH',
    ],
    ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
  ],
  prefixes: ['LC_', 'XDG_'],
};
