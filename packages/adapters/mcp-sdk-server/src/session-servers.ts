import { setMaxListeners } from 'node:events';
import { Deferred, onAbort, withHandledPromises } from '@hexagent/async';
import { errorText, flag, isRecord, serverInToolNames, text } from '@hexagent/checks';
import {
  AbortError,
  SdkError,
  withArgs,
  type Clock,
  type Conversation,
  type McpResource,
  type McpServerState,
  type McpToolResult,
  type RequestOptions,
  type SessionMcpServers,
} from '@hexagent/ports';
import { hostedServerOf, identityOf, isDialled, type AnyServer } from './any-server.ts';
import type { HostedServers } from './hosted-servers.ts';
import { waitUntilReady } from './mcp-readiness.ts';
import { notReady, stateOf, statesOf } from './mcp-server-states.ts';
import {
  callOptions,
  knownServer,
  readyOptions,
  serverMode,
  serverTable,
  toolArguments,
} from './session-mcp-checks.ts';

export interface McpOfSession {
  readonly conversation: Conversation;
  readonly hosted: HostedServers;
  readonly servers: Readonly<Record<string, AnyServer>>;
  /** Names of those that no change takes away. */
  readonly kept: readonly string[];
  readonly clock: Clock;
}

type SessionMcp = SessionMcpServers<AnyServer>;

export const toSessionMcp = (given: McpOfSession): SessionMcp => withHandledPromises(new SessionServers(given));

let count = 0;

class SessionServers implements SessionMcp {
  readonly #given: McpOfSession;
  /** The servers that the program has set. */
  readonly #current: Map<string, AnyServer>;
  /** Aborts when the session has ended. Not a promise, in whose memory each call that waited for it would stay until then. */
  readonly #ended: AbortSignal;

  constructor(given: McpOfSession) {
    this.#given = given;
    this.#current = new Map(Object.entries(given.servers));
    this.#ended = endOf(given.conversation);
  }

