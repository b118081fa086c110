import { machineVariables } from '@hexagent/processes';

/** What describes the machine of this program, in upper case. */
const ofMachine = new Set([
  ...machineVariables.names,
  ...['PWD', 'OLDPWD', 'HOSTNAME', 'SHLVL', '_', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_PATH', 'CLAUDE_CLI_PATH', 'HEXAGENT_AGENT'],
]);

/** A shell has them itself, and some shells end when one of them is set. */
const ofShell = new Set(['UID', 'EUID', 'PPID', 'BASHOPTS', 'SHELLOPTS', 'BASH_VERSINFO']);

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables of a launch that are sent to another machine: all but those that this process has with the same value and
 * that describe its machine, or that no shell can set.
 * @throws {TypeError} for a variable of the session that no shell can set, naming it.
 */
export function farEnvironment(
  env: Readonly<Record<string, string>>,
  own: Variables,
): Readonly<Record<string, string>> {
  const sent = Object.entries(env).filter(([name, value]) => own[name] !== value || !isLocal(name));
  const odd = sent.find(([name]) => !isSettable(name));
  if (odd === undefined) return Object.fromEntries(sent);
  throw new TypeError(
    `The environment variable ${JSON.stringify(odd[0])} cannot be sent to another machine, whose shell has to set it. Leave it out of \`env\`.`,
  );
}

const isSettable = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !ofShell.has(name);

function isLocal(name: string): boolean {
  const upper = name.toUpperCase();
  const { prefixes } = machineVariables;
  return ofMachine.has(upper) || prefixes.some((prefix) => upper.startsWith(prefix)) || !isSettable(name);
}
