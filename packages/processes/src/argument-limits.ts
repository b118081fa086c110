import { SdkError, type Launch } from '@hexagent/ports';
import { nameOfArgument } from './argument-names.ts';

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