  readonly ready: SessionMcp['ready'] = async (options = {}) => {
    const { clock, hosted } = this.#given;
    const assumed = [...this.#current.keys()].map((name) => stateOf({ name, status: 'pending' }, hosted));
    const status = async (limits: RequestOptions) => await this.#states(limits);
    return await waitUntilReady({ clock, ended: this.#ended, assumed, status }, readyOptions(options, 'options'));
  };

  readonly status: SessionMcp['status'] = async () => await this.#states();

  readonly call: SessionMcp['call'] = async (server, tool, args = {}, options = {}) => {
    const { conversation, hosted } = this.#given;
    const [name, called] = [await this.#known(server), text('the name of a tool')(tool, 'tool')];
    const [fields, limits] = [toolArguments(args, 'args'), callOptions(options, 'options')];
    if (hosted.get(name) !== undefined)
      return toolResultOf(await this.#ask(name, 'tools/call', { name: called, arguments: fields }, limits), called);
    const request = { tool: `${serverInToolNames(name)}__${called}`, arguments: fields };
    return toolResultOf(await conversation.control('mcp_call', request, limits), called);
  };

  readonly readResource: SessionMcp['readResource'] = async (server, uri, options = {}) => {
    const { conversation, hosted } = this.#given;
    const [name, address] = [await this.#known(server), text('the address of a resource')(uri, 'uri')];
    const limits = callOptions(options, 'options');
    if (hosted.get(name) === undefined)
      return await conversation.control('mcp_read_resource', { serverName: name, uri: address }, limits);
    return (await this.#ask(name, 'resources/read', { uri: address }, limits)) as McpResource; // as MCP has it
  };

  readonly reconnect: SessionMcp['reconnect'] = async (server) => {
    const { conversation, hosted } = this.#given;
    const name = await this.#known(server);
    if (hosted.get(name) === undefined) {
      await conversation.control('mcp_reconnect', { serverName: name });
      return;
    }
    // The agent refuses `mcp_reconnect` for these; turning on what is on makes it introduce itself again.
    const now = (await this.#states()).filter((one) => one.name === name);
    if (now.some(({ state }) => state === 'disabled')) throw notReady(now);
    await conversation.control('mcp_toggle', { serverName: name, enabled: true }).catch((error: unknown) => {
      // The states have the reason of the failure, and the refusal does not.
      if (!SdkError.is(error) || error.code !== 'REQUEST_FAILED') throw error;
    });
    await this.ready({ servers: [name] });
  };

  readonly toggle: SessionMcp['toggle'] = async (server, enabled) => {
    const isOn = flag(enabled, 'enabled');
    await this.#given.conversation.control('mcp_toggle', { serverName: await this.#known(server), enabled: isOn });
  };

  readonly setServers: SessionMcp['setServers'] = async (given) => {
    const { conversation, hosted, kept } = this.#given;
    const servers = serverTable(given, 'servers');
    const staying = [...this.#current].filter(([name]) => kept.includes(name) && !Object.hasOwn(servers, name));
    const entries = [...staying, ...Object.entries(servers)];
    for (const [name, server] of entries) refuseAnother(name, server, this.#current.get(name));
    const own = entries.flatMap(([name, server]) => hostedServerOf(name, server));
    return await hosted.change(own, async () => {
      const wire = entries.map(([name, server]) => [name, isDialled(server) ? withArgs(server) : hosted.config(name)]);
      const change = await conversation.control('mcp_set_servers', { servers: Object.fromEntries(wire) });
      for (const name of change.removed) this.#current.delete(name);
      for (const [name, server] of entries) this.#current.set(name, server);
      return change;
    });
  };

  readonly signIn: SessionMcp['signIn'] = async (server, options = {}) => {
    const fields = { serverName: await this.#known(server) };
    return await this.#given.conversation.control('mcp_authenticate', fields, callOptions(options, 'options'));
  };

  readonly finishSignIn: SessionMcp['finishSignIn'] = async (server, address, options = {}) => {
    const { conversation } = this.#given;
    const fields = { serverName: await this.#known(server), callbackUrl: text('an address')(address, 'callbackUrl') };
    const limits = callOptions(options, 'options');
    await conversation.control('mcp_oauth_callback_url', fields, limits);
    await conversation.control('mcp_reconnect', { serverName: fields.serverName }, limits); // the agent does not by itself
  };

  readonly signOut: SessionMcp['signOut'] = async (server, options = {}) => {
    const fields = { serverName: await this.#known(server) };
    await this.#given.conversation.control('mcp_clear_auth', fields, callOptions(options, 'options'));
  };

  readonly setPermissionMode: SessionMcp['setPermissionMode'] = async (server, mode, options = {}) => {
    const fields = { serverName: await this.#known(server), mode: serverMode(mode, 'mode') };
    const limits = callOptions(options, 'options');
    const answer = await this.#given.conversation.control('set_mcp_permission_mode_override', fields, limits);
    return answer.warning;
  };

  async #states(limits: RequestOptions = {}): Promise<readonly McpServerState[]> {
    const { conversation, hosted } = this.#given;
    return statesOf((await conversation.control('mcp_status', {}, limits)).mcpServers, hosted);
  }

  /**
   * Resolves with the name, if the session has a server of that name. Asks the agent about servers that the program did not pass.
   * @throws {TypeError} for another.
   */
  async #known(value: unknown): Promise<string> {
    const name = text('the name of a server')(value, 'server');
    if (this.#current.has(name)) return name;
    const listed = (await this.#states()).map((server) => server.name);
    knownServer(name, 'server', [...new Set([...this.#current.keys(), ...listed])]);
    return name;
  }

  /** Asks a server of this process directly: the agent refuses to. Ends with the session, even where the server never answers. */
  async #ask(name: string, method: string, params: object, limits: RequestOptions): Promise<unknown> {
    const { hosted, clock } = this.#given;
    const { signal, timeoutMs = 0 } = limits;
    const call = new AbortController();
    const stopped = new Deferred<never>().handled();
    onAbort(call.signal, (reason) => stopped.reject(reason));
    const late = (): void =>
      call.abort(new SdkError('REQUEST_TIMEOUT', `The MCP server ${name} did not answer within ${timeoutMs} ms.`));
    const stops = [
      timeoutMs > 0 ? clock.after(timeoutMs, late, { keepsAlive: true }) : () => {},
      onAbort(signal, (cause) => call.abort(new AbortError(undefined, { cause }))),
      onAbort(this.#ended, () =>
        call.abort(new SdkError('CONVERSATION_CLOSED', `The session ended before the MCP server ${name} answered.`)),
      ),
    ];
    try {
      // An id that the agent, which counts in the same session, does not use.
      const message = { jsonrpc: '2.0', id: `hexagent:${(count += 1)}`, method, params } as const;
      const asked = call.signal.aborted ? stopped.promise : hosted.ask(name, message, { signal: call.signal });
      const reply = await Promise.race([asked, stopped.promise]);
      if (reply?.error === undefined) return reply?.result;
      throw new SdkError('REQUEST_FAILED', `The MCP server ${name} refused \`${method}\`: ${errorText(reply.error)}`);
    } finally {
      for (const stop of stops) stop();
    }
  }
}

function endOf({ exited }: Conversation): AbortSignal {
  const end = new AbortController();
  setMaxListeners(0, end.signal); // any number of calls may wait
  const abort = (): void => end.abort();
  exited.then(abort, abort);
  return end.signal;
}

/** The agent keeps a server of this process that stays under its name, and would not see that it is another. */
function refuseAnother(name: string, server: AnyServer, before: AnyServer | undefined): void {
  if (before === undefined || isDialled(before) || isDialled(server) || identityOf(before) === identityOf(server))
    return;
  throw new TypeError(
    `\`servers.${name}\` is another server than the one that has this name now. Remove that first, by setServers() without it, or choose another name.`,
  );
}

/** A result that reports a failure is an error here, as the agent makes it one for servers that it dials. */
function toolResultOf(result: unknown, tool: string): McpToolResult {
  if (!isRecord(result))
    throw new SdkError('REQUEST_FAILED', `The tool ${tool} returned no result.`, { cause: result });
  if (result['isError'] !== true) return result;
  const content = Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : [];
  const texts = content.flatMap((block) =>
    isRecord(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  throw new SdkError('REQUEST_FAILED', `The tool ${tool} failed: ${texts.join('\n')}`, { cause: result });
}
