import { errorText, isRecord } from '@hexagent/checks';
import { type Clock, type JsonRpcMessage, type McpClientSide, type McpSession, rpcCodes } from '@hexagent/ports';
import { Deferred, onAbort } from '@hexagent/async';
import { isId, refused, type Fields, type Outcome, type RpcId } from './json-rpc.ts';
import { Announcements } from './announcements.ts';
import { TimeLimit } from './time-limit.ts';
import type { ToolView } from './tool-view.ts';
import type { Upstream } from './upstream.ts';

interface Running {
  readonly call: AbortController;
  readonly limit: TimeLimit;
}

/** The server behind a session. */
export interface Shared {
  readonly name: string;
  readonly clock: Clock;
  /** `undefined`: the agents see every tool as it is. */
  readonly tools: ToolView | undefined;
  /** The connection, made anew for an introduction when the last one has gone. */
  upstream(introduction?: Fields): Upstream;
  left(session: ProxySession): Promise<void>;
}

/** One agent's view of a shared server. */
export class ProxySession implements McpSession {
  readonly #shared: Shared;
  readonly #client: McpClientSide;
  readonly #calls = new Map<RpcId, AbortController>();
  readonly #announcements: Announcements;
  #closed = false;
  /** The agent could not introduce itself, so it counts the server as failed and asks no more. */
  #wasRefused = false;

  constructor(shared: Shared, client: McpClientSide) {
    this.#shared = shared;
    this.#client = client;
    this.#announcements = new Announcements(client, shared.name);
  }

