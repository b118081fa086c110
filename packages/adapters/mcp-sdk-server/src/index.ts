export type { ConnectableServer, McpTransport } from './connectable.ts';
export type { InstalledMcpServer } from './full-server.ts';
export {
  createSdkMcpServer,
  hostServer,
  type McpSdkServerConfigWithInstance,
  type McpSdkServerFactoryConfig,
  type ToolServerConfig,
} from './host-server.ts';
export { hostedServerOf, isDialled, type AnyServer } from './any-server.ts';
export { dialledServer, mcpServer } from './any-server-checks.ts';
export { HostedServers } from './hosted-servers.ts';
export { queryServersOf, type ServersOfQuery } from './query-servers.ts';
export { toSessionMcp } from './session-servers.ts';
export type {
  AnyZodRawShape,
  InferArgs,
  InferShape,
  JsonSchema,
  RawShape,
  StandardIssue,
  StandardResult,
  StandardSchema,
  ToolSchema,
} from './schema.ts';
export { compilePlain } from './plain-schema.ts';
export { rebase } from './json-schema.ts';
export { mapValues, withPrefixItems } from './map-schemas.ts';
export { valueSchemaOf, type ValueSchema } from './value-schema.ts';
export type { CreateSdkMcpServerOptions } from './server-definition.ts';
export { listedToolsOf } from './server-manifest.ts';
export {
  tool,
  type CallToolResult,
  type SdkMcpToolDefinition,
  type ToolAnnotations,
  type ToolContent,
  type ToolExtra,
  type ToolExtras,
} from './tool.ts';
export { toolResult, type ToolResults } from './tool-result.ts';
