import type { McpResource, McpServersChange, McpSignIn } from './control-answers.ts';
import type { RequestOptions } from './control-requests.ts';
import { SdkError } from './errors.ts';
import type { Exit } from './exit.ts';

/** The MCP servers of a session, for its program. `Server` is what `setServers()` takes. */
export interface SessionMcpServers<Server> {
  /**
   * Resolves when the servers are connected, with their states: from then on turns have their tools.
   * @throws {McpNotReady} at once when one of them has failed, needs a person to sign in, or is turned off; else after
   * `timeoutMs`. Servers that were turned off are waited for only by name.
   * @throws {TypeError} for a name that the session does not have.
   */
  ready(options?: McpReadyOptions): Promise<readonly McpServerState[]>;
  /** How the servers are now, also those that the agent has from settings files and plugins. */
  status(): Promise<readonly McpServerState[]>;
  /**
   * Calls a tool for the program, without the model; no rule counts, and `onAsk` is not called. Resolves with the result of the
   * tool.
   * @throws {SdkError} `REQUEST_FAILED` when the server is not connected, or the tool fails or is not there, with the text of its result.
   */
  call(
    server: string,
    tool: string,
    args?: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<McpToolResult>;
  /**
   * Reads a resource. Of a server that the agent dials only those whose address begins with `ui://`: the agent gives out
   * no others.
   * @throws {SdkError} `REQUEST_FAILED` when the server is not connected, or has no such resource.
   */
  readResource(server: string, uri: string, options?: RequestOptions): Promise<McpResource>;
  /**
   * Connects again to a server that failed. Resolves when it is connected.
   * @throws {McpNotReady} for a server in this process that failed again; `REQUEST_FAILED` for one that the agent dials, or
   * that is turned off.
   */
  reconnect(server: string): Promise<void>;
  /**
   * Turns a server off or on. Of one that the agent dials the CLI remembers it for the folder: a later session there begins
   * with it turned off.
   * @throws {SdkError} `REQUEST_FAILED` for one that cannot be connected to when it is turned on.
   */
  toggle(server: string, enabled: boolean): Promise<void>;
  /**
   * Replaces the servers that run in this process, and those that were set before. Servers of the option `mcpServers`
   * that the agent dials stay, unless one of the same name comes, and so do the tools made by `tool()`. Resolves with the changes; a server that cannot be reached is
   * in `errors`.
   * @throws {TypeError} for an invalid value, and for another server of this process under the name of one that stays.
   */
  setServers(servers: Readonly<Record<string, Server>>): Promise<McpServersChange>;
  /**
   * Begins the sign-in to a server that the agent dials by HTTP. The agent waits for the person to come back from `authUrl`, connects then, and
   * keeps the tokens in its folder of settings.
   * @throws {SdkError} `REQUEST_FAILED` for a server of another kind, and for one that cannot be reached.
   */
  signIn(server: string, options?: RequestOptions): Promise<McpSignIn>;
  /**
   * Ends that sign-in with the address that the person was sent back to, where the person's browser is on another machine than the agent.
   * Resolves when the agent is connected.
   * @throws {SdkError} `REQUEST_FAILED` unless a sign-in waits for it.
   */
  finishSignIn(server: string, callbackUrl: string, options?: RequestOptions): Promise<void>;
  /** Forgets the tokens of a server. */
  signOut(server: string, options?: RequestOptions): Promise<void>;
  /**
   * The mode of the CLI for the tools of one server: with `default` it asks about them also while the mode of the session is `auto`; `null`
   * is that of the session. Rules count as before. Resolves with a warning of the agent, if it has one.
   */
  setPermissionMode(
    server: string,
    mode: 'default' | 'auto' | null,
    options?: RequestOptions,
  ): Promise<string | undefined>;
}

/** What `session.mcp.ready()` waits for. */
export interface McpReadyOptions {
  /** Their names. Default: all that are not turned off. */
  readonly servers?: readonly string[] | undefined;
  /** How long to wait, in milliseconds; `Infinity` for no limit, 0 to ask once. Default: 65 000. */
  readonly timeoutMs?: number | undefined;
  /** Aborting ends the waiting with an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
}

/** What a tool returned, in the spelling of MCP. */
export interface McpToolResult {
  /** Text, images, audio, resources. */
  readonly content?: readonly Readonly<Record<string, unknown>>[];
  /** The same as data, from tools with structured output. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** What else the server adds. */
  readonly [field: string]: unknown;
}

/** The state of an MCP server of a session. */
export interface McpServerState {
  /** Its key in `mcpServers`, or the name that a settings file or a plugin gives it. */
  readonly name: string;
  /**
   * `pending`: the agent is connecting. `failed` and `needs-auth` stay until `reconnect()`; `disabled` until `toggle()`.
   * A server in this process that broke after it was connected has the state `connected` and an `error`.
   */
  readonly state: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  /** Why it does not work: the reason of a server in this process, else the agent's error, and how a person signs in. */
  readonly error?: string | undefined;
  /** The page on which a person signs in, where a server of `external()` named one. */
  readonly authUrl?: string | undefined;
  /** How the process of a server of `external()` left, with the end of its error stream. */
  readonly exit?: Exit | undefined;
  /** The HTTP status that a server of `external()` answered with. */
  readonly httpStatus?: number | undefined;
  /** The names of its tools, as the server calls them. Left out until the server has listed them. */
  readonly tools?: readonly string[] | undefined;
  /** Whether this process runs or dials it; else the agent does. */
  readonly isHosted: boolean;
}

/** Servers that were waited for are not connected. */
export class McpNotReady extends SdkError {
  override readonly name: string = 'McpNotReady';
  /** Each server that is not ready. */
  readonly servers: readonly McpServerState[];

  constructor(message: string, servers: readonly McpServerState[], options?: ErrorOptions) {
    super('MCP_NOT_READY', message, options);
    this.servers = servers;
  }
}
