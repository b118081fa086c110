import { randomUUID } from 'node:crypto';
import type { Clock, JsonRpcMessage } from '@hexagent/ports';
import { attempt, onAbort, settledWithin } from '@hexagent/async';
import { Exchange, exchanges } from './exchange.ts';
import { guardFetch, type FetchGuard } from './guarded-fetch.ts';
import { toEnding } from './http-failure.ts';
import type { HttpServer } from './server-options.ts';
import type { Ending, Link, LinkHandlers } from './link.ts';
import { loadTransport, type LoadedTransport } from './mcp-sdk.ts';
import type { Secrets } from './secrets.ts';
import { observedProvider, SignIn } from './sign-in.ts';

/** How long a server may take to delete a session that ends. */
const farewellMs = 1000;
/** How long a request may take by which a token is got or refreshed. */
const signInMs = 30_000;
/** The least time between two streams of which the first ended. */
const paceMs = 200;

export interface HttpLinkOptions extends LinkHandlers {
  readonly server: HttpServer;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Aborts when the link is no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * Connects to a server by HTTP, through the transports of the MCP SDK.
 * @throws {SdkError} `MCP_SDK_MISSING` when it is not installed.
 */
export async function linkHttp(options: HttpLinkOptions): Promise<Link> {
  const link = new HttpLink(options);
  await link.start();
  return link;
}

class HttpLink implements Link {
  readonly #options: HttpLinkOptions;
  readonly #exchanges = new Map<number, Exchange>();
  readonly #marker = `hexagent/${randomUUID()}`;
  readonly #provider: HttpServer['authProvider'];
  readonly #signIn: SignIn | undefined;
  #loaded: LoadedTransport | undefined;
  #authorizationUrl: string | undefined;
  #finish: ((code: string) => Promise<void>) | undefined;
  #isOver = false;
  #lastStreamAt = Number.NEGATIVE_INFINITY;

  constructor(options: HttpLinkOptions) {
    this.#options = options;
    const { authProvider } = options.server;
    if (authProvider === undefined) return;
    const redirected = (url: string): void => void (this.#authorizationUrl = url);
    this.#provider = observedProvider(authProvider, { secrets: options.secrets, redirected });
    this.#signIn = new SignIn(this.#provider);
  }

  async start(): Promise<void> {
    const { server, secrets, clock, signal, onUnanswered } = this.#options;
    const guard: FetchGuard = {
      server,
      secrets,
      marker: this.#marker,
      signIn: this.#signIn,
      signInLimit: () => {
        const late = new AbortController();
        const cancel = clock.after(signInMs, () => late.abort(new Error(`nothing came within ${signInMs} ms`)));
        return { signal: late.signal, cancel };
      },
      onUnanswered,
      pace: () => this.#pace(),
    };
    this.#loaded = await loadTransport(server, this.#provider, guardFetch(guard));
    const { transport } = this.#loaded;
    // The transport stores the address for signing in from the server's response, so it is used although it is closed.
    if (this.#signIn !== undefined) this.#finish = async (code) => await transport.finishAuth(code);
    const handlers: Pick<typeof transport, 'onmessage' | 'onerror'> = {
      onmessage: (message) => this.#read(message),
      onerror: (error) => this.#trouble(error),
    };
    Object.assign(transport, handlers);
    try {
      await Promise.race([exchanges.run(undefined, () => transport.start()), aborted(signal)]);
    } catch (error) {
      this.#end(this.#toEnding(error));
      await this.close();
    }
  }

  async send(message: JsonRpcMessage): Promise<void> {
    const id = typeof message.id === 'number' && message.method !== undefined ? message.id : undefined;
    const isStreamable = this.#options.server.type !== 'sse';
    const exchange = new Exchange(id);
    if (id !== undefined && isStreamable) this.#exchanges.set(id, exchange);
    try {
      // The types of the MCP SDK are more exact about the messages of the protocol.
      const sent = message as Parameters<LoadedTransport['transport']['send']>[0];
      await exchanges.run(exchange, () => this.#loaded?.transport.send(sent));
      // The one body that could hold the answer has been read.
      if (id !== undefined && isStreamable && !exchange.isStreamed)
        this.#options.onUnanswered(id, { why: 'did not answer: its response holds no answer to the request.' });
    } catch (error) {
      this.#failed(exchange, error);
    } finally {
      this.#signIn?.leave(exchange);
    }
  }

  release(id: number): void {
    this.#exchanges.get(id)?.end();
    this.#exchanges.delete(id);
  }

  introduced({ protocolVersion }: Readonly<Record<string, unknown>>): void {
    if (typeof protocolVersion === 'string') this.#loaded?.transport.setProtocolVersion?.(protocolVersion);
  }

  async close(): Promise<void> {
    const transport = this.#loaded?.transport;
    this.#loaded = undefined;
    this.#signIn?.end();
    if (transport === undefined) return;
    for (const exchange of this.#exchanges.values()) exchange.end();
    this.#exchanges.clear();
    // A server that has ended the link has dropped the session.
    if (!this.#isOver)
      await settledWithin(
        farewellMs,
        attempt(() => transport.terminateSession?.()),
        this.#options.clock,
      );
    this.#isOver = true;
    await transport.close().catch(() => {});
  }

  #read(message: object): void {
    const received = message as JsonRpcMessage; // the MCP SDK has checked it
    if (received.method !== this.#marker) return this.#options.onMessage(received);
    const { id, why } = received.params as { readonly id?: number; readonly why: string };
    if (id === undefined) this.#end({ why });
    else this.#options.onUnanswered(id, { why });
  }

  #failed({ id, signal }: Exchange, error: unknown): void {
    if (signal.aborted) return;
    const ending = this.#toEnding(error);
    // This refusal is reported first, since the end of the link rejects all other requests.
    if (id !== undefined && ending.auth === undefined) this.#options.onUnanswered(id, ending);
    if (ending.auth !== undefined || ending.isForgotten === true) this.#end(ending);
    else if (ending.httpStatus === undefined) this.#options.onSuspect();
  }

  /** What goes wrong beside requests: the stream on which the server reports, and events that are not messages. */
  #trouble(error: Error): void {
    // A request that fails reports that itself.
    if (exchanges.getStore()?.id !== undefined) return;
    const ending = this.#toEnding(error);
    if (ending.isForgotten === true) this.#end(ending);
    else if (/^(?:SSE stream disconnected|Failed to reconnect)/.test(error.message)) this.#options.onSuspect();
  }

  #toEnding(error: unknown): Ending {
    const auth = { url: this.#authorizationUrl, finish: this.#finish };
    if (this.#loaded?.isUnauthorized(error) === true)
      return { why: 'needs a person to let this client in.', httpStatus: 401, auth };
    const ending = toEnding(error, this.#options.secrets);
    if (ending.httpStatus === 401) return { ...ending, auth };
    return this.#isForgotten(ending) ? { ...ending, isForgotten: true } : ending;
  }

  /** As after a restart of the server: the specification has 404 for it, some answer 400. */
  #isForgotten({ httpStatus, why }: Ending): boolean {
    if (this.#loaded?.transport.sessionId === undefined) return false;
    return httpStatus === 404 || (httpStatus === 400 && /session/i.test(why));
  }

  #end(why: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#signIn?.end();
    this.#options.onEnd(why);
  }

  async #pace(): Promise<void> {
    const { clock } = this.#options;
    const left = this.#lastStreamAt + paceMs - clock.now();
    this.#lastStreamAt = clock.now() + Math.max(left, 0);
    if (left > 0) await new Promise<void>((resolve) => void clock.after(left, resolve));
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => void onAbort(signal, reject));
}
