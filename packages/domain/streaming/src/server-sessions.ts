import {
  SdkError,
  type Clock,
  type HostContext,
  type JsonRpcMessage,
  type McpServer,
  type McpSession,
} from '@hexagent/ports';
import { within } from './within.ts';

/** How long servers may take to close. One that runs a program of its own needs some seconds to end it. */
const closingMs = 5000;

export interface ServerSessionsParts {
  readonly servers: readonly McpServer[];
  readonly clock: Clock;
  /** Says something to the agent in the name of a server. */
  readonly send: (server: string, message: JsonRpcMessage) => Promise<unknown>;
}

/** The in-process servers of one conversation; each is opened when the agent first speaks to it. */
export class ServerSessions {
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #sessions = new Map<string, Promise<McpSession>>();
  readonly #clock: Clock;
  readonly #send: ServerSessionsParts['send'];

  constructor({ servers, clock, send }: ServerSessionsParts) {
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    if (this.#servers.size < servers.length)
      throw new TypeError(`Two in-process servers share a name: ${servers.map(({ name }) => name).join(', ')}.`);
    this.#clock = clock;
    this.#send = send;
  }

  async handle(name: string, message: JsonRpcMessage, context: HostContext): Promise<JsonRpcMessage | undefined> {
    return await (await this.#session(name)).handle(message, context);
  }

  /** Resolves when all sessions are closed, or have had their time for it. Never rejects. */
  async close(): Promise<void> {
    // A session that could not be opened has nothing to close.
    const closed = Promise.allSettled([...this.#sessions.values()].map(async (session) => (await session).close()));
    // They are the program's own code, and may hang in opening as in closing.
    await within(closingMs, closed, this.#clock);
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
    return await server.open({ send: async (message) => void (await this.#send(server.name, message)) });
  }
}
