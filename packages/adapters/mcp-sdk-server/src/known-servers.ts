import { setMaxListeners } from 'node:events';
import { text } from '@hexagent/checks';
import type { HostedServers } from './in-process-servers.ts';
import type { Clock, Conversation, McpServerStatus, RequestOptions } from '@hexagent/ports';
import { knownServer } from './session-mcp-checks.ts';
import type { AnyServer } from './any-server.ts';
import type { McpServerState } from './mcp-not-ready.ts';

export interface McpOfSession {
  readonly conversation: Conversation;
  readonly hosted: HostedServers;
  readonly servers: Readonly<Record<string, AnyServer>>;
  /** Names of those that no change takes away. */
  readonly kept: readonly string[];
  readonly clock: Clock;
}

/** The servers of one session, as far as the program has passed or the agent has listed them. */
export interface KnownServers extends McpOfSession {
  /** Aborts when the session has ended. No promise, in whose memory each call that waited for it would stay until then. */
  readonly ended: AbortSignal;
  /** The servers that the program gave, as they stand. */
  readonly current: Map<string, AnyServer>;
  readonly status: (options?: RequestOptions) => Promise<readonly McpServerState[]>;
  /** The states of the program's own servers before the agent has reported any. */
  readonly assumed: () => readonly McpServerState[];
  /**
   * Resolves with the name, if the session has a server of that name; for one that the program did not pass, asks the agent.
   * @throws {TypeError} for another.
   */
  readonly known: (name: unknown) => Promise<string>;
}

export function knownServersOf(given: McpOfSession): KnownServers {
  const { conversation, hosted } = given;
  const current = new Map(Object.entries(given.servers));
  const status: KnownServers['status'] = async (options = {}) =>
    statesOf((await conversation.control('mcp_status', {}, options)).mcpServers, hosted);
  return {
    ...given,
    current,
    status,
    ended: endOf(conversation),
    assumed: () => [...current.keys()].map((name) => stateOf({ name, status: 'pending' }, hosted)),
    known: async (value) => {
      const name = text('the name of a server')(value, 'server');
      if (current.has(name)) return name;
      const listed = (await status()).map((server) => server.name);
      knownServer(name, 'server', [...new Set([...current.keys(), ...listed])]);
      return name;
    },
  };
}

function endOf({ exited }: Conversation): KnownServers['ended'] {
  const end = new AbortController();
  setMaxListeners(0, end.signal); // any number of calls may wait
  const abort = (): void => end.abort();
  exited.then(abort, abort);
  return end.signal;
}

/** The agent lists the servers of this process only when all of them have answered. */
function statesOf(given: unknown, hosted: HostedServers): readonly McpServerState[] {
  const listed = Array.isArray(given) ? (given as readonly McpServerStatus[]) : []; // an agent that has none may leave it out
  const unlisted = hosted.names().filter((name) => listed.every((server) => server.name !== name));
  return [
    ...listed.map(({ name, status, error, tools }) => stateOf({ name, status, error, tools }, hosted)),
    ...unlisted.map((name) => stateOf({ name, status: 'pending' }, hosted)),
  ];
}

function stateOf({ name, status, error, tools }: Listed, hosted: HostedServers): McpServerState {
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
