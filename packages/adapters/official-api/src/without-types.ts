import { SdkError } from '@hexagent/ports';

/*
 * What the official package exports at run time and leaves out of its types. It is not offered, but each name exists,
 * because a module that imports a missing one does not load at all. Four of them are classes there: `new` throws as a
 * call does, and nothing is an instance of them.
 */

const ownTransport =
  'there is no connection to a server of Claude Code. Give the option `transport` an object of your own, as docs/swapping-a-part.md of the repository shows';

function notOffered(name: string, instead: string): SdkError {
  return new SdkError('NOT_OFFERED', `\`${name}\` is not offered: ${instead}.`);
}

/** Not offered: throws `NOT_OFFERED`. In the official package a class without a type. */
export function CommandMatcher(): never {
  throw notOffered('CommandMatcher', 'get the commands by `supportedCommands()` of a query, and match their names');
}

/** Not offered: throws `NOT_OFFERED`. In the official package a class without a type. */
export function DirectConnectError(): never {
  throw notOffered('DirectConnectError', ownTransport);
}

/** Not offered: throws `NOT_OFFERED`. In the official package a class without a type. */
export function DirectConnectTransport(): never {
  throw notOffered('DirectConnectTransport', ownTransport);
}

/** Not offered: throws `NOT_OFFERED`. In the official package a class without a type. */
export function FileIndex(): never {
  throw notOffered(
    'FileIndex',
    "ask the agent with `session.request('file_suggestions', { query })` of `openSession()`",
  );
}

/** Not offered: throws `NOT_OFFERED`. In the official package without a type. */
export function parseDirectConnectUrl(): never {
  throw notOffered('parseDirectConnectUrl()', ownTransport);
}
