import { SdkError, type Exit, type McpServerStatus } from '@hexagent/ports';
import type { HostedServers } from './hosted-servers.ts';

/** The state of an MCP server of a session. */
export interface McpServerState {
  /** Its key in `mcpServers`, or the name that a settings file or a plugin gives it. */
  readonly name: string;
  /**
   * `pending`: the agent is connecting. `failed` and `needs-auth` stay until `reconnect()`; `disabled` until `toggle()`.
   * A server in this process that broke after it was connected has the state `connected` and an `error`.
   */
  readonly state: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  /** Why it does not work: the reason of a server in this process, else the agent's error, and how a person signs in. */
  readonly error?: string | undefined;
  /** The page on which a person signs in, where a server of `external()` named one. */
  readonly authUrl?: string | undefined;
  /** How the process of a server of `external()` left, with the end of its error stream. */
  readonly exit?: Exit | undefined;
  /** The HTTP status that a server of `external()` answered with. */
  readonly httpStatus?: number | undefined;
  /** The names of its tools, as the server calls them. Left out until the server has listed them. */
  readonly tools?: readonly string[] | undefined;
  /** Whether this process runs or dials it; else the agent does. */
  readonly isHosted: boolean;
}

/** Servers that were waited for are not connected. */
export class McpNotReady extends SdkError {
  override readonly name: string = 'McpNotReady';
  /** Each server that is not ready. */
  readonly servers: readonly McpServerState[];

  constructor(message: string, servers: readonly McpServerState[], options?: ErrorOptions) {
    super('MCP_NOT_READY', message, options);
    this.servers = servers;
  }
}

/** Whether a server works: it is connected and reports no error. */
export const isReady = ({ state, error }: McpServerState): boolean => state === 'connected' && error === undefined;

/** Describes the state of each server, and why. */
export function notReady(servers: readonly McpServerState[], waitedMs?: number, cause?: unknown): McpNotReady {
  const each = servers.map(({ name, state, error }) => `${name} is ${state}${error === undefined ? '' : `: ${error}`}`);
  const waited = waitedMs === undefined ? '' : ` after ${waitedMs} ms`;
  const which = each.length === 0 ? 'The agent did not report their state.' : each.join('; ');
  return new McpNotReady(`MCP servers are not ready${waited}: ${which}`, servers, { cause });
}

/** The agent lists the servers of this process only when all of them have answered. */
export function statesOf(given: unknown, hosted: HostedServers): readonly McpServerState[] {
  const listed = Array.isArray(given) ? (given as readonly McpServerStatus[]) : []; // an agent that has none may leave it out
  const unlisted = hosted.names().filter((name) => listed.every((server) => server.name !== name));
  return [
    ...listed.map(({ name, status, error, tools }) => stateOf({ name, status, error, tools }, hosted)),
    ...unlisted.map((name) => stateOf({ name, status: 'pending' }, hosted)),
  ];
}

export function stateOf({ name, status, error, tools }: Listed, hosted: HostedServers): McpServerState {
  const isHosted = hosted.get(name) !== undefined;
  const failure = isHosted && status !== 'disabled' ? hosted.get(name)?.failure?.() : undefined;
  // The agent reports that a server of this process failed, and not that a person could repair it.
  const state = status === 'failed' && failure?.auth !== undefined ? 'needs-auth' : status;
  const reason = error ?? (isHosted ? hosted.why(name) : undefined) ?? failure?.why;
  const why = reason ?? (state === 'needs-auth' ? howToSignIn(name) : undefined);
  return {
    name,
    state,
    ...(why !== undefined && { error: why }),
    ...(failure?.auth?.url !== undefined && { authUrl: failure.auth.url }),
    ...(failure?.exit !== undefined && { exit: failure.exit }),
    ...(failure?.httpStatus !== undefined && { httpStatus: failure.httpStatus }),
    ...(tools !== undefined && { tools: tools.map((tool) => tool.name) }),
    isHosted,
  };
}

/** The agent gives no reason: it would send a person to its own menu, which a program does not have. */
const howToSignIn = (name: string): string =>
  `It needs a person to sign in. session.control.request('mcp_authenticate', { serverName: '${name}' }) answers with the page, as authUrl; the agent connects when the person comes back from it.`;

type Listed = Pick<McpServerStatus, 'name' | 'status'> & {
  readonly [Key in 'error' | 'tools']?: McpServerStatus[Key] | undefined;
};
