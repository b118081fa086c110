import { SdkError, type Launch } from '@hexagent/ports';

/** Linux: 32 pages for one argument, its ending included. */
const longestOnLinux = 131_071;
/** Windows: for the whole command line, its ending included. */
const longestOnWindows = 32_766;

/**
 * The system would only say that something is too long, and Windows would say that a file is missing.
 * @throws {SdkError} `ARGUMENT_TOO_LONG`, naming the flag.
 */
export function checkArguments(args: readonly string[], env: Launch['env'], platform: NodeJS.Platform): void {
  if (platform === 'linux') {
    const long = (text: string): boolean =>
      text.length * 3 > longestOnLinux && Buffer.byteLength(text) > longestOnLinux;
    if (args.some(long) || Object.entries(env).some(([name, value]) => long(`${name}=${value}`)))
      throw tooLong(args, env);
  }
  // Each argument may be quoted and is followed by a space.
  if (platform === 'win32' && args.reduce((sum, arg) => sum + arg.length + 3, 0) > longestOnWindows)
    throw tooLong(args, {});
}

/** Names the longest of all. Never its value, which may be secret. */
export function tooLong(args: readonly string[], env: Launch['env'], cause?: unknown): SdkError {
  const candidates = [
    ...args.map((arg, index) => ({ name: flagOf(args, index), bytes: Buffer.byteLength(arg) })),
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

function flagOf(args: readonly string[], index: number): string {
  const own = /^--?[\w-]+(?==|$)/.exec(args[index] ?? '')?.[0];
  const before = /^--?[\w-]+$/.exec(args[index - 1] ?? '')?.[0];
  return own ?? before ?? `argument ${index + 1}`;
}
