import { notify } from '@hexagent/async';
import { errorText } from '@hexagent/checks';
import {
  SdkError,
  type Clock,
  type McpClientSide,
  type McpServer,
  type McpServerFailure,
  type McpSession,
} from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { linkHttp } from './http-link.ts';
import type { Fields } from './json-rpc.ts';
import { ProxySession, type Shared } from './proxy-session.ts';
import { secretsOf, type Secrets } from './secrets.ts';
import type { ExternalOptions } from './server-options.ts';
import { ServerRequests } from './server-requests.ts';
import type { ServerFailure, ServerStatus } from './server-status.ts';
import { linkStdio } from './stdio-link.ts';
import { ToolView } from './tool-view.ts';
import { Upstream, type UpstreamEnd } from './upstream.ts';

/** The longest that the agent's timer can wait, and no limit at all: the time of a tool is limited here, by `tools.timeoutMs`. */
const noLimitMs = 2 ** 31 - 1;

/** The introduction to a server that gets a request before an agent introduced itself. */
const ownIntroduction: Fields = { protocolVersion: '2025-11-25', clientInfo: { name: 'hexagent', version: '0' } };

/** An external server, ready to be handed to any number of sessions. */
export interface ExternalServer extends McpServer {
  open(client: McpClientSide): McpSession;
  /** Why it does not work now. */
  failure(): McpServerFailure | undefined;
  /** How it is now. */
  readonly status: ServerStatus;
  /**
   * Makes the connection before a session needs it. It then stays until the last session that uses it is closed, or `close()`.
   * @throws {SdkError} `MCP_SERVER_FAILED`, `MCP_AUTH_NEEDED` or `MCP_SDK_MISSING`; the status has the details.
   */
  connect(): Promise<void>;
  /**
   * Continues after a person has let this client in, with the code that the person came back with; then connects.
   * @throws {SdkError} `MCP_AUTH_NEEDED` where no sign-in has begun, or the code is refused; else as `connect()`.
   */
  finishAuth(code: string): Promise<void>;
  /** Ends the server and all its sessions. A session opened later starts it again. Safe to call twice; never rejects. */
  close(): Promise<void>;
}

/** Keeps one connection for all sessions: makes it when it is needed, and anew when it breaks, with growing pauses. */
export class DialledServer implements ExternalServer, Shared {
  readonly name: string;
  // Without it the agent ends a call after the time in its own settings, whatever progress the server reports.
  readonly config: McpServer['config'] = { timeout: noLimitMs };
  readonly clock: Clock;
  readonly tools: ToolView | undefined;
  readonly #options: ExternalOptions;
  readonly #secrets: Secrets;
  readonly #requests: ServerRequests;
  readonly #reconnect: { readonly attempts: number; readonly delayMs: number; readonly maxDelayMs: number };
  readonly #sessions = new Set<ProxySession>();
  #introduction: Fields = ownIntroduction;
  #upstream: Upstream | undefined;
  #status: ServerStatus = { state: 'idle' };
  #attempt = 0;
  /** There was a connection for the sessions that there are, and they were notified of its loss. */
  #isBroken = false;
  #finishAuth: ((code: string) => Promise<void>) | undefined;
  #connectedAt = 0;
  #cancelRetry: (() => void) | undefined;

  constructor(options: ExternalOptions) {
    const { name, clock = systemClock, reconnect, tools, elicitor, sampler } = options;
    this.#options = options;
    this.#secrets = secretsOf(options);
    const {
      attempts = 5,
      delayMs = 500,
      maxDelayMs = 30_000,
    } = reconnect === false ? { attempts: 0 } : (reconnect ?? {});
    this.#reconnect = { attempts, delayMs, maxDelayMs };
    this.name = name;
    this.clock = clock;
    this.tools = tools && new ToolView(tools, (what) => this.#mistaken(`external(): ${name}: ${what}`));
    const onMistake = (what: string, cause?: unknown): void => this.#mistaken(what, cause);
    this.#requests = new ServerRequests({ name, elicitor, sampler, onMistake });
  }

  get status(): ServerStatus {
    return this.#status;
  }

  failure(): McpServerFailure | undefined {
    const { status } = this;
    if (!('why' in status)) return undefined;
    const { why, exit, httpStatus } = status;
    return { why, exit, httpStatus, ...(status.state === 'auth' && { auth: { url: status.url } }) };
  }

  open(client: McpClientSide): McpSession {
    const session = new ProxySession(this, client);
    this.#sessions.add(session);
    return session;
  }

  async connect(): Promise<void> {
    const current = this.#upstream?.gone === undefined ? this.#upstream : undefined;
    await (current ?? this.#dialFor(this.#introduction)).ready.catch((cause: unknown) => {
      throw this.#toError(cause);
    });
  }

