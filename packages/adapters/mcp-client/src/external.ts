import type { Clock, McpClientSide, McpServer, McpServerFailure, McpSession } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { checkOptions } from './check-options.ts';
import { Dialler, type BackOff } from './dialler.ts';
import { linkHttp } from './http-link.ts';
import { isInherited } from './inherited-environment.ts';
import type { Fields } from './json-rpc.ts';
import { ProxySession, type Shared } from './proxy-session.ts';
import { Secrets } from './secrets.ts';
import { linkStdio } from './stdio-link.ts';
import type { ExternalOptions } from './server-options.ts';
import { ServerRequests } from './server-requests.ts';
import type { ServerStatus } from './server-status.ts';
import { ToolView } from './tool-view.ts';
import type { Upstream } from './upstream.ts';

/** The longest that the agent's timer can wait, and no limit at all: the time of a tool is limited here, by `tools.timeoutMs`. */
const noLimitMs = 2 ** 31 - 1;

/** An external server, ready to be handed to any number of sessions. */
export interface ExternalServer extends McpServer {
  open(client: McpClientSide): McpSession;
  /** Why it does not work now. */
  failure(): McpServerFailure | undefined;
  /** How it is now. */
  readonly status: ServerStatus;
  /**
   * Makes the connection before a session needs it. It then stays until the last session that uses it is closed, or `close()`.
   * @throws {SdkError} `MCP_SERVER_FAILED`, `MCP_AUTH_NEEDED` or `MCP_SDK_MISSING`.
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

/**
 * Makes a server ready that this process will start or connect to when an agent first sends it a message, and end or leave
 * when the last session that used it is closed. All sessions share the one connection.
 * @throws {TypeError} for an unknown option or one of a wrong type, naming it.
 */
export function external(options: ExternalOptions): ExternalServer {
  return new DialledServer(checkOptions(options));
}

class DialledServer implements ExternalServer, Shared {
  readonly name: string;
  // Without it the agent ends a call after the time in its own settings, whatever progress the server reports.
  readonly config: McpServer['config'] = { timeout: noLimitMs };
  readonly clock: Clock;
  readonly tools: ToolView | undefined;
  readonly #sessions = new Set<ProxySession>();
  readonly #dialler: Dialler;

  constructor(options: ExternalOptions) {
    const { name, clock = systemClock, connectTimeoutMs = 60_000, reconnect, onStatus } = options;
    const { tools, elicitor, sampler } = options;
    this.name = name;
    const secrets = secretsOf(options);
    this.clock = clock;
    this.tools =
      tools === undefined ? undefined : new ToolView(tools, (what) => this.#mistaken(`external(): ${name}: ${what}`));
    const onMistake = (what: string, cause?: unknown): void => this.#mistaken(what, cause);
    const requests = new ServerRequests({ name, elicitor, sampler, onMistake });
    this.#dialler = new Dialler({
      name,
      secrets,
      clock,
      connectTimeoutMs,
      reconnect: backOffOf(reconnect),
      link: (handlers) =>
        'url' in options
          ? linkHttp({ server: options, secrets, clock, ...handlers })
          : linkStdio(options, { ...handlers, secrets }),
      capabilities: requests.capabilities,
      onRequest: (...request) => requests.answer(...request),
      onStatus,
      onBroken: (why) => this.#forEach((session) => session.failed(why)),
      onConnected: (...connected) => this.#forEach((session) => session.connected(...connected)),
      onAnnounced: (notification) => this.#forEach((session) => session.announce(notification)),
    });
  }

  get status(): ServerStatus {
    return this.#dialler.status;
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
    await this.#dialler.connect();
  }

  async finishAuth(code: string): Promise<void> {
    if (typeof code !== 'string' || code === '') throw new TypeError('finishAuth() needs the code, a string.');
    await this.#dialler.finishAuth(code);
  }

  upstream(introduced?: Fields): Upstream {
    return this.#dialler.upstream(introduced);
  }

  async left(session: ProxySession): Promise<void> {
    // One that is closed twice must not end a connection that others have made since.
    if (this.#sessions.delete(session) && this.#sessions.size === 0) await this.#dialler.hangUp();
  }

  async close(): Promise<void> {
    this.#forEach((session) => session.end());
    this.#sessions.clear();
    await this.#dialler.hangUp();
  }

  /** One server made one mistake, whatever number of sessions there is. */
  #mistaken(what: string, cause?: unknown): void {
    const [session] = this.#sessions;
    session?.mistaken(what, cause);
  }

  #forEach(act: (session: ProxySession) => void): void {
    for (const session of this.#sessions) act(session);
  }
}

function backOffOf(given: ExternalOptions['reconnect']): BackOff {
  const { attempts = 5, delayMs = 500, maxDelayMs = 30_000 } = given === false ? { attempts: 0 } : (given ?? {});
  return { attempts, delayMs, maxDelayMs };
}

function secretsOf(options: ExternalOptions): Secrets {
  const secrets = new Secrets();
  if ('url' in options) {
    for (const value of Object.values(options.headers ?? {})) secrets.add(value);
    const { pathname, searchParams } = new URL(options.url);
    for (const value of searchParams.values()) secrets.add(value);
    // Some services have the key in the path.
    for (const part of pathname.split('/')) if (part.length >= 16) secrets.add(part);
  } else {
    // A path of ours is no secret, and belongs into the message about a program that is not found.
    for (const [name, value] of Object.entries(options.env ?? {})) if (!isInherited(name)) secrets.add(value);
  }
  return secrets;
}
