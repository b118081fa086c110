import { mcpToolName, serverInToolNames } from '@hexagent/checks';
import { denied } from '@hexagent/hooking';
import { createSdkMcpServer, type AnyServer, type SdkMcpToolDefinition } from '@hexagent/mcp-sdk-server';
import type { HookInputOf, HookOutput, HookTable, Subagent as LaunchedSubagent, ToolName } from '@hexagent/ports';

/** A subagent that the model may call, under the name that it is given. */
export interface Subagent extends Omit<LaunchedSubagent, 'tools'> {
  /**
   * The tools that exist for it: names, and tools made by `tool()`, which no other agent of the session can call. The model calls the
   * latter as `mcp__<name of the subagent>__<tool>`. Default: the tools of the session.
   */
  readonly tools?: readonly (ToolName | (string & {}) | SdkMcpToolDefinition)[] | undefined;
}

/** The option `agents`, as the agent is started with it. */
export interface SessionSubagents {
  readonly definitions: Readonly<Record<string, LaunchedSubagent>>;
  /** The tools made by `tool()`, in a server for each subagent that has any, by its name. */
  readonly servers: Readonly<Record<string, AnyServer>>;
}

export const noSubagents: SessionSubagents = { definitions: {}, servers: {} };

/**
 * Puts the tools made by `tool()` into servers. All agents of a session have the same servers, so a hook keeps the others from calling them.
 * @throws {TypeError} for a tool that could not be served.
 */
export function withSubagentServers(given: Readonly<Record<string, Subagent>>): SessionSubagents {
  const definitions: Record<string, LaunchedSubagent> = {};
  const servers: Record<string, AnyServer> = {};
  for (const [name, { tools, ...subagent }] of Object.entries(given)) {
    const own = tools?.filter((entry) => typeof entry !== 'string') ?? [];
    if (own.length > 0) servers[name] = createSdkMcpServer({ name, tools: own });
    // Each by its whole name: the agent takes `mcp__a__b` for a tool of `a`, and not for the server `a__b`.
    const names = tools?.map((entry) => (typeof entry === 'string' ? entry : mcpToolName(name, entry.name)));
    definitions[name] = { ...subagent, ...(names && { tools: names }) };
  }
  return { definitions, servers };
}

/** The hooks of a program, and one that keeps the tools of each of these subagents to it. */
export function withSubagentHooks(
  { servers }: SessionSubagents = noSubagents,
  table?: HookTable,
): HookTable | undefined {
  const subagents = Object.keys(servers);
  if (subagents.length === 0) return table;
  const own = subagents.map((name) => ({
    matcher: `^${serverInToolNames(name)}__`,
    hooks: [(input: HookInputOf<'PreToolUse'>) => refuseOthers(name, input)],
    onFailure: 'block' as const,
  }));
  return { ...table, PreToolUse: [...own, ...(table?.PreToolUse ?? [])] };
}

/** The subagent that a tool belongs to; `undefined` for a tool of all agents. */
export function subagentOf(tool: string, { servers }: SessionSubagents = noSubagents): string | undefined {
  const owners = Object.keys(servers).filter((name) => tool.startsWith(`${serverInToolNames(name)}__`));
  return owners.toSorted((one, other) => other.length - one.length)[0];
}

function refuseOthers(
  name: string,
  { agent_type, tool_name, mcp_server: server }: HookInputOf<'PreToolUse'>,
): HookOutput<'PreToolUse'> {
  // The name of a tool of the server `a__b` begins like those of `a`.
  const isOfAnother = server !== undefined && serverInToolNames(server.name) !== serverInToolNames(name);
  if (agent_type === name || isOfAnother) return {};
  return denied(`Only the agent ${name} can call ${tool_name}.`);
}
