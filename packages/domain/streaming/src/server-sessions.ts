import {
  errorText,
  SdkError,
  type Clock,
  type HostContext,
  type JsonRpcMessage,
  type McpServer,
  type McpSession,
} from '@hexagent/ports';
import { handled } from '@hexagent/async';
import type { ServerFailures } from './server-failures.ts';
import { within } from './within.ts';

/** How long servers may take to close. One that runs a program of its own needs some seconds to end it. */
const closingMs = 5000;

export interface ServerSessionsParts {
  readonly servers: readonly McpServer[];
  readonly clock: Clock;
  /** Says something to the agent in the name of a server. */
  readonly send: (server: string, message: JsonRpcMessage) => Promise<unknown>;
  readonly failures: ServerFailures;
}

/** The in-process servers of one conversation; each is opened when the agent first speaks to it. */
export class ServerSessions {
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #sessions = new Map<string, Promise<McpSession>>();
  readonly #clock: Clock;
  readonly #send: ServerSessionsParts['send'];
  readonly #failures: ServerFailures;

  constructor({ servers, clock, send, failures }: ServerSessionsParts) {
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    if (this.#servers.size < servers.length)
      throw new TypeError(`Two in-process servers share a name: ${servers.map(({ name }) => name).join(', ')}.`);
    this.#clock = clock;
    this.#send = send;
    this.#failures = failures;
  }

  async handle(name: string, message: JsonRpcMessage, context: HostContext): Promise<JsonRpcMessage | undefined> {
    try {
      const reply = await (await this.#session(name)).handle(message, context);
      if (message.method === 'initialize') this.#introduced(name, reply);
      return reply;
    } catch (error) {
      // Whoever calls us warns of it.
      if (message.method === 'initialize') this.#failures.note(name, errorText(error));
      throw error;
    }
  }

  /** Resolves when all sessions are closed, or have had their time for it. Never rejects. */
  async close(): Promise<void> {
    // A session that could not be opened has nothing to close.
    const closed = Promise.allSettled([...this.#sessions.values()].map(async (session) => (await session).close()));
    // They are the program's own code, and may hang in opening as in closing.
    await within(closingMs, closed, this.#clock);
  }

  #introduced(name: string, reply: JsonRpcMessage | undefined): void {
    if (reply?.error === undefined) this.#failures.works(name);
    else this.#failures.failed(name, errorText(reply.error));
  }

  #session(name: string): Promise<McpSession> {
    const server = this.#servers.get(name);
    if (server === undefined) {
      return Promise.reject(new SdkError('REQUEST_FAILED', `SDK MCP server not found: ${name}`));
    }
    const known = this.#sessions.get(name);
    if (known !== undefined) return known;
    const opened = this.#open(server);
    this.#sessions.set(name, opened);
    // The agent repeats the handshake, and the next try may succeed.
    opened.catch(() => this.#sessions.delete(name));
    return opened;
  }

  async #open(server: McpServer): Promise<McpSession> {
    const { name } = server;
    return await server.open({
      send: (message) => handled(this.#tell(name, message)),
      failed: (why, cause) => this.#failures.failed(name, why, cause),
      mistaken: (what, cause) => this.#failures.mistaken(name, what, cause),
    });
  }

  async #tell(name: string, message: JsonRpcMessage): Promise<void> {
    await this.#send(name, message);
  }
}
