import type { JsonRpcMessage } from '@hexagent/ports';

// TypeScript compares the parameters of methods bivariantly: the message types of the MCP SDK are narrower than ours.
type Loose<Message> = { listener(message: Message, extra?: unknown): void }['listener'];

/** The members of an MCP transport that a server needs. Transports of the MCP SDK have them. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Loose<JsonRpcMessage> | undefined;
}

/** An `McpServer` or `Server` of the MCP SDK, or one of ours. Structural, so that the MCP SDK is not imported. */
export interface ConnectableServer {
  connect(transport: McpTransport): Promise<void>;
  close(): Promise<void>;
}
