import type { SessionFeature } from '@hexagent/ports';
import type { McpSdkServerConfigWithInstance } from './types/mcp.ts';

/** By their names in `mcpServers`. */
export type InProcessServers = Readonly<Record<string, McpSdkServerConfigWithInstance>>;

/** The servers of this process that one query has. */
export interface QueryServers {
  /** Connects the agent with them. */
  readonly feature: SessionFeature;
  names(): readonly string[];
  /**
   * Replaces them, by name. `announce` is given what the agent receives of them; when it fails, nothing has changed.
   * @throws {TypeError} for what is not a server.
   */
  change<T>(servers: InProcessServers, announce: (configs: HostedConfigs) => Promise<T>): Promise<T>;
}

/** What the agent receives of servers of this process. */
export type HostedConfigs = Readonly<Record<string, { readonly type: 'sdk'; readonly name: string }>>;
