import { handled } from '@hexagent/async';
import { errorText, isRecord } from '@hexagent/checks';
import {
  SdkError,
  type Clock,
  type FeatureControl,
  type InitializeFields,
  type JsonRpcMessage,
  type McpCallContext,
  type McpServer,
  type McpServerSettings,
  type McpSession,
  type SessionFeature,
} from '@hexagent/ports';
import { askInTime } from './ask-in-time.ts';
import { introductionProblem } from './introduction-problem.ts';
import { manifestOf } from './server-manifest.ts';
import { ServerReports } from './server-reports.ts';

interface Hosted {
  readonly server: McpServer;
  /** Opened by the first message to it. */
  opening?: Promise<McpSession> | undefined;
  session?: McpSession;
  /** It refused the handshake: the agent counts it as failed, and sends it nothing more. */
  isRefused: boolean;
}

/**
 * The servers of this process that one conversation has: shows them to the agent, and closes their sessions with the
 * conversation; the program may ask and change them meanwhile.
 */
export class HostedServers {
  readonly #hosted = new Map<string, Hosted>();
  readonly #reports = new ServerReports();
  readonly #clock: Clock;
  /** The names of the last servers that the agent accepted. */
  #taken: ReadonlySet<string>;
  /** The names in changes that the agent has not answered yet. */
  readonly #announced = new Set<ReadonlySet<string>>();
  #control: FeatureControl | undefined;
  #isClosed = false;
  readonly feature: SessionFeature;

