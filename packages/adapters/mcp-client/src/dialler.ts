import { errorText } from '@hexagent/checks';
import { SdkError, type Clock, type JsonRpcMessage } from '@hexagent/ports';
import { notify } from '@hexagent/async';
import type { Fields } from './json-rpc.ts';
import type { Link, LinkHandlers } from './link.ts';
import type { Answerer } from './requests-of-server.ts';
import type { Secrets } from './secrets.ts';
import type { ServerFailure, ServerStatus } from './server-status.ts';
import { Upstream, type UpstreamEnd } from './upstream.ts';

export interface DiallerOptions {
  readonly name: string;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  readonly reconnect: BackOff;
  readonly link: (handlers: LinkHandlers & { readonly signal: AbortSignal }) => Promise<Link>;
  /** What the server may ask of us. */
  readonly capabilities: Fields;
  readonly onRequest: Answerer;
  readonly onStatus: ((status: ServerStatus) => unknown) | undefined;
  /** The connection that worked is gone. */
  readonly onBroken: (why: string) => void;
  /** There is a connection; `wasBroken`: again, for sessions that have been notified of its loss. */
  readonly onConnected: (introduction: Fields, wasBroken: boolean) => void;
  readonly onAnnounced: (notification: JsonRpcMessage) => void;
}

/** Pauses that double from one attempt to the next. */
export interface BackOff {
  readonly attempts: number;
  readonly delayMs: number;
  readonly maxDelayMs: number;
}

/** The introduction to a server that gets a request before an agent introduced itself. */
const ownIntroduction: Fields = { protocolVersion: '2025-11-25', clientInfo: { name: 'hexagent', version: '0' } };

/** Keeps one connection to a server: makes it when it is needed, and anew when it breaks, with growing pauses. */
export class Dialler {
  readonly #options: DiallerOptions;
  #introduction: Fields = ownIntroduction;
  #upstream: Upstream | undefined;
  #status: ServerStatus = { state: 'idle' };
  #attempt = 0;
  /** There was a connection for the sessions that there are, and they were notified of its loss. */
  #isBroken = false;
  #finishAuth: ((code: string) => Promise<void>) | undefined;
  #connectedAt = 0;
  #cancelRetry: (() => void) | undefined;

  constructor(options: DiallerOptions) {
    this.#options = options;
  }

  get status(): ServerStatus {
    return this.#status;
  }

  /**
   * The connection, opened if there is none. One that has gone is kept, with the reason, until it is opened again: after a
   * pause, or at once for a client that sends `initialize`.
   */
  upstream(introduced?: Fields): Upstream {
    const current = this.#upstream;
    const mayDial = introduced !== undefined && !this.#isSigningIn;
    if (current !== undefined && (current.gone === undefined || !mayDial)) return current;
    return this.#dialFor({ ...ownIntroduction, ...introduced });
  }

