import { errorText } from '@hexagent/ports';
import type { JsonRpcMessage, McpClientSide, McpSession } from '@hexagent/ports';
import type { ConnectableServer, McpTransport } from './connectable.ts';
import { LightSession } from './light-session.ts';
import type { ServerDefinition } from './server-definition.ts';

const { signal: never } = new AbortController();

/** Our own engine for in-process tools. Serves any number of clients, and does not load the MCP SDK. */
export class LightServer implements ConnectableServer {
  readonly #definition: ServerDefinition;
  readonly #transports = new Set<McpTransport>();

  constructor(definition: ServerDefinition) {
    this.#definition = definition;
  }

  /** Starts one session; sessions share only the handlers. */
  open(client: McpClientSide): McpSession {
    return new LightSession(this.#definition, client);
  }

  /** Serves the client at the other end of an MCP transport. */
  async connect(transport: McpTransport): Promise<void> {
    const session = this.open({ send: (message) => transport.send(message) });
    const { onclose } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- An MCP transport is no EventTarget.
    transport.onmessage = (message) => void serve(session, message, transport);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- As above.
    transport.onclose = () => {
      this.#transports.delete(transport);
      void session.close();
      onclose?.();
    };
    this.#transports.add(transport);
    await transport.start();
  }

  /** Closes every transport it is connected to. */
  async close(): Promise<void> {
    await Promise.all([...this.#transports].map((transport) => transport.close()));
  }
}

async function serve(session: McpSession, message: JsonRpcMessage, transport: McpTransport): Promise<void> {
  try {
    const reply = await session.handle(message, { signal: never });
    if (reply !== undefined) await transport.send(reply);
  } catch (error) {
    transport.onerror?.(error instanceof Error ? error : new Error(errorText(error)));
  }
}
