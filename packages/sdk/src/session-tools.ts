import {
  createSdkMcpServer,
  hostedServerOf,
  isDialled,
  type AnyServer,
  type McpSdkServerConfigWithInstance,
  type McpSdkServerFactoryConfig,
  type SdkMcpToolDefinition,
} from '@hexagent/mcp-sdk-server';
import type { DialledServer, McpServer, ToolName } from '@hexagent/ports';
import type { SessionSubagents } from './subagents.ts';

/** The server that has the tools made by `tool()`: the model calls them as `mcp__own__<tool>`. */
export const ownServerName = 'own';

/**
 * One entry of the option `tools`: the name of a built-in tool, `'none'` for no built-in tool, a tool made by `tool()`, a server of this
 * process, or servers by name.
 */
export type ToolEntry =
  | ToolName
  | 'none'
  | (string & {})
  | SdkMcpToolDefinition
  | McpSdkServerConfigWithInstance
  | McpSdkServerFactoryConfig
  | McpServer
  | Readonly<Record<string, AnyServer>>;

/** The option `tools`, sorted by where the tools run. */
export interface SessionTools {
  /** The built-in tools that exist; `undefined` for all. */
  readonly builtIn: readonly string[] | undefined;
  /** The tools made by `tool()`. Their server is among `servers`. */
  readonly own: readonly SdkMcpToolDefinition[];
  readonly servers: Readonly<Record<string, AnyServer>>;
}

interface OptionsWithTools {
  readonly tools?: SessionTools | undefined;
  readonly agents?: SessionSubagents | undefined;
}

export const defaultTools: SessionTools = { builtIn: undefined, own: [], servers: {} };

/**
 * Puts the tools made by `tool()` into one server.
 * @throws {TypeError} for a tool that could not be served.
 */
export function withOwnServer(tools: SessionTools): SessionTools {
  const { own, servers } = tools;
  if (own.length === 0) return tools;
  return {
    ...tools,
    servers: { ...servers, [ownServerName]: createSdkMcpServer({ name: ownServerName, tools: own }) },
  };
}

/** The names of the servers that have the tools made by `tool()`. */
export function ownServersOf({ tools: { own } = defaultTools, agents }: OptionsWithTools): readonly string[] {
  return [...(own.length === 0 ? [] : [ownServerName]), ...Object.keys(agents?.servers ?? {})];
}

/** The servers that live in our process, under the names the program gave them. */
export function hostedServersOf({ servers }: SessionTools): readonly McpServer[] {
  return Object.entries(servers).flatMap(([name, server]) => hostedServerOf(name, server));
}

/** The servers that the agent starts or reaches. */
export function dialledServersOf({ servers }: SessionTools): Readonly<Record<string, DialledServer>> {
  return Object.fromEntries(
    Object.entries(servers).flatMap(([name, server]) => (isDialled(server) ? [[name, server]] : [])),
  );
}
