import { errorText, isRecord, kindOf } from '@hexagent/checks';
import { rpcCodes, SdkError, type Clock, type InteractionContext, type JsonRpcMessage } from '@hexagent/ports';
import { Deferred, onAbort } from '@hexagent/async';
import { isId, refused, type Fields, type Outcome, type RpcId } from './json-rpc.ts';
import type { Ending, Link, LinkHandlers } from './link.ts';
import type { Secrets } from './secrets.ts';

export interface UpstreamOptions {
  readonly name: string;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** How long the server may take from its start to its introduction. */
  readonly connectTimeoutMs: number;
  /** The signal aborts when the link is no longer needed. */
  readonly link: (handlers: LinkHandlers & { readonly signal: AbortSignal }) => Promise<Link>;
  /** The params of `initialize`. */
  readonly introduction: Fields;
  /** The server has introduced itself. */
  readonly onReady: (introduction: Fields) => void;
  /** Called once, when the server takes no more requests although it was not closed. */
  readonly onEnd: (end: UpstreamEnd) => void;
  /** Answers what the server asks; never rejects. The signal aborts when the answer is no longer awaited. */
  readonly onRequest: (method: string, params: unknown, context: InteractionContext) => Promise<Outcome>;
  /** Called for notifications that concern every session. */
  readonly onAnnounced: (notification: JsonRpcMessage) => void;
}

export interface UpstreamEnd extends Ending {
  /** A whole sentence, without secrets. */
  readonly message: string;
  /** It had worked. */
  readonly wasReady: boolean;
  readonly error?: SdkError | undefined;
}

/** How a request ended. */
export interface Answer {
  readonly outcome: Outcome;
  /** Why the server gave no answer. */
  readonly unanswered?: Ending | undefined;
}

/** How long a server may take for a ping. */
const probeMs = 10_000;

export interface Asking {
  readonly signal: AbortSignal;
  /** Given what the server reports, and the token it was asked with. */
  readonly progress: (params: Fields) => void;
}

interface Pending {
  readonly settle: (outcome: Outcome, unanswered?: Ending) => void;
  readonly progress: ((params: Fields) => void) | undefined;
}

