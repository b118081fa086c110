import type * as vocabulary from '@hexagent/ports';
import type { Official } from './mutable.ts';

/** What may be done with one tool of a server. */
export type McpServerToolPolicy = Official<vocabulary.McpToolPolicy>;

/** A server that the CLI starts as a program. */
export type McpStdioServerConfig = Official<Extract<vocabulary.DialledServer, { readonly command: string }>>;

/** A server that the CLI reaches by server-sent events. */
export type McpSSEServerConfig = Official<OverNetwork, { type: 'sse' }>;

/** A server that the CLI reaches by HTTP. */
export type McpHttpServerConfig = Official<OverNetwork, { type: 'http' }>;

type OverNetwork = Extract<vocabulary.DialledServer, { readonly url: string }>;

/** A server in this process, as far as it can be written down. */
export type McpSdkServerConfig = { type: 'sdk'; name: string; timeout?: number; tools?: McpServerToolPolicy[] };

/** A connection to the account's own servers, seen in `mcpServerStatus()` only. */
export type McpClaudeAIProxyServerConfig = { type: 'claudeai-proxy'; url: string; id: string; timeout?: number };

/** A server in this process. `createSdkMcpServer()` makes one; an `McpServer` of the MCP SDK will do as `instance`. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & { instance: McpServerInstance };

/** What is needed of a server; any copy and version of the MCP SDK gives it. */
type McpServerInstance = {
  // The transport's type is the MCP SDK's own; the code that connects the server imports it.
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
};

export type McpServerConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfigWithInstance;

export type McpServerConfigForProcessTransport =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig;

export type McpServerStatusConfig = McpServerConfigForProcessTransport | McpClaudeAIProxyServerConfig;

/** Which server a tool belongs to. */
export type McpServerProvenance = Official<vocabulary.McpServerProvenance>;

/** How a server fares. */
export type McpServerStatus = Official<
  vocabulary.McpServerStatus,
  { config?: McpServerStatusConfig },
  Exclude<keyof vocabulary.McpServerStatus, 'transport'>
>;

/** What `setMcpServers()` changed. */
export type McpSetServersResult = Official<vocabulary.McpServersChange>;
