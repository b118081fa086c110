import { errorText, type JsonRpcMessage, isRecord, rpcCodes } from '@hexagent/ports';
import { withoutValues } from '@hexagent/processes';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isId, refused, type Fields, type Outcome } from './json-rpc.ts';
import { adopt } from './reaper.ts';
import type { Link } from './stdio-link.ts';

export interface UpstreamOptions {
  readonly name: string;
  readonly link: () => Promise<Link>;
  /** The params of `initialize`. */
  readonly introduction: Fields;
  /** Called when the server ends although nobody closed it, after it had worked. */
  readonly ended: (why: string) => void;
  /** Called for what the server says to everybody. */
  readonly announced: (notification: JsonRpcMessage) => void;
}

export interface Asking {
  readonly signal: AbortSignal;
  /** Given what the server reports, and the token it was asked with. */
  readonly progress: (params: Fields) => void;
}

interface Pending {
  readonly settle: (outcome: Outcome) => void;
  readonly progress: ((params: Fields) => void) | undefined;
}

/**
 * The one connection to a server, shared by all sessions. Messages go through as they are; only ids and progress
 * tokens are made anew, since two sessions may choose the same.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #pending = new Map<number, Pending>();
  #count = 0;
  #link: Link | undefined;
  #gone: string | undefined;
  #trouble: string | undefined;
  #isReady = false;
  #closing: Promise<void> | undefined;
  #release = (): void => {};
  /** The server's answer to `initialize`; rejects with the true cause when there is none. */
  readonly ready: Promise<Fields>;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.ready = this.#start();
    this.ready.catch(() => {}); // told to whoever asks
  }

  /** Why nothing can be asked any more; `undefined` while it can. */
  get gone(): string | undefined {
    return this.#gone;
  }

  /** Never rejects: what goes wrong is an error the agent can read. */
  request(method: string, params: Fields | undefined, asking?: Asking): Promise<Outcome> {
    if (this.#gone !== undefined) return Promise.resolve(refused(rpcCodes.closed, this.#gone));
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve) => {
      const settle = (outcome: Outcome): void => {
        this.#pending.delete(id);
        asking?.signal.removeEventListener('abort', withdraw);
        resolve(outcome);
      };
      const withdraw = (): void => {
        this.notify('notifications/cancelled', { requestId: id });
        settle(refused(rpcCodes.cancelled, 'The call was cancelled.'));
      };
      this.#pending.set(id, { settle, progress: asking?.progress });
      asking?.signal.addEventListener('abort', withdraw, { once: true });
      // Not awaited: a process that dies with a full pipe would leave this promise open for ever.
      this.#send({ jsonrpc: '2.0', id, method, ...withToken(params, id) }).catch((error: unknown) =>
        settle(
          refused(rpcCodes.closed, `The MCP server ${this.#options.name} could not be asked: ${errorText(error)}`),
        ),
      );
    });
  }

  notify(method: string, params: Fields | undefined): void {
    // That the server has gone is told to those who wait for an answer.
    this.#send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }).catch(() => {});
  }

  /** Ends the server. Resolves when it has gone; never rejects. */
  close(): Promise<void> {
    this.#end(`The MCP server ${this.#options.name} was closed.`);
    this.#closing ??= this.#link?.transport.close().catch(() => {}) ?? Promise.resolve();
    return this.#closing;
  }

  async #start(): Promise<Fields> {
    try {
      const link = await this.#options.link();
      if (this.#gone !== undefined) throw new Error(this.#gone);
      this.#listen(link);
      await this.#launch(link);
    } catch (cause) {
      const why = `The MCP server ${this.#options.name} could not be started: ${errorText(cause)}`;
      this.#end(why);
      throw new Error(why, { cause });
    }
    const { result, error } = await this.request('initialize', this.#options.introduction);
    if (isRecord(result)) {
      this.notify('notifications/initialized', undefined);
      this.#isReady = true;
      return result;
    }
    const why =
      this.#gone ??
      `The MCP server ${this.#options.name} refused to start: ${error?.message ?? 'its answer to initialize is no object'}`;
    this.#end(why);
    void this.close(); // the cause is told at once; a server may take its time to end
    throw new Error(why);
  }

  /** Adopted at once, not when it runs: the process is there before we are told so. */
  async #launch({ transport, pid }: Link): Promise<void> {
    const started = transport.start();
    const id = pid();
    if (id !== null) this.#release = adopt(id);
    await started.catch((cause: unknown) => Promise.reject(withoutValues(cause)));
  }

  #listen(link: Link): void {
    const { transport } = link;
    this.#link = link;
    /* oxlint-disable unicorn/prefer-add-event-listener -- An MCP transport is no EventTarget. */
    transport.onmessage = (message) => this.#read(message);
    // Such as a line on its standard output that is no message. The server may well go on.
    transport.onerror = (error) => (this.#trouble = error.message);
    transport.onclose = () => {
      this.#release();
      const why = this.#lost(link);
      if (this.#isReady && this.#gone === undefined) this.#options.ended(why);
      this.#end(why);
    };
    /* oxlint-enable unicorn/prefer-add-event-listener */
  }

  #lost(link: Link): string {
    const words = link.lastWords();
    const why = words === '' ? 'It said nothing on its error stream.' : `Its last words: ${words}`;
    const how = link.exit() === undefined ? '' : ` with ${link.exit()}`;
    return `The MCP server ${this.#options.name} has ended${how}. ${why}${this.#trouble === undefined ? '' : ` (Before that: ${this.#trouble})`}`;
  }

  #end(why: string): void {
    if (this.#gone !== undefined) return;
    this.#gone = why;
    for (const { settle } of [...this.#pending.values()]) settle(refused(rpcCodes.closed, why));
  }

  #read(message: JsonRpcMessage): void {
    const { id, method, params, result, error } = message;
    if (method === undefined) this.#pending.get(Number(id))?.settle(error === undefined ? { result } : { error });
    else if (isId(id)) this.#answer(id, method);
    else if (method === 'notifications/progress') this.#progress(params);
    // A server that withdraws a request of its own has had its answer already.
    else if (method !== 'notifications/cancelled') this.#options.announced(message);
  }

  /** We declare no capabilities, so a server has nothing to ask but whether we live. */
  #answer(id: string | number, method: string): void {
    const outcome =
      method === 'ping' ? { result: {} } : refused(rpcCodes.methodNotFound, `This client does not offer ${method}.`);
    this.#send({ jsonrpc: '2.0', id, ...outcome }).catch(() => {}); // a server that has gone does not wait
  }

  #progress(params: unknown): void {
    if (isRecord(params)) this.#pending.get(Number(params['progressToken']))?.progress?.(params);
  }

  async #send(message: JsonRpcMessage): Promise<void> {
    // The same messages: the SDK's type tells their four kinds apart, ours does not.
    await this.#link?.transport.send(message as JSONRPCMessage);
  }
}

function withToken(params: Fields | undefined, token: number): { readonly params?: Fields } {
  if (params === undefined) return {};
  const { _meta: meta } = params;
  if (!isRecord(meta) || meta['progressToken'] === undefined) return { params };
  return { params: { ...params, _meta: { ...meta, progressToken: token } } };
}