  async finishAuth(code: string): Promise<void> {
    if (typeof code !== 'string' || code === '') throw new TypeError('finishAuth() needs the code, a string.');
    const finish = this.#finishAuth;
    this.#secrets.add(code);
    if (finish === undefined)
      throw new SdkError(
        'MCP_AUTH_NEEDED',
        `Nobody has begun to sign in to the MCP server ${this.name}, so there is nothing to finish.`,
      );
    try {
      await finish(code);
    } catch (error) {
      const message = `The sign-in to the MCP server ${this.name} failed: ${errorText(error)}`;
      throw new SdkError('MCP_AUTH_NEEDED', this.#secrets.redact(message));
    }
    await this.connect();
  }

  /**
   * The connection, opened if there is none. One that has gone is kept, with the reason, until it is opened again: after a
   * pause, or at once for a client that sends `initialize`.
   */
  upstream(introduced?: Fields): Upstream {
    const current = this.#upstream;
    // A person who signs in is on a page: another one would take its meaning from the code that the person comes back with.
    const isSigningIn = this.#status.state === 'auth' && this.#status.url !== undefined;
    const mayDial = introduced !== undefined && !isSigningIn;
    if (current !== undefined && (current.gone === undefined || !mayDial)) return current;
    return this.#dialFor({ ...ownIntroduction, ...introduced });
  }

  async left(session: ProxySession): Promise<void> {
    // One that is closed twice must not end a connection that others have made since.
    if (this.#sessions.delete(session) && this.#sessions.size === 0) await this.#hangUp();
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.end();
    this.#sessions.clear();
    await this.#hangUp();
  }

  /** Ends the connection, and all that was to come. Never rejects. */
  async #hangUp(): Promise<void> {
    const upstream = this.#upstream;
    this.#upstream = undefined;
    this.#cancelRetry?.();
    this.#attempt = 0;
    this.#isBroken = false;
    this.#finishAuth = undefined;
    if (this.#status.state !== 'idle') this.#report({ state: 'idle' });
    await upstream?.close();
  }

  #dialFor(introduction: Fields): Upstream {
    this.#introduction = introduction;
    this.#attempt = 0;
    return this.#dial();
  }

  #dial(): Upstream {
    this.#cancelRetry?.();
    const { clock, name } = this;
    const [options, secrets] = [this.#options, this.#secrets];
    const upstream = new Upstream({
      name,
      secrets,
      clock,
      connectTimeoutMs: options.connectTimeoutMs ?? 60_000,
      link: (handlers) =>
        'url' in options
          ? linkHttp({ server: options, secrets, clock, ...handlers })
          : linkStdio(options, { ...handlers, secrets }),
      introduction: { ...this.#introduction, capabilities: this.#requests.capabilities },
      onReady: (introduction) => this.#connected(introduction),
      onEnd: (end) => this.#ended(upstream, end),
      onRequest: (...request) => this.#requests.answer(...request),
      onAnnounced: (notification) => {
        for (const session of this.#sessions) session.announce(notification);
      },
    });
    this.#upstream = upstream;
    this.#report({ state: 'connecting' });
    return upstream;
  }

  #connected(introduction: Fields): void {
    this.#connectedAt = this.clock.now();
    this.#report({ state: 'connected', introduction });
    const wasBroken = this.#isBroken;
    this.#isBroken = false;
    for (const session of this.#sessions) session.connected(introduction, wasBroken);
  }

  #ended(upstream: Upstream, end: UpstreamEnd): void {
    if (this.#upstream !== upstream) return;
    const { message, wasReady, exit, httpStatus, auth, error } = end;
    const failure: ServerFailure = {
      why: message,
      exit: exit === undefined ? undefined : { ...exit, stderr: this.#secrets.redact(exit.stderr) },
      httpStatus,
      error,
    };
    const { attempts, maxDelayMs } = this.#reconnect;
    // A server that breaks as soon as it is connected must not be tried for ever.
    if (wasReady && this.clock.now() - this.#connectedAt >= maxDelayMs) this.#attempt = 0;
    if (auth !== undefined) {
      this.#finishAuth = auth.finish;
      this.#report({ state: 'auth', ...failure, url: auth.url });
    } else if ((wasReady || this.#attempt > 0) && this.#attempt < attempts) this.#retry(failure, end);
    else this.#report({ state: 'failed', ...failure });
    // Before it is connected the first time, the agent is answered, and reports it.
    if (!wasReady) return;
    this.#isBroken = true;
    for (const session of this.#sessions) session.failed(message);
  }

  #retry(failure: ServerFailure, { isForgotten }: UpstreamEnd): void {
    const { attempts, delayMs, maxDelayMs } = this.#reconnect;
    // A server that no longer has the session still runs, and what it refused can be asked again.
    const inMs = isForgotten === true && this.#attempt === 0 ? 0 : Math.min(delayMs * 2 ** this.#attempt, maxDelayMs);
    this.#attempt += 1;
    const reported: ServerStatus = { state: 'reconnecting', ...failure, attempt: this.#attempt, attempts, inMs };
    this.#report(reported);
    // A listener may have closed the server, or connected it again.
    if (this.#status !== reported) return;
    if (inMs === 0) this.#dial();
    else this.#cancelRetry = this.clock.after(inMs, () => void this.#dial());
  }

  #toError(cause: unknown): SdkError {
    const status = this.#status;
    if ('error' in status && status.error !== undefined) return status.error;
    const code = status.state === 'auth' ? 'MCP_AUTH_NEEDED' : 'MCP_SERVER_FAILED';
    return new SdkError(code, 'why' in status ? status.why : `The MCP server ${this.name} was closed.`, { cause });
  }

  #report(status: ServerStatus): void {
    this.#status = status;
    const { onStatus } = this.#options;
    if (onStatus !== undefined) notify(() => onStatus(status));
  }

  /** One server made one mistake, whatever number of sessions there is. */
  #mistaken(what: string, cause?: unknown): void {
    const [session] = this.#sessions;
    session?.mistaken(what, cause);
  }
}