  /** @throws {TypeError} when two servers share a name. */
  constructor(servers: readonly McpServer[], { clock }: { readonly clock: Clock }) {
    this.#clock = clock;
    for (const server of servers) this.#add(server);
    if (this.#hosted.size < servers.length)
      throw new TypeError(`Two in-process servers share a name: ${servers.map(({ name }) => name).join(', ')}.`);
    this.#taken = new Set(this.#hosted.keys());
    this.feature = this.#toFeature();
  }

  get(name: string): McpServer | undefined {
    return this.#hosted.get(name)?.server;
  }

  /** All names, in the order in which they came. */
  names(): readonly string[] {
    return [...this.#hosted.keys()];
  }

  /** Why a server does not work, as it reported to this conversation. */
  why(name: string): string | undefined {
    return this.#reports.why(name);
  }

  /** The config that announces a server to the agent during the conversation. */
  config(name: string): McpServerSettings & { readonly type: 'sdk'; readonly name: string } {
    return { type: 'sdk', name, ...this.get(name)?.config };
  }

  /**
   * Asks a server for the program, in the session that the agent has with it.
   * @throws {SdkError} `REQUEST_FAILED` for a server to which the agent has not sent `initialize`: it has no session yet.
   */
  async ask(name: string, message: JsonRpcMessage, context: McpCallContext): Promise<JsonRpcMessage | undefined> {
    const hosted = this.#hosted.get(name);
    if (hosted === undefined || (hosted.session === undefined && hosted.server.manifest?.() === undefined)) {
      const why = this.why(name) ?? 'Await session.mcp.ready() first.';
      throw new SdkError('REQUEST_FAILED', `The MCP server ${name} is not connected yet. ${why}`);
    }
    try {
      return await this.#ask(hosted, message, context);
    } catch (cause) {
      if (SdkError.is(cause)) throw cause;
      throw new SdkError('REQUEST_FAILED', `The MCP server ${name} failed: ${errorText(cause)}`, { cause });
    }
  }

  /**
   * Replaces the servers by these; one whose name is there already stays as it is. New ones are there before `announce`
   * is called, since the agent sends to a server as soon as it is announced, and the others go when it has succeeded. When
   * it fails, nothing has changed. Announces at once, so that the agent reads of changes in the order in which they were made.
   */
  async change<T>(servers: readonly McpServer[], announce: () => Promise<T>): Promise<T> {
    const names = new Set(servers.map(({ name }) => name));
    for (const server of servers) if (!this.#hosted.has(server.name)) this.#add(server);
    this.#announced.add(names);
    try {
      const answer = await announce();
      this.#taken = names;
      return answer;
    } finally {
      this.#announced.delete(names);
      const used = [this.#taken, ...this.#announced];
      const unused = [...this.#hosted.values()].filter(({ server }) => used.every((some) => !some.has(server.name)));
      await Promise.all(unused.map((hosted) => this.#remove(hosted)));
    }
  }

  #toFeature(): SessionFeature {
    const introduce = (): InitializeFields => this.#introduce();
    return {
      name: 'in-process servers',
      // Read again where the agent is initialized again: other servers may be there by then.
      get initialize() {
        return introduce();
      },
      mayBeAsked: () => this.#hosted.size > 0,
      handlers: {
        mcp_message: ({ server_name, message }, context) => {
          const hosted = this.#hosted.get(server_name);
          return hosted === undefined ? null : this.#handle(hosted, message, context);
        },
      },
      // The agent reports that a server failed, and not why.
      amend: { mcp_status: (answer) => this.#reports.explain(answer) },
      attach: (control) => {
        this.#control = control;
        this.#reports.attach(control);
      },
      close: async () => {
        this.#isClosed = true;
        // A session that throws must not keep the others open. A session that is still opening is not waited for.
        await Promise.allSettled([...this.#hosted.values()].map(async ({ session }) => await session?.close()));
      },
    };
  }

  #introduce(): InitializeFields {
    const servers = [...this.#hosted.values()].map(({ server }) => server);
    // They exist for the agent only if `initialize` names them.
    if (servers.length === 0) return {};
    // The agent applies these policies; without them it would call a tool that must not run.
    const configs = servers.flatMap(({ name, config }) => (config === undefined ? [] : [[name, config] as const]));
    // With a manifest, the first turn does not wait for the handshake of the server.
    const manifests = servers.flatMap((server) => {
      const manifest = manifestOf(server);
      return manifest === undefined ? [] : [[server.name, manifest] as const];
    });
    for (const [name, { toolsListResult }] of manifests) this.#reports.listed(name, { result: toolsListResult });
    return {
      sdkMcpServers: this.names(),
      ...(configs.length > 0 && { sdkMcpServerConfigs: Object.fromEntries(configs) }),
      ...(manifests.length > 0 && { sdkMcpServerManifests: Object.fromEntries(manifests) }),
    };
  }

  /** Answers the agent. */
  async #handle(hosted: Hosted, message: JsonRpcMessage, context: McpCallContext): Promise<JsonRpcMessage | undefined> {
    const { name } = hosted.server;
    const isIntroduction = message.method === 'initialize';
    try {
      const reply = await this.#ask(hosted, message, context);
      if (!isIntroduction && message.method !== 'tools/list') return reply;
      // A session that is closed while a server starts has not seen it failing.
      if (context.signal.aborted) return reply;
      if (isIntroduction) this.#introduced(hosted, reply, message);
      // The protocol reports a missing answer.
      else if (reply !== undefined) this.#reports.listed(name, reply);
      return reply;
    } catch (error) {
      // The caller warns of it.
      if (isIntroduction) this.#reports.note(name, errorText(error));
      throw error;
    }
  }

  async #ask(hosted: Hosted, message: JsonRpcMessage, context: McpCallContext): Promise<JsonRpcMessage | undefined> {
    const { server, session = await this.#open(hosted) } = hosted;
    return await askInTime(session, message, { context, server, clock: this.#clock });
  }

  async #open(hosted: Hosted): Promise<McpSession> {
    hosted.opening ??= this.#openSession(hosted);
    try {
      hosted.session = await hosted.opening;
      return hosted.session;
    } catch (error) {
      // The agent repeats the handshake, and the next try may succeed.
      hosted.opening = undefined;
      throw error;
    }
  }

  async #openSession(hosted: Hosted): Promise<McpSession> {
    const { name } = hosted.server;
    const session = await hosted.server.open({
      send: (message) => handled(this.#forward(name, message)),
      failed: (why, cause) => this.#reports.failed(name, why, cause),
      recovered: () => this.#recovered(hosted),
      mistaken: (what, cause) => this.#reports.mistaken(name, what, cause),
    });
    if (this.#isClosed) await session.close();
    return session;
  }

  #add(server: McpServer): void {
    this.#hosted.set(server.name, { server, isRefused: false });
  }

  /** Resolves when its session is closed, without waiting for a session that is still opening. Never rejects. */
  async #remove({ server: { name }, opening, session }: Hosted): Promise<void> {
    this.#hosted.delete(name);
    this.#reports.removed(name);
    const closed = opening?.then((opened) => opened.close()).catch(() => {});
    if (session !== undefined) await closed;
  }

  #introduced(hosted: Hosted, reply: JsonRpcMessage | undefined, { params }: JsonRpcMessage): void {
    const { name } = hosted.server;
    const asked = isRecord(params) ? params['protocolVersion'] : undefined;
    const why = reply?.error === undefined ? introductionProblem(reply?.result, asked) : errorText(reply.error);
    hosted.isRefused = why !== undefined;
    if (why === undefined) this.#reports.works(name);
    else this.#reports.failed(name, why);
  }

  #recovered(hosted: Hosted): void {
    this.#reports.works(hosted.server.name);
    if (!hosted.isRefused) return;
    hosted.isRefused = false;
    void this.#introduceAgain(hosted.server.name);
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

  async #forward(server_name: string, message: JsonRpcMessage): Promise<void> {
    await this.#control?.request('mcp_message', { server_name, message });
  }
}
