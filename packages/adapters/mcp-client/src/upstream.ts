import { errorText, isRecord, rpcCodes, SdkError, type Exit, type JsonRpcMessage } from '@hexagent/ports';
import { isId, refused, type Fields, type Outcome } from './json-rpc.ts';
import type { Link, LinkHandlers } from './stdio-link.ts';

export interface UpstreamOptions {
  readonly name: string;
  readonly link: (handlers: LinkHandlers) => Promise<Link>;
  /** The params of `initialize`. */
  readonly introduction: Fields;
  /** Called when the server ends although nobody closed it, after it had worked. */
  readonly ended: (why: string) => void;
  /** Called for notifications that concern every session. */
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
  /** Resolves once the server runs, or cannot. */
  #linked: Promise<Link | undefined> = Promise.resolve(undefined);
  #link: Link | undefined;
  #gone: string | undefined;
  #isReady = false;
  #closing: Promise<void> | undefined;
  /** The server's answer to `initialize`; rejects with the true cause when there is none. */
  readonly ready: Promise<Fields>;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.ready = this.#start();
    this.ready.catch(() => {}); // each request awaits it
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
      // A server that reads no more is ended; its exit settles every pending request with the reason.
      this.#send({ jsonrpc: '2.0', id, method, ...withToken(params, id) }).catch(() => void this.#link?.close());
    });
  }

  notify(method: string, params: Fields | undefined): void {
    // The exit of the server settles the pending requests; nothing waits for a notification.
    this.#send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }).catch(() => {});
  }

  /** Ends the server. Resolves when it has gone; never rejects. */
  close(): Promise<void> {
    this.#end(`The MCP server ${this.#options.name} was closed.`);
    this.#closing ??= this.#linked.then((link) => link?.close());
    return this.#closing;
  }

  async #start(): Promise<Fields> {
    try {
      // A session that is closed in the step in which it began starts nothing.
      await Promise.resolve();
      if (this.#gone !== undefined) throw new Error(this.#gone);
      const linking = this.#options.link(this.#handlers());
      this.#linked = linking.catch(() => undefined);
      this.#link = await linking;
    } catch (cause) {
      const why = `The MCP server ${this.#options.name} could not be started: ${reasonOf(cause)}`;
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
    void this.close(); // the cause is reported at once; a server may take its time to end
    throw new Error(why);
  }

  #handlers(): LinkHandlers {
    let trouble: string | undefined;
    return {
      onMessage: (message) => this.#read(message),
      onTrouble: (why) => (trouble ??= why),
      onExit: (exit) => {
        const why = this.#formatExit(exit, trouble);
        if (this.#isReady && this.#gone === undefined) this.#options.ended(why);
        this.#end(why);
      },
    };
  }

  #formatExit({ code, signal, stderr }: Exit, trouble: string | undefined): string {
    const how = signal === null ? `code ${code ?? 'unknown'}` : `signal ${signal}`;
    const words = stderr.trim();
    const why = words === '' ? 'It said nothing on its error stream.' : `Its last words: ${words}`;
    const before = trouble === undefined ? '' : ` (Before that: ${trouble})`;
    return `The MCP server ${this.#options.name} has ended with ${how}. ${why}${before}`;
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
    await this.#link?.send(message);
  }
}

/** The system's own words are in the cause of what could not be started. */
function reasonOf(error: unknown): string {
  const isStart = SdkError.is(error) && error.code === 'AGENT_START_FAILED';
  return isStart && error.cause instanceof Error ? error.cause.message : errorText(error);
}

function withToken(params: Fields | undefined, token: number): { readonly params?: Fields } {
  if (params === undefined) return {};
  const { _meta: meta } = params;
  if (!isRecord(meta) || meta['progressToken'] === undefined) return { params };
  return { params: { ...params, _meta: { ...meta, progressToken: token } } };
}
