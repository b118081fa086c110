import { SdkError } from '@hexagent/ports';
import type { LaunchArgument } from '@hexagent/ports';

// Linux accepts 131,071 bytes in one argument; the difference is for wrapper commands that add something.
const maxBytes = 100_000;

export function isTooLong(argument: string): boolean {
  return argument.length > maxBytes / 3 && Buffer.byteLength(argument) > maxBytes;
}

/** @throws an error that names the option; the operating system would only report E2BIG or EINVAL. */
export function checkArguments(args: readonly LaunchArgument[], option: string): void {
  for (const argument of args) {
    if (typeof argument !== 'string') continue;
    if (argument.includes('\0'))
      throw new TypeError(`${option}: a NUL character cannot be passed to a program. Take it out.`);
    if (isTooLong(argument)) {
      throw new SdkError(
        'ARGUMENT_TOO_LONG',
        `${option}: ${Buffer.byteLength(argument)} bytes are too many for one argument; ${maxBytes} are the limit.`,
      );
    }
  }
}
