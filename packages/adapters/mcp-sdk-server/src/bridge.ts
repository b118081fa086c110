import { errorText, rpcCodes } from '@hexagent/ports';
import { handled, notify } from '@hexagent/async';
import type { JsonRpcMessage, McpClientSide, McpSession } from '@hexagent/ports';
import type { ConnectableServer, McpTransport } from './connectable.ts';
import { refusal, sort, type Fields, type RpcId, type RpcRequest } from './json-rpc.ts';

/** An MCP server of the MCP SDK knows one client at a time, so two sessions would answer each other's requests. */
const connected = new WeakSet<ConnectableServer>();

/**
 * Starts a session of a user's own MCP server.
 * @throws {Error} when the server already serves another session.
 */
export function bridge(name: string, server: ConnectableServer, client: McpClientSide): Promise<McpSession> {
  if (connected.has(server)) throw inUse(name);
  connected.add(server);
  return connect(name, server, client);
}

async function connect(name: string, server: ConnectableServer, client: McpClientSide): Promise<McpSession> {
  const session = new BridgeSession(name, client, () => connected.delete(server));
  try {
    await server.connect(session);
    return session;
  } catch (cause) {
    connected.delete(server);
    // The SDK refuses a second transport, and one that the program connected itself is not known to us.
    if (/already connected/iu.test(errorText(cause))) throw inUse(name, cause);
    throw new Error(`The MCP server ${name} could not be connected: ${errorText(cause)}`, { cause });
  }
}

function inUse(name: string, cause?: unknown): Error {
  const why = cause === undefined ? '' : ` (${errorText(cause)})`;
  return new Error(
    `The MCP server ${name} could not be connected${why}: an McpServer serves one session at a time. Make one for each session.`,
    { cause },
  );
}

interface Waiting {
  settle(reply: JsonRpcMessage): void;
}

/** One object with two sides: the MCP transport that the server speaks to, and the session that the agent speaks to. */
class BridgeSession implements McpSession, McpTransport {
  readonly #name: string;
  readonly #client: McpClientSide;
  readonly #freed: () => void;
  readonly #waiting = new Map<RpcId, Waiting>();
  #closed = false;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: McpTransport['onmessage'];

  constructor(name: string, client: McpClientSide, freed: () => void) {
    this.#name = name;
    this.#client = client;
    this.#freed = freed;
  }

  async start(): Promise<void> {}

  /** Called by the server. */
  send(message: JsonRpcMessage): Promise<void> {
    const { response } = sort(message);
    if (response === undefined) return handled(this.#client.send(message));
    // An answer that nobody waits for belongs to a call that was cancelled.
    if (isKey(message.id)) this.#waiting.get(message.id)?.settle(message);
    return Promise.resolve();
  }

  async handle(
    message: JsonRpcMessage,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<JsonRpcMessage | undefined> {
    const { request, notification, response, refusal: refused } = sort(message);
    if (request !== undefined) return await this.#ask(request, signal);
    if (notification !== undefined) this.#tell(notification.method, notification.params);
    if (response !== undefined && !this.#closed) this.#deliver(response);
    return refused;
  }

  /** Called by the agent's side and by the server's; whoever is first. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#freed();
    for (const id of [...this.#waiting.keys()])
      this.#giveUp(id, rpcCodes.closed, `The MCP server ${this.#name} was closed.`);
    notify(() => this.onclose?.());
  }

  #ask({ id, method, params }: RpcRequest, signal: AbortSignal): Promise<JsonRpcMessage> | JsonRpcMessage {
    if (this.#closed) return refusal(id, rpcCodes.closed, `The session of the MCP server ${this.#name} is closed.`);
    if (this.#waiting.has(id))
      return refusal(id, rpcCodes.invalidRequest, `The id ${id} belongs to a request that is still running.`);
    if (signal.aborted) return refusal(id, rpcCodes.cancelled, 'The call was cancelled.');
    if (typeof this.onmessage !== 'function')
      return refusal(id, rpcCodes.internalError, `The MCP server ${this.#name} connected and listens to nothing.`);
    return new Promise((resolve) => {
      const withdraw = (): void => this.#tell('notifications/cancelled', { requestId: id });
      this.#waiting.set(id, {
        settle: (reply) => {
          this.#waiting.delete(id);
          signal.removeEventListener('abort', withdraw);
          resolve(reply);
        },
      });
      signal.addEventListener('abort', withdraw, { once: true });
      // Rebuilt, since a server of the MCP SDK leaves a request with an unknown field unanswered.
      this.#deliver({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }, (error) =>
        this.#giveUp(id, rpcCodes.internalError, errorText(error)),
      );
    });
  }

  /** A server made by hand may fail here, at once or later. */
  #deliver(message: JsonRpcMessage, failed?: (error: unknown) => void): void {
    notify(() => this.onmessage?.(message), failed);
  }

  #tell(method: string, params: Fields | undefined): void {
    if (this.#closed) return;
    this.#deliver({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
    // A server does not answer what was cancelled, and the agent still wants to hear something.
    const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
    if (isKey(id)) this.#giveUp(id, rpcCodes.cancelled, 'The call was cancelled.');
  }

  #giveUp(id: RpcId, code: number, words: string): void {
    this.#waiting.get(id)?.settle(refusal(id, code, words));
  }
}

const isKey = (id: unknown): id is RpcId => typeof id === 'string' || typeof id === 'number';
