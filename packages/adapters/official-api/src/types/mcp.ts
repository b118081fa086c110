import type * as vocabulary from '@hexagent/ports';
import type { Official } from './mutable.ts';

/** What may be done with one tool of a server. */
export type McpServerToolPolicy = {
  name: string;
  permission_policy?: 'always_allow' | 'always_ask' | 'always_deny';
  org_max_permission?: 'allow' | 'ask' | 'blocked';
};

/** A server that the CLI starts as a program. */
export type McpStdioServerConfig = {
  type?: 'stdio';
  command: string;
  args?: string[];
  env?: Record<string, string>;
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server that the CLI reaches by server-sent events. */
export type McpSSEServerConfig = {
  type: 'sse';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server that the CLI reaches by HTTP. */
export type McpHttpServerConfig = {
  type: 'http';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server in this process, as far as it can be written down. */
export type McpSdkServerConfig = { type: 'sdk'; name: string; timeout?: number; tools?: McpServerToolPolicy[] };

/** A connection to the account's own servers, seen in `mcpServerStatus()` only. */
export type McpClaudeAIProxyServerConfig = { type: 'claudeai-proxy'; url: string; id: string; timeout?: number };

/** A server in this process. `createSdkMcpServer()` makes one; an `McpServer` of the MCP SDK will do as `instance`. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & { instance: McpServerInstance };

/** What is needed of a server; any copy and version of the MCP SDK gives it. */
export type McpServerInstance = {
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
