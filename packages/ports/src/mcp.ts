import type { HostContext } from './host-context.ts';
import type { Exit } from './exit.ts';

/** A JSON-RPC 2.0 message, as MCP uses it. */
export interface JsonRpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null | undefined;
  readonly method?: string | undefined;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
}

/** An MCP server that lives in our process and is shown to the agent under `name`. */
export interface McpServer {
  /** Its name for the agent; its tools are `mcp__name__tool`. */
  readonly name: string;
  /** The settings of the server that the agent applies. */
  readonly config?: McpServerSettings | undefined;
  /**
   * The first answers of the server, so that the agent need not ask. Left out or `undefined`: the agent asks. Called
   * before a conversation begins, once for each.
   */
  manifest?(): McpManifest | undefined;
  /** Why the server does not work now, if it can report that; `undefined` while it works. Must not throw. */
  failure?(): McpServerFailure | undefined;
  /** Starts one session of this server; a server may serve several conversations at once. */
  open(client: McpClientSide): Promise<McpSession> | McpSession;
}

/** Why a server does not work. */
export interface McpServerFailure {
  /** One sentence, without secrets. */
  readonly why: string;
  /** How its process left, with the end of its error stream. */
  readonly exit?: Exit | undefined;
  /** The HTTP status it answered with. */
  readonly httpStatus?: number | undefined;
  /** A person has to act: at `url`, where the sign-in named a page, or by other credentials. */
  readonly auth?: { readonly url?: string | undefined } | undefined;
}

/** The answers to `initialize` and to `tools/list`. An agent that has them calls tools without either. */
export interface McpManifest {
  readonly initializeResult: Readonly<Record<string, unknown>>;
  readonly toolsListResult: { readonly tools: readonly object[] };
}

/** In the CLI's own spelling, as for the servers that it dials. */
export interface McpServerSettings {
  /** What may be done with single tools of the server. */
  readonly tools?: readonly McpToolPolicy[] | undefined;
  /** How long one call of a tool may take, in milliseconds. */
  readonly timeout?: number | undefined;
}

/** What may be done with one tool of a server. */
export interface McpToolPolicy {
  readonly name: string;
  readonly permission_policy?: 'always_allow' | 'always_ask' | 'always_deny' | undefined;
  readonly org_max_permission?: 'allow' | 'ask' | 'blocked' | undefined;
}

/** The codes of JSON-RPC errors that the agent may be answered with for an MCP server. */
export const rpcCodes = {
  closed: -32000,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  timedOut: -32001,
  /** JSON-RPC does not define one; editors and their servers use this one. */
  cancelled: -32800,
} as const;

/** The way back to the agent: notifications and requests of the server's own. */
export interface McpClientSide {
  send(message: JsonRpcMessage): Promise<void>;
  /** For the author of the program: the server does not work any more, and why. Never throws. */
  failed?(why: string, cause?: unknown): void;
  /**
   * The server that had failed works. The author of the program is notified, and an agent that it had refused introduces
   * itself again. Never throws.
   */
  recovered?(): void;
  /** For the author of the program: a callback of the server made a mistake, and the agent received an error. Never throws. */
  mistaken?(what: string, cause?: unknown): void;
}

/** What a session receives beside the message. */
export type McpCallContext = Pick<HostContext, 'signal' | 'onAbort'>;

export interface McpSession {
  /**
   * Answers one message of the agent's; `undefined` for a notification. What goes wrong is answered as a JSON-RPC
   * error: an agent that gets no answer waits for ever.
   */
  handle(message: JsonRpcMessage, context: McpCallContext): Promise<JsonRpcMessage | undefined>;
  /** Safe to call twice; never rejects. */
  close(): Promise<void>;
}
