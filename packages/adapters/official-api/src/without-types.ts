import { notYet } from './not-yet.ts';

/*
 * What the official package exports at run time and leaves out of its types. Each name exists, because a module that
 * imports a missing one does not load at all. Four of them are classes there: `new` throws as a call does, and nothing
 * is an instance of them.
 */

/** Not supported yet: throws `NOT_SUPPORTED_YET`. Officially a class without a type. */
export function CommandMatcher(): never {
  throw notYet('`CommandMatcher`');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. Officially a class without a type. */
export function DirectConnectError(): never {
  throw notYet('`DirectConnectError`');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. Officially a class without a type. */
export function DirectConnectTransport(): never {
  throw notYet('`DirectConnectTransport`');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. Officially a class without a type. */
export function FileIndex(): never {
  throw notYet('`FileIndex`');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. Officially without a type. */
export function parseDirectConnectUrl(): never {
  throw notYet('`parseDirectConnectUrl()`');
}
