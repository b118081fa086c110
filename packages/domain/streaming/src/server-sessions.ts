import { SdkError, type HostContext, type JsonRpcMessage, type McpServer, type McpSession } from '@hexagent/ports';

/** The in-process servers of one conversation; each is opened when the agent first speaks to it. */
export class ServerSessions {
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #sessions = new Map<string, Promise<McpSession>>();
  readonly #send: (server: string, message: JsonRpcMessage) => Promise<unknown>;
  #closed = false;

  constructor(servers: readonly McpServer[], send: (server: string, message: JsonRpcMessage) => Promise<unknown>) {
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    if (this.#servers.size < servers.length)
      throw new TypeError(`Two in-process servers share a name: ${servers.map(({ name }) => name).join(', ')}.`);
    this.#send = send;
  }

  async handle(name: string, message: JsonRpcMessage, context: HostContext): Promise<JsonRpcMessage | undefined> {
    return await (await this.#session(name)).handle(message, context);
  }

  /** Resolves when all sessions are closed. Never rejects. */
  async close(): Promise<void> {
    this.#closed = true;
    // A session that could not be opened has nothing to close.
    await Promise.allSettled([...this.#sessions.values()].map(async (session) => (await session).close()));
  }

  #session(name: string): Promise<McpSession> {
    const server = this.#servers.get(name);
    if (this.#closed || server === undefined) {
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
