import { notYet } from './not-yet.ts';

/** Not supported yet: throws `NOT_SUPPORTED_YET`. Takes the CLI out of a program that Bun compiled. */
export function extractFromBunfs(_embeddedPath: string): string {
  throw notYet('extractFromBunfs', './extract');
}
