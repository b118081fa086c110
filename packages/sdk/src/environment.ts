/** What an agent may see of the program's environment. */
export interface Environment {
  /**
   * - `allowList` (default): PATH, HOME and what systems and networks need, ANTHROPIC_* and CLAUDE_*; nothing else.
   * - `inherit`: everything.
   * - `exact`: only what `set` says.
   */
  readonly policy?: 'allowList' | 'inherit' | 'exact' | undefined;
  /** Set over what the policy lets through; `undefined` takes a variable away. */
  readonly set?: Readonly<Record<string, string | undefined>> | undefined;
}

const names = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'IS_SANDBOX',
  'TRACEPARENT',
  'TRACESTATE',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'USERNAME',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
]);
const prefixes = ['ANTHROPIC_', 'CLAUDE_', 'LC_', 'XDG_'];

/** The environment an agent is started with. */
export function environmentOf(
  { policy = 'allowList', set = {} }: Environment = {},
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string | undefined> {
  if (policy === 'exact') return { ...set };
  if (policy === 'inherit') return { ...own, ...set };
  return { ...Object.fromEntries(Object.entries(own).filter(([name]) => isAllowed(name))), ...set };
}

// Proxy variables are written in either case, and Windows does not tell cases apart.
function isAllowed(name: string): boolean {
  const upper = name.toUpperCase();
  return names.has(upper) || prefixes.some((prefix) => upper.startsWith(prefix));
}
