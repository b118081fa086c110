import { shown } from './unknown-values.ts';

/**
 * Throws unless it is a delay: a number of milliseconds from 0 on, of which `Infinity` never ends. Left out is accepted.
 * @throws {TypeError} naming the option and the value.
 */
export function checkDelay(option: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return;
  throw new TypeError(`\`${option}\` must be a number of milliseconds, 0 or more, not ${shown(value)}.`);
}

/**
 * Throws unless it is a size: a finite number of bytes within the range. Left out is accepted.
 * @throws {TypeError} naming the option, the value and the range.
 */
export function checkBytes(
  option: string,
  value: unknown,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): void {
  if (value === undefined || (typeof value === 'number' && value >= least && value <= most)) return;
  throw new TypeError(`\`${option}\` must be a number of bytes from ${least} to ${most}, not ${shown(value)}.`);
}
