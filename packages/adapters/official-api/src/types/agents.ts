import type { Subagent } from '@hexagent/ports';
import type { McpServerConfigForProcessTransport } from './mcp.ts';
import type { Official } from './mutable.ts';

/** A server by name, or servers by name and configuration. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** A subagent. `prompt` is its system prompt; by `description` the model decides when to call it. */
export type AgentDefinition = Official<Subagent, { mcpServers: AgentMcpServerSpec[] }>;
