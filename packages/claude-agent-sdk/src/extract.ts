import { notOffered } from './not-offered.ts';

/** Not offered: throws `NOT_OFFERED`. Takes the CLI out of a program that Bun compiled. */
export function extractFromBunfs(_embeddedPath: string): string {
  throw notOffered('extractFromBunfs', './extract');
}