  /** @throws {SdkError} `MCP_SERVER_FAILED`, `MCP_AUTH_NEEDED` or `MCP_SDK_MISSING`; the status has the details. */
  async connect(): Promise<void> {
    const current = this.#upstream?.gone === undefined ? this.#upstream : undefined;
    await (current ?? this.#dialFor(this.#introduction)).ready.catch((cause: unknown) => {
      throw this.#toError(cause);
    });
  }

  /** A person is on a page: another one would take its meaning from the code that the person comes back with. */
  get #isSigningIn(): boolean {
    return this.#status.state === 'auth' && this.#status.url !== undefined;
  }

  #dialFor(introduction: Fields): Upstream {
    this.#introduction = introduction;
    this.#attempt = 0;
    return this.#dial();
  }

  /** @throws {SdkError} `MCP_AUTH_NEEDED` where no sign-in has begun, or the code is refused. */
  async finishAuth(code: string): Promise<void> {
    const { name, secrets } = this.#options;
    const finish = this.#finishAuth;
    secrets.add(code);
    if (finish === undefined)
      throw new SdkError(
        'MCP_AUTH_NEEDED',
        `Nobody has begun to sign in to the MCP server ${name}, so there is nothing to finish.`,
      );
    try {
      await finish(code);
    } catch (error) {
      throw new SdkError(
        'MCP_AUTH_NEEDED',
        secrets.redact(`The sign-in to the MCP server ${name} failed: ${errorText(error)}`),
      );
    }
    await this.connect();
  }

  /** Ends the connection, and all that was to come. Never rejects. */
  async hangUp(): Promise<void> {
    const upstream = this.#upstream;
    this.#upstream = undefined;
    this.#cancelRetry?.();
    this.#attempt = 0;
    this.#isBroken = false;
    this.#finishAuth = undefined;
    if (this.#status.state !== 'idle') this.#report({ state: 'idle' });
    await upstream?.close();
  }

  #dial(): Upstream {
    const { name, secrets, clock, connectTimeoutMs, link, capabilities, onRequest, onAnnounced } = this.#options;
    this.#cancelRetry?.();
    const upstream = new Upstream({
      name,
      secrets,
      clock,
      connectTimeoutMs,
      link,
      introduction: { ...this.#introduction, capabilities },
      onReady: (introduction) => this.#connected(introduction),
      onEnd: (end) => this.#ended(upstream, end),
      onRequest,
      onAnnounced,
    });
    this.#upstream = upstream;
    this.#report({ state: 'connecting' });
    return upstream;
  }

  #connected(introduction: Fields): void {
    this.#connectedAt = this.#options.clock.now();
    this.#report({ state: 'connected', introduction });
    const wasBroken = this.#isBroken;
    this.#isBroken = false;
    this.#options.onConnected(introduction, wasBroken);
  }

  #ended(upstream: Upstream, end: UpstreamEnd): void {
    if (this.#upstream !== upstream) return;
    const { message, wasReady, exit, httpStatus, auth, error } = end;
    const { secrets, clock, reconnect, onBroken } = this.#options;
    const failure: ServerFailure = {
      why: message,
      exit: exit === undefined ? undefined : { ...exit, stderr: secrets.redact(exit.stderr) },
      httpStatus,
      error,
    };
    // A server that breaks as soon as it is connected must not be tried for ever.
    if (wasReady && clock.now() - this.#connectedAt >= reconnect.maxDelayMs) this.#attempt = 0;
    if (auth !== undefined) {
      this.#finishAuth = auth.finish;
      this.#report({ state: 'auth', ...failure, url: auth.url });
    } else if ((wasReady || this.#attempt > 0) && this.#attempt < reconnect.attempts) this.#retry(failure, end);
    else this.#report({ state: 'failed', ...failure });
    // Before it is connected the first time, the agent is answered, and reports it.
    if (!wasReady) return;
    this.#isBroken = true;
    onBroken(message);
  }

  #retry(failure: ServerFailure, { isForgotten }: UpstreamEnd): void {
    const { clock, reconnect } = this.#options;
    const { attempts, delayMs, maxDelayMs } = reconnect;
    // A server that no longer has the session still runs, and what it refused can be asked again.
    const inMs = isForgotten === true && this.#attempt === 0 ? 0 : Math.min(delayMs * 2 ** this.#attempt, maxDelayMs);
    this.#attempt += 1;
    const reported: ServerStatus = { state: 'reconnecting', ...failure, attempt: this.#attempt, attempts, inMs };
    this.#report(reported);
    // A listener may have closed the server, or connected it again.
    if (this.#status !== reported) return;
    if (inMs === 0) this.#dial();
    else this.#cancelRetry = clock.after(inMs, () => void this.#dial());
  }

  #toError(cause: unknown): SdkError {
    const status = this.#status;
    if ('error' in status && status.error !== undefined) return status.error;
    const code = status.state === 'auth' ? 'MCP_AUTH_NEEDED' : 'MCP_SERVER_FAILED';
    return new SdkError(code, 'why' in status ? status.why : `The MCP server ${this.#options.name} was closed.`, {
      cause,
    });
  }

  #report(status: ServerStatus): void {
    this.#status = status;
    const { onStatus } = this.#options;
    if (onStatus !== undefined) notify(() => onStatus(status));
  }
}