/**
 * The one connection to a server, shared by all sessions. Messages go through as they are; only ids and progress
 * tokens are made anew, since two sessions may choose the same.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #pending = new Map<number, Pending>();
  /** The open requests of the server. */
  readonly #asked = new Map<RpcId, AbortController>();
  readonly #unwanted = new AbortController();
  #count = 0;
  /** Resolves once the server runs, or cannot. */
  #linked: Promise<Link | undefined> = Promise.resolve(undefined);
  #link: Link | undefined;
  #gone: string | undefined;
  #isReady = false;
  #closing: Promise<void> | undefined;
  /** What it has not finished in time. */
  #late: string | undefined;
  #isProbed = false;
  readonly #introduced = new Deferred<Fields>().handled(); // each request awaits it

  constructor(options: UpstreamOptions) {
    this.#options = options;
    const { clock, connectTimeoutMs } = options;
    const cancel = clock.after(connectTimeoutMs, () => void this.#giveUp(), { keepsAlive: true });
    this.#introduced.promise.then(cancel, cancel);
    void this.#start();
  }

  /** The server's answer to `initialize`; rejects with the true cause when there is none. */
  get ready(): Promise<Fields> {
    return this.#introduced.promise;
  }

  /** Why nothing can be asked any more; `undefined` while it can. */
  get gone(): string | undefined {
    return this.#gone;
  }

  /** Never rejects: what goes wrong is an error the agent can read. */
  request(method: string, params: Fields | undefined, asking?: Asking): Promise<Answer> {
    if (this.#gone !== undefined) return Promise.resolve({ outcome: refused(rpcCodes.closed, this.#gone) });
    if (asking?.signal.aborted) return Promise.resolve({ outcome: cancelled });
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve) => {
      const settle = (outcome: Outcome, unanswered?: Ending): void => {
        this.#pending.delete(id);
        ignoreAbort();
        this.#link?.release(id);
        resolve({ outcome, unanswered });
      };
      const withdraw = (): void => {
        this.notify('notifications/cancelled', { requestId: id });
        settle(cancelled);
      };
      this.#pending.set(id, { settle, progress: asking?.progress });
      const ignoreAbort = onAbort(asking?.signal, withdraw);
      void this.#link?.send({ jsonrpc: '2.0', id, method, ...withToken(params, id) });
    });
  }

  notify(method: string, params: Fields | undefined): void {
    void this.#link?.send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  /** Ends the server. Resolves when it has gone; never rejects. */
  close(): Promise<void> {
    this.#stop(`The MCP server ${this.#options.name} was closed.`);
    return this.#closeLink();
  }

  async #start(): Promise<void> {
    // A session that is closed in the step in which it began starts nothing.
    await Promise.resolve();
    if (this.#gone !== undefined) return;
    try {
      const linking = this.#options.link(this.#handlers());
      this.#linked = linking.catch(() => undefined);
      this.#link = await linking;
    } catch (cause) {
      const error = SdkError.is(cause) && cause.code === 'MCP_SDK_MISSING' ? cause : undefined;
      const why =
        error === undefined
          ? `could not be started: ${reasonOf(cause)}`
          : `could not be reached: ${error.message} ${error.remedy}`;
      return this.#end({ why }, error);
    }
    const { outcome, unanswered } = await this.request('initialize', this.#options.introduction);
    if (this.#gone !== undefined) return;
    const { result, error } = outcome;
    if (!isRecord(result)) {
      const why = `refused to start: ${error?.message ?? 'its answer to initialize is no object'}`;
      return this.#end(unanswered ?? { why });
    }
    this.#link.introduced(result);
    this.notify('notifications/initialized', undefined);
    this.#isReady = true;
    this.#introduced.resolve(result);
    this.#options.onReady(result);
  }

  #handlers(): LinkHandlers & { readonly signal: AbortSignal } {
    return {
      signal: this.#unwanted.signal,
      onMessage: (message) => this.#read(message),
      onUnanswered: (id, ending) =>
        this.#pending.get(id)?.settle(refused(rpcCodes.closed, this.#sentence(ending)), ending),
      onSuspect: () => void this.#probe(),
      onEnd: (ending) =>
        this.#end(this.#late === undefined ? ending : { ...ending, why: `${this.#late} Then it ${ending.why}` }),
    };
  }

  /** A process is ended before the failure is reported: the end of its error stream is the reason, if there is one. */
  async #giveUp(): Promise<void> {
    this.#late = `did not introduce itself within ${this.#options.connectTimeoutMs} ms.`;
    if (this.#link !== undefined) await this.#closeLink();
    this.#end({ why: this.#late });
  }

  /** Something of the network failed. Where the server answers all the same, it was that one thing. */
  async #probe(): Promise<void> {
    if (!this.#isReady || this.#isProbed || this.#gone !== undefined) return;
    this.#isProbed = true;
    const late = new AbortController();
    const cancel = this.#options.clock.after(probeMs, () => late.abort());
    const { unanswered } = await this.request('ping', undefined, { signal: late.signal, progress: () => {} });
    cancel();
    this.#isProbed = false;
    if (late.signal.aborted) this.#end({ why: `does not answer any more: a ping took more than ${probeMs} ms.` });
    else if (unanswered !== undefined) this.#end(unanswered);
  }

  #end(ending: Ending, error?: SdkError): void {
    if (this.#gone !== undefined) return;
    const message = this.#sentence(ending);
    const wasReady = this.#isReady;
    this.#stop(message);
    void this.#closeLink(); // the cause is reported at once; a server may take its time to end
    this.#options.onEnd({ ...ending, message, wasReady, error });
  }

  #stop(message: string): void {
    if (this.#gone !== undefined) return;
    this.#gone = message;
    this.#introduced.reject(new Error(message));
    for (const { settle } of [...this.#pending.values()]) settle(refused(rpcCodes.closed, message));
    for (const asked of this.#asked.values()) asked.abort();
    this.#unwanted.abort();
  }

  #closeLink(): Promise<void> {
    this.#closing ??= this.#linked.then((link) => link?.close());
    return this.#closing;
  }

  #sentence({ why }: Ending): string {
    const { name, secrets } = this.#options;
    return secrets.redact(`The MCP server ${name} ${why}`);
  }

  #read(message: JsonRpcMessage): void {
    const { id, method, params } = message;
    if (method === undefined) this.#pending.get(ownId(id))?.settle(this.#outcomeOf(message));
    else if (isId(id)) void this.#answer(id, method, params);
    else if (method === 'notifications/progress') this.#progress(params);
    else if (method === 'notifications/cancelled') this.#withdrawn(params);
    else this.#options.onAnnounced(message);
  }

  /** Never rejects. */
  async #answer(id: RpcId, method: string, params: unknown): Promise<void> {
    const asked = new AbortController();
    const { signal } = asked;
    this.#asked.set(id, asked);
    const outcome = await this.#options.onRequest(method, params, { requestId: String(id), signal });
    if (this.#asked.get(id) === asked) this.#asked.delete(id);
    if (!signal.aborted) await this.#link?.send({ jsonrpc: '2.0', id, ...outcome });
  }

  #withdrawn(params: unknown): void {
    const id = isRecord(params) ? params['requestId'] : undefined;
    if (isId(id)) this.#asked.get(id)?.abort();
  }

  /** Nothing that a server sends is certain. One that complains about a token may repeat it. */
  #outcomeOf({ result, error }: { readonly result?: unknown; readonly error?: unknown }): Outcome {
    const { name, secrets } = this.#options;
    if (error === undefined || error === null) {
      if (isRecord(result)) return { result };
      const why = `The MCP server ${name} answered with ${kindOf(result)} in place of a result, which is an object.`;
      return refused(rpcCodes.internalError, why);
    }
    const { code, data } = isRecord(error) ? error : {};
    const answer = refused(typeof code === 'number' ? code : rpcCodes.internalError, secrets.redact(errorText(error)));
    return data === undefined || answer.error === undefined
      ? answer
      : { error: { ...answer.error, data: secrets.redactWithin(data) } };
  }

  #progress(params: unknown): void {
    if (isRecord(params)) this.#pending.get(ownId(params['progressToken']))?.progress?.(params);
  }
}

const cancelled: Outcome = refused(rpcCodes.cancelled, 'The call was cancelled.');

/** The id or token as we made it; some servers return it as a text. A list of one number is not an id, although `Number` reads it. */
const ownId = (id: unknown): number => (isId(id) ? Number(id) : Number.NaN);

/** The error of the system is the cause of what could not be started. */
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
