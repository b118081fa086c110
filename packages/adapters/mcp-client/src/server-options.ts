import type { Clock, Elicitor, InteractionContext } from '@hexagent/ports';
import type { ServerStatus } from './server-status.ts';

/** Options of every server, however it is reached. */
export interface ServerOptions {
  /** For messages about failures. Where the server stands under a key in `tools`, the agent uses that key: its tools are `mcp__<key>__<tool>`. */
  readonly name: string;
  /** How long it may take from its start to its introduction. Default: 60 000. */
  readonly connectTimeoutMs?: number | undefined;
  /** How a connection that broke is made again; `false`: not at all. */
  readonly reconnect?: Reconnecting | false | undefined;
  /** Called with each change of `status`. What it throws is ignored. */
  readonly onStatus?: ((status: ServerStatus) => unknown) | undefined;
  /** Which of its tools the agents see. Default: all. */
  readonly tools?: ToolSelection | undefined;
  /** Answers what the server asks of a person. Without one, the capability is not announced to the server. */
  readonly elicitor?: Elicitor | undefined;
  /** Answers what the server asks of a model. Without one, the capability is not announced to the server. */
  readonly sampler?: Sampler | undefined;
  /** Default: the time of the system. */
  readonly clock?: Clock | undefined;
}

/** Tools by the names that the server gives them. */
export interface ToolSelection {
  /** Only these tools. */
  readonly only?: readonly string[] | undefined;
  /** All tools except these; overrides `only`. */
  readonly without?: readonly string[] | undefined;
  /** What the agents call a tool, by the name that the server gives it. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
  /** How long a call may take without progress: of every tool, or by its name. Default: no limit. */
  readonly timeoutMs?: number | Readonly<Record<string, number>> | undefined;
}

/** Lets a server use a model of the program. */
export interface Sampler {
  /** Answers `sampling/createMessage`, in the types of MCP: a role, a content and the name of the model. */
  sample(
    request: Readonly<Record<string, unknown>>,
    context: InteractionContext,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** Pauses that double from one attempt to the next. */
export interface Reconnecting {
  /** Default: 5. A connection that lasted for `maxDelayMs` starts the count again. */
  readonly attempts?: number | undefined;
  /** The first pause. Default: 500. */
  readonly delayMs?: number | undefined;
  /** The longest pause. Default: 30 000. */
  readonly maxDelayMs?: number | undefined;
}

/** A server that is started as a process and reached over its standard streams. */
export interface StdioServer extends ServerOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to the few variables a program needs (`PATH`, `HOME` and the like); nothing else of ours is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default: where this process works. */
  readonly cwd?: string | undefined;
}

/** A server that is reached by HTTP. */
export interface HttpServer extends ServerOptions {
  /** Where it answers: `http:` or `https:`. */
  readonly url: string | URL;
  /** `http` (default) is streamable HTTP; `sse` is what it replaced, and what older servers have. */
  readonly type?: 'http' | 'sse' | undefined;
  /** Sent with each request to the origin of `url`, and to no other. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** OAuth: an `OAuthClientProvider` of the MCP SDK. */
  readonly authProvider?: AuthProvider | undefined;
  /** Instead of the runtime's own, for a proxy or certificates of your own. */
  readonly fetch?: HttpFetch | undefined;
}

export type HttpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** What the MCP SDK calls `OAuthClientProvider`, without importing its types: only a server with a url needs it. */
export interface AuthProvider {
  readonly redirectUrl: string | URL | undefined;
  readonly clientMetadata: object;
  clientInformation(): unknown;
  tokens(): unknown;
  saveTokens(tokens: never): unknown;
  /** Called with the page on which a person lets this client in. */
  redirectToAuthorization(authorizationUrl: URL): unknown;
  saveCodeVerifier(codeVerifier: string): unknown;
  codeVerifier(): string | Promise<string>;
}

/** A server that this process starts, or one that it reaches by HTTP. */
export type ExternalOptions = StdioServer | HttpServer;
