import { SdkError, type Launch } from '@hexagent/ports';

/** The flag that an argument is or belongs to, or its number. */
function nameOfArgument(args: readonly string[], index: number): string {
  const own = /^--?[\w-]+(?==|$)/.exec(args[index] ?? '')?.[0];
  const before = /^--?[\w-]+$/.exec(args[index - 1] ?? '')?.[0];
  return own ?? before ?? `argument ${index + 1}`;
}

/**
 * The system reports only that something is too long: one argument of more than 131,071 bytes on Linux, all of them
 * together elsewhere. This names the longest, and never its value, which may be secret.
 */
export function tooLong(args: readonly string[], env: Launch['env'], cause?: unknown): SdkError {
  const candidates = [
    ...args.map((arg, index) => ({ name: nameOfArgument(args, index), bytes: Buffer.byteLength(arg) })),
    ...Object.entries(env).map(([name, value]) => ({
      name: `the environment variable ${name}`,
      bytes: Buffer.byteLength(`${name}=${value}`),
    })),
  ];
  const longest = candidates.reduce((one, other) => (other.bytes > one.bytes ? other : one), {
    name: 'nothing',
    bytes: 0,
  });
  const total = candidates.reduce((sum, { bytes }) => sum + bytes, 0);
  return new SdkError(
    'ARGUMENT_TOO_LONG',
    `The system takes no argument as long as ${longest.name}, which has ${longest.bytes} of ${total} bytes in all.`,
    { cause },
  );
}

const nul = '\0';

/**
 * Node refuses these too, and prints the whole value, which may be a secret or a rule.
 * @throws {TypeError} that names what holds the character, never its value
 */
export function refuseNulIn(launch: {
  readonly args: readonly unknown[];
  readonly env: Readonly<Record<string, unknown>>;
  readonly cwd?: string | undefined;
  readonly ownFolder?: string | undefined;
}): void {
  const { args, env, cwd, ownFolder } = launch;
  for (const name of Object.keys(env)) {
    // As JSON, because the character may be in the name.
    if (name.includes(nul)) throw refusal(`The name of the environment variable ${JSON.stringify(name)}`);
    if (hasNul(env[name])) throw refusal(`The environment variable ${name}`);
  }
  const index = args.findIndex(hasNul);
  if (index !== -1)
    throw refusal(
      `The value of ${nameOfArgument(
        args.map((arg) => (typeof arg === 'string' ? arg : '')),
        index,
      )}`,
    );
  if (hasNul(cwd)) throw refusal('The option `cwd`');
  if (hasNul(ownFolder)) throw refusal('The option `ownFolder`');
}

/** @throws {TypeError} that names the option */
export function refuseNulInOptions(options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.some(hasNul)) throw refusal(`The option \`${name}\``);
  }
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes(nul);
}

function refusal(holder: string): TypeError {
  return new TypeError(`${holder} holds a NUL character, which no program can receive.`);
}
