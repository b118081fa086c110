/** What the official package exports at run time without a type, and never will exist here. */
export const never: readonly string[] = [
  'CommandMatcher',
  'DirectConnectError',
  'DirectConnectTransport',
  'FileIndex',
  'parseDirectConnectUrl',
];

/** Names that exist and throw or reject `NOT_SUPPORTED_YET` when they are called. May only get shorter. */
export const notBuilt: readonly string[] = [
  'InMemorySessionStore',
  'archiveSession',
  'deleteSession',
  'filterEscalatingDefaultMode',
  'foldSessionSummary',
  'forkSession',
  'getSessionInfo',
  'getSessionMessages',
  'getSubagentMessages',
  'importSessionToStore',
  'listSessions',
  'listSubagents',
  'matchDeniedModels',
  'prewarm',
  'renameSession',
  'resolveSettings',
  'startup',
  'tagSession',
  'unarchiveSession',
];
