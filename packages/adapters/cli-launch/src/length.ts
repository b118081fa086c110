import { SdkError } from '@hexagent/ports';
import type { LaunchArgument } from '@hexagent/ports';

// Linux takes 131,071 bytes in one argument; the rest is left for wrappers that put something in front.
const longest = 100_000;

export function tooLong(argument: string): boolean {
  return argument.length > longest / 3 && Buffer.byteLength(argument) > longest;
}

/** @throws what names the option, where the operating system would only say E2BIG or EINVAL. */
export function checkArguments(args: readonly LaunchArgument[], option: string): void {
  for (const argument of args) {
    if (typeof argument !== 'string') continue;
    if (argument.includes('\0'))
      throw new TypeError(`${option}: a NUL character cannot be passed to a program. Take it out.`);
    if (tooLong(argument)) {
      throw new SdkError(
        'ARGUMENT_TOO_LONG',
        `${option}: ${Buffer.byteLength(argument)} bytes are too many for one argument; ${longest} are the limit.`,
      );
    }
  }
}
