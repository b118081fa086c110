/** What the official package exports without a type: each is there, and fails by name with what to use instead. */
export const notOffered: Readonly<Record<string, string>> = {
  CommandMatcher: '`supportedCommands()`',
  DirectConnectError: '`transport`',
  DirectConnectTransport: '`transport`',
  FileIndex: "`session.request('file_suggestions', { query })`",
  parseDirectConnectUrl: '`transport`',
};
