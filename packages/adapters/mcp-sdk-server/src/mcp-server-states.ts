import { McpNotReady, type McpServerState, type McpServerStatus } from '@hexagent/ports';
import type { HostedServers } from './hosted-servers.ts';

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
  `It needs a person to sign in. session.mcp.signIn('${name}') resolves with the page, as authUrl; the agent connects when the person comes back from it.`;

type Listed = Pick<McpServerStatus, 'name' | 'status'> & {
  readonly [Key in 'error' | 'tools']?: McpServerStatus[Key] | undefined;
};
