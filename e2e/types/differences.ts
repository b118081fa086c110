/*
 * What is not the same, and why. Each list may only get shorter: an entry that no longer applies fails the guard.
 */

const schemas = 'A schema is known by the Standard Schema in it, so that no copy of zod is needed.';
const mcpInstance = 'A server is known by its form, so that no copy of the MCP SDK is needed.';

/** Types of ours that cannot be used where the official one is asked for, with the reason. */
export const looserThanOfficial: Readonly<Record<string, string>> = {
  AnyZodRawShape: schemas,
  InMemorySessionStore: 'A class with private members is like no other.',
  McpSdkServerConfigWithInstance: mcpInstance,
  McpServerConfig: mcpInstance,
  Options: mcpInstance,
  SdkMcpToolDefinition: schemas,
};

/** Types of ours that take any other key as well, with the reason. */
export const openForMoreKeys: Readonly<Record<string, string>> = {
  ElicitationResult: 'A server may be answered with fields that MCP does not name.',
  SandboxSettings: 'A newer agent may know settings that this version does not.',
};
