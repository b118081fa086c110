import type { McpClientSide, McpServer, McpSession } from '@hexagent/ports';
import { checkOptions } from './check-options.ts';
import { linkHttp } from './http-link.ts';
import { isInherited } from './inherited-environment.ts';
import type { Fields } from './json-rpc.ts';
import type { Link, LinkHandlers } from './link.ts';
import { ProxySession, type Shared } from './proxy-session.ts';
import { Secrets } from './secrets.ts';
import { linkStdio } from './stdio-link.ts';
import type { ExternalOptions } from './server-options.ts';
import { systemClock } from './system-clock.ts';
import { Upstream } from './upstream.ts';

/** An external server, ready to be handed to any number of sessions. */
export interface ExternalServer extends McpServer {
  open(client: McpClientSide): McpSession;
  /** Ends the server and all its sessions. A session opened later starts it again. Safe to call twice; never rejects. */
  close(): Promise<void>;
}

/**
 * Makes a server ready that this process will start or connect to when an agent first speaks to it, and end or leave
 * when the last session that used it is closed. All sessions share the one connection.
 * @throws {TypeError} for an option that is not known or of a wrong type, naming it.
 */
export function external(options: ExternalOptions): ExternalServer {
  checkOptions(options);
  // A copy: what is changed afterwards was not checked.
  return new DialledServer({ ...options });
}

/** The introduction to a server that gets a request before an agent introduced itself. */
const introduction: Fields = { protocolVersion: '2025-11-25', clientInfo: { name: 'hexagent', version: '0' } };

class DialledServer implements ExternalServer, Shared {
  readonly name: string;
  readonly #options: ExternalOptions;
  readonly #secrets: Secrets;
  readonly #sessions = new Set<ProxySession>();
  #upstream: Upstream | undefined;

  constructor(options: ExternalOptions) {
    this.name = options.name;
    this.#options = options;
    this.#secrets = secretsOf(options);
  }

  open(client: McpClientSide): McpSession {
    const session = new ProxySession(this, client);
    this.#sessions.add(session);
    return session;
  }

  upstream(introduced?: Fields): Upstream {
    const known = this.#upstream;
    // A server that has gone is started again for an `initialize`, as after a reconnect; other requests fail with the reason.
    if (known !== undefined && (known.gone === undefined || introduced === undefined)) return known;
    this.#upstream = new Upstream({
      name: this.name,
      secrets: this.#secrets,
      link: (handlers) => this.#link(handlers),
      // Requests of the server cannot be relayed: it is not known for which of the agents they are.
      introduction: { ...introduction, ...introduced, capabilities: {} },
      ended: ({ message, wasReady }) => {
        // Before that, the agent is answered, and reports it.
        if (wasReady) for (const session of this.#sessions) session.failed(message);
      },
      announced: (notification) => {
        for (const session of this.#sessions) session.announce(notification);
      },
    });
    return this.#upstream;
  }

  async left(session: ProxySession): Promise<void> {
    this.#sessions.delete(session);
    if (this.#sessions.size === 0) await this.#hangUp();
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.end();
    this.#sessions.clear();
    await this.#hangUp();
  }

  #link(handlers: LinkHandlers & { readonly signal: AbortSignal }): Promise<Link> {
    if (!('url' in this.#options)) return linkStdio(this.#options, handlers);
    return linkHttp({ server: this.#options, secrets: this.#secrets, clock: systemClock, ...handlers });
  }

  async #hangUp(): Promise<void> {
    const upstream = this.#upstream;
    this.#upstream = undefined;
    await upstream?.close();
  }
}

function secretsOf(options: ExternalOptions): Secrets {
  const secrets = new Secrets();
  if ('url' in options) {
    for (const value of Object.values(options.headers ?? {})) secrets.add(value);
    for (const value of new URL(options.url).searchParams.values()) secrets.add(value);
  } else {
    // A path of ours is no secret, and belongs into the message about a program that is not found.
    for (const [name, value] of Object.entries(options.env ?? {})) if (!isInherited(name)) secrets.add(value);
  }
  return secrets;
}
