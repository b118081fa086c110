import { errorText, isRecord } from '@hexagent/checks';
import {
  SdkError,
  type Clock,
  type FeatureControl,
  type HostContext,
  type JsonRpcMessage,
  type McpCallContext,
  type McpManifest,
  type McpServer,
  type McpSession,
  type ServerMessage,
} from '@hexagent/ports';
import { handled } from '@hexagent/async';
import type { ServerFailures } from './server-failures.ts';
import { Listings } from './listings.ts';
import { introductionProblem } from './introduction-problem.ts';
import { askInTime, type AskedServer } from './ask-in-time.ts';

export interface ServerSessionsParts {
  readonly servers: readonly McpServer[];
  readonly failures: ServerFailures;
  readonly clock: Clock;
}

/** The in-process servers of one conversation; each is opened by the agent's first message to it. */
export class ServerSessions {
  readonly #servers: Map<string, McpServer>;
  readonly #sessions = new Map<string, Promise<McpSession>>();
  /** Those that are open, each as it is asked. */
  readonly #open = new Map<string, AskedServer>();
  readonly #opened = new Set<McpSession>();
  readonly #failures: ServerFailures;
  readonly #listings: Listings;
  readonly #clock: Clock;
  /** Those that refused the agent, which counts them as failed and asks them no more. */
  readonly #refused = new Set<string>();
  #closed = false;
  #control: FeatureControl | undefined;

