import type { JsonRpcMessage } from '@hexagent/ports';

// Methods are compared loosely where function-typed properties are not; the MCP SDK's own message types are narrower
// than ours and still the same messages.
type Loose<Message> = { listener(message: Message, extra?: unknown): void }['listener'];

/** An MCP transport, as far as a server needs one. The MCP SDK's transports have this form. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Loose<JsonRpcMessage> | undefined;
}

/** What can be served: an `McpServer` or `Server` of the MCP SDK, or our own. Known by its form, so nothing is imported. */
export interface ConnectableServer {
  connect(transport: McpTransport): Promise<void>;
  close(): Promise<void>;
}
