/*
 * What is not the same, and why. Each list may only get shorter: an entry that no longer applies fails the guard.
 */

const apiTypes =
  'The pieces of a message are written out, so that no copy of an API client is needed; the rarest are typed more loosely.';
const mcpInstance = 'A server is known by its form, so that no copy of the MCP SDK is needed.';

/** Types of ours that cannot be used where the official one is asked for, with the reason. */
export const looserThanOfficial: Readonly<Record<string, string>> = {
  McpSdkServerConfigWithInstance: mcpInstance,
  McpServerConfig: mcpInstance,
  Options: mcpInstance,
  Query: apiTypes,
  SDKAssistantMessage: apiTypes,
  SDKMessage: apiTypes,
  SDKPartialAssistantMessage: apiTypes,
  SDKUserMessage: apiTypes,
  SDKUserMessageReplay: apiTypes,
};

/** Names that stand for something of our own, with the reason. */
export const somethingElse: Readonly<Record<string, string>> = {
  Transport:
    'The official one is the inside of a query that no option takes; ours is the port, and `transport` takes it.',
};