  constructor({ servers, failures, clock }: ServerSessionsParts) {
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    if (this.#servers.size < servers.length)
      throw new TypeError(`Two in-process servers share a name: ${servers.map(({ name }) => name).join(', ')}.`);
    this.#failures = failures;
    this.#listings = new Listings(failures);
    this.#clock = clock;
  }

  /** What the servers send goes this way. */
  attach(control: FeatureControl): void {
    this.#control = control;
    this.#listings.attached();
  }

  /** The agent has the tools of a server by its manifest, and asks for no list. */
  hasManifest(name: string, { toolsListResult }: McpManifest): void {
    this.#listings.check(name, { result: toolsListResult });
  }

  /** `null` when there is no such server. */
  handle(request: ServerMessage, context: HostContext): Promise<JsonRpcMessage | undefined> | null {
    const { server_name: name, message } = request;
    if (!this.#servers.has(name)) return null;
    const asked = this.#open.get(name);
    // A call costs no promise and no closure here: there may be thousands in a second.
    if (asked !== undefined && message.method !== 'initialize' && message.method !== 'tools/list')
      return Promise.resolve(askInTime(asked, message, context)); // a third-party session may return anything
    return this.#handleFirst(request, context);
  }

  async #handleFirst(
    { server_name: name, message }: ServerMessage,
    context: HostContext,
  ): Promise<JsonRpcMessage | undefined> {
    try {
      const reply = await askInTime(this.#asked(name, await this.#session(name)), message, context);
      // A session that is closed while a server starts has not seen it failing.
      if (message.method === 'initialize' && !context.signal.aborted) this.#introduced(name, reply, message);
      if (message.method === 'tools/list' && !context.signal.aborted) this.#listings.check(name, reply);
      return reply;
    } catch (error) {
      // The caller warns of it.
      if (message.method === 'initialize') this.#failures.note(name, errorText(error));
      throw error;
    }
  }

  get servers(): readonly McpServer[] {
    return [...this.#servers.values()];
  }

  get names(): readonly string[] {
    return [...this.#servers.keys()];
  }

  get hasAny(): boolean {
    return this.#servers.size > 0;
  }

  server(name: string): McpServer | undefined {
    return this.#servers.get(name);
  }

  add(server: McpServer): void {
    this.#servers.set(server.name, server);
  }

  /** The agent has it no more. Resolves when its session is closed, and does not wait for one that is still being opened. Never rejects. */
  async remove(name: string): Promise<void> {
    const opening = this.#sessions.get(name);
    const isOpen = this.#open.has(name);
    this.#servers.delete(name);
    this.#sessions.delete(name);
    this.#open.delete(name);
    this.#refused.delete(name);
    this.#failures.works(name);
    this.#listings.forget(name);
    const closed = opening?.then((session) => (this.#opened.delete(session), session.close())).catch(() => {});
    if (isOpen) await closed;
  }

  /**
   * Asks a server for the program, in the session that the agent has with it.
   * @throws {SdkError} `REQUEST_FAILED` for a server to which the agent has not sent `initialize`: it has no session yet.
   */
  async ask(name: string, message: JsonRpcMessage, context: McpCallContext): Promise<JsonRpcMessage | undefined> {
    const isKnown = this.#open.has(name) || this.#servers.get(name)?.manifest?.() !== undefined;
    if (!isKnown) {
      const why = this.#failures.why(name) ?? 'Await session.mcp.ready() first.';
      throw new SdkError('REQUEST_FAILED', `The MCP server ${name} is not connected yet. ${why}`);
    }
    try {
      return await askInTime(this.#asked(name, await this.#session(name)), message, context);
    } catch (cause) {
      if (SdkError.is(cause)) throw cause;
      throw new SdkError('REQUEST_FAILED', `The MCP server ${name} failed: ${errorText(cause)}`, { cause });
    }
  }

  /** Resolves when all sessions are closed. Never rejects, and does not wait for a server that is still being opened. */
  async close(): Promise<void> {
    this.#closed = true;
    // One that throws must not keep the others open.
    await Promise.allSettled([...this.#opened].map(async (session) => await session.close()));
  }

  #asked(name: string, session: McpSession): AskedServer {
    return { session, server: this.#servers.get(name), clock: this.#clock };
  }

  #introduced(name: string, reply: JsonRpcMessage | undefined, { params }: JsonRpcMessage): void {
    const asked = isRecord(params) ? params['protocolVersion'] : undefined;
    const why = reply?.error === undefined ? introductionProblem(reply?.result, asked) : errorText(reply.error);
    if (why === undefined) {
      this.#refused.delete(name);
      return this.#failures.works(name);
    }
    this.#refused.add(name);
    this.#failures.failed(name, why);
  }

  #recovered(name: string): void {
    this.#failures.works(name);
    if (this.#refused.delete(name)) void this.#introduceAgain(name);
  }

  /** Enabling an enabled server makes the agent send `initialize` again. The outcome is in `mcp_status`. */
  async #introduceAgain(name: string): Promise<void> {
    try {
      const { mcpServers } = (await this.#control?.request('mcp_status', {})) ?? {};
      const isOff = mcpServers?.some((server) => server.name === name && server.status === 'disabled') === true;
      if (!isOff) await this.#control?.request('mcp_toggle', { serverName: name, enabled: true });
    } catch {
      // The agent has exited, or refused: the server stays failed, as the agent reports it.
    }
  }

  #session(name: string): Promise<McpSession> {
    const server = this.#servers.get(name);
    if (server === undefined) {
      return Promise.reject(new SdkError('REQUEST_FAILED', `SDK MCP server not found: ${name}`));
    }
    const existing = this.#sessions.get(name);
    if (existing !== undefined) return existing;
    const opened = this.#openSession(server);
    this.#sessions.set(name, opened);
    // A server that was removed meanwhile has no session any more.
    const isCurrent = (): boolean => this.#sessions.get(name) === opened;
    opened.then(
      (session) => isCurrent() && this.#open.set(name, this.#asked(name, session)),
      // The agent repeats the handshake, and the next try may succeed.
      () => isCurrent() && this.#sessions.delete(name),
    );
    return opened;
  }

  async #openSession(server: McpServer): Promise<McpSession> {
    const { name } = server;
    const session = await server.open({
      send: (message) => handled(this.#forward(name, message)),
      failed: (why, cause) => this.#failures.failed(name, why, cause),
      recovered: () => this.#recovered(name),
      mistaken: (what, cause) => this.#failures.mistaken(name, what, cause),
    });
    this.#opened.add(session);
    if (this.#closed) await session.close();
    return session;
  }

  async #forward(server_name: string, message: JsonRpcMessage): Promise<void> {
    await this.#control?.request('mcp_message', { server_name, message });
  }
}