  async handle(
    message: JsonRpcMessage,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<JsonRpcMessage | undefined> {
    // An agent may send anything, and one that gets no answer waits for ever.
    const { id, method, ...rest }: Fields = isRecord(message) ? message : {};
    const refusal = refusalOf(message);
    if (refusal !== undefined) return { jsonrpc: '2.0', id: isId(id) ? id : null, ...refusal };
    const params = isRecord(rest['params']) ? rest['params'] : undefined;
    if (id === undefined) return this.#notify(method, params);
    // An answer: none of ours, for the server's own requests are not passed on.
    if (typeof method !== 'string' || !isId(id)) return undefined;
    return { jsonrpc: '2.0', id, ...(await this.#ask(id, method, params, signal)) };
  }

  async close(): Promise<void> {
    this.end();
    await this.#shared.left(this);
  }

  /** Answers everything that is open; the connection stays. */
  end(): void {
    this.#closed = true;
    for (const call of this.#calls.values()) call.abort(refused(rpcCodes.closed, this.#isClosed()));
  }

  /** Passes on a notification of the server. */
  announce(notification: JsonRpcMessage): void {
    this.#announcements.send(notification);
  }

  /** Reports a mistake of the program to the program. */
  mistaken(what: string, cause?: unknown): void {
    this.#client.mistaken?.(what, cause);
  }

  /** Reports to the program that the server works no more. */
  failed(why: string): void {
    this.#client.failed?.(why);
  }

  /** The server works. Where the connection had broken, what it has may have changed meanwhile. */
  connected({ capabilities }: Fields, wasBroken: boolean): void {
    if (!wasBroken && !this.#wasRefused) return;
    this.#client.recovered?.();
    if (!wasBroken) return;
    for (const kind of isRecord(capabilities) ? ['tools', 'resources', 'prompts'] : [])
      if (isRecord(capabilities) && capabilities[kind] !== undefined)
        this.announce({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed` });
  }

  #notify(method: unknown, params: Fields | undefined): undefined {
    if (this.#closed || typeof method !== 'string') return;
    if (method === 'notifications/cancelled') {
      const id = params?.['requestId'];
      if (isId(id)) this.#calls.get(id)?.abort(refused(rpcCodes.cancelled, 'The call was cancelled.'));
      return;
    }
    // The server was notified when the connection was made, once for all sessions.
    if (method !== 'notifications/initialized') this.#shared.upstream().notify(method, params);
  }

  async #ask(id: RpcId, method: string, params: Fields | undefined, signal: AbortSignal): Promise<Outcome> {
    if (this.#closed) return refused(rpcCodes.closed, this.#isClosed());
    if (this.#calls.has(id))
      return refused(rpcCodes.invalidRequest, `The id ${id} belongs to a request that is still running.`);
    const call = new AbortController();
    const ended = new Deferred<Outcome>();
    onAbort(call.signal, () => ended.resolve(call.signal.reason));
    this.#calls.set(id, call);
    const limit = new TimeLimit(this.#shared.clock, (why) => call.abort(refused(rpcCodes.timedOut, why)));
    const ignoreAbort = onAbort(signal, () => call.abort(refused(rpcCodes.cancelled, 'The call was cancelled.')));
    try {
      return await Promise.race([ended.promise, this.#view(method, params, { call, limit })]);
    } finally {
      limit.cancel();
      ignoreAbort();
      this.#calls.delete(id);
    }
  }

  /** What the agent may see of the server. */
  async #view(method: string, params: Fields | undefined, running: Running): Promise<Outcome> {
    const { tools } = this.#shared;
    if (tools === undefined) return await this.#forward(method, params, running);
    if (method === 'tools/list')
      return tools.list(await this.#forward(method, params, running), params?.['cursor'] === undefined);
    if (method !== 'tools/call') return await this.#forward(method, params, running);
    const call = tools.prepare(params);
    if ('refusal' in call) return call.refusal;
    const { name, timeoutMs } = call;
    running.limit.start(
      timeoutMs,
      `The tool ${name} of the MCP server ${this.#shared.name} did not answer within ${timeoutMs} ms.`,
    );
    return await this.#forward(method, call.params, running);
  }

  async #forward(method: string, params: Fields | undefined, { call: { signal }, limit }: Running): Promise<Outcome> {
    try {
      const isIntroduction = method === 'initialize';
      if (isIntroduction) this.#wasRefused = false;
      const upstream = isIntroduction ? this.#shared.upstream(params ?? {}) : this.#shared.upstream();
      const result = await upstream.ready;
      if (isIntroduction || signal.aborted) return { result };
      const asking = { signal, progress: this.#reporter(params, limit) };
      const { outcome, unanswered } = await upstream.request(method, params, asking);
      // A server that no longer had the session did nothing, so it is asked again, once.
      if (unanswered?.isForgotten !== true || this.#closed) return outcome;
      const next = this.#shared.upstream();
      if (next === upstream) return outcome;
      await next.ready;
      return (await next.request(method, params, asking)).outcome;
    } catch (error) {
      if (method === 'initialize') this.#wasRefused = true;
      return refused(rpcCodes.closed, errorText(error));
    }
  }

  #reporter(params: Fields | undefined, limit: TimeLimit): (progress: Fields) => void {
    const meta = params?.['_meta'];
    const token = isRecord(meta) ? meta['progressToken'] : undefined;
    return (progress) => {
      limit.restart();
      if (token === undefined) return;
      this.announce({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { ...progress, progressToken: token },
      });
    };
  }

  #isClosed(): string {
    return `The session of the MCP server ${this.#shared.name} is closed.`;
  }
}

/** The error response to a malformed message; `undefined` for a valid one, and for a notification, which has no response. */
function refusalOf(message: unknown): Outcome | undefined {
  if (!isRecord(message) || message['jsonrpc'] !== '2.0')
    return refused(rpcCodes.invalidRequest, 'A message needs to be an object with jsonrpc: "2.0".');
  const { id, method, params } = message;
  if (id === undefined || (method === undefined && ('result' in message || 'error' in message))) return undefined;
  if (typeof method !== 'string' || !isId(id) || !isWhole(id))
    return refused(rpcCodes.invalidRequest, 'A request needs an id and a method.');
  const isWrong =
    params !== undefined && (!isRecord(params) || (params['_meta'] !== undefined && !isRecord(params['_meta'])));
  return isWrong
    ? refused(rpcCodes.invalidParams, 'The params of a request, and their `_meta`, must be objects.')
    : undefined;
}

/** MCP has no other numbers as ids. */
const isWhole = (id: RpcId): boolean => typeof id === 'string' || Number.isInteger(id);
