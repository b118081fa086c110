import type { PermissionMode } from './common.ts';
import type { McpServerConfigForProcessTransport } from './mcp.ts';

/** A server by name, or servers by name and configuration. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** A subagent. `prompt` is its system prompt; `description` tells the model when to call it. */
export type AgentDefinition = {
  description: string;
  tools?: string[];
  disallowedTools?: string[];
  prompt: string;
  model?: string;
  mcpServers?: AgentMcpServerSpec[];
  criticalSystemReminder_EXPERIMENTAL?: string;
  skills?: string[];
  initialPrompt?: string;
  maxTurns?: number;
  autoCompactWindow?: number;
  background?: boolean;
  omitClaudeMd?: boolean;
  memory?: 'user' | 'project' | 'local';
  effort?: ('low' | 'medium' | 'high' | 'xhigh' | 'max') | number;
  permissionMode?: PermissionMode;
  observer?: string;
  observerMessage?: string;
};
