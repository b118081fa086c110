import { nameOfArgument } from './argument-names.ts';

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
