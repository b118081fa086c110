import { constants } from 'node:buffer';
import { checkBytes, isRecord, kindOf } from '@hexagent/checks';

export interface LineLimits {
  readonly maxLineBytes: number;
  readonly stderrTailBytes: number;
}

/**
 * The limits of a transport, by its options.
 * @throws {TypeError} for anything but options, and for a number of bytes that makes no sense.
 */
export function limitsOf(options: {
  readonly maxLineBytes?: number | undefined;
  readonly stderrTailBytes?: number | undefined;
}): LineLimits {
  if (!isRecord(options)) throw new TypeError(`A transport takes options, not ${kindOf(options)}.`);
  const { maxLineBytes = 256 * 1024 * 1024, stderrTailBytes = 16 * 1024 } = options;
  checkBytes('maxLineBytes', maxLineBytes, { least: 1, most: constants.MAX_STRING_LENGTH });
  checkBytes('stderrTailBytes', stderrTailBytes);
  return { maxLineBytes, stderrTailBytes: Math.floor(stderrTailBytes) };
}
