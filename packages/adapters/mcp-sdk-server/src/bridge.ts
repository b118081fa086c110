import { errorText } from '@hexagent/checks';
import { rpcCodes } from '@hexagent/ports';
import { handled, notify, onAbort } from '@hexagent/async';
import type { JsonRpcMessage, McpCallContext, McpClientSide, McpSession } from '@hexagent/ports';
import type { ConnectableServer, McpTransport } from './connectable.ts';
import { refusal, sort, success, type Fields, type RpcId, type RpcRequest } from './json-rpc.ts';
import { failedResult } from './tool.ts';
import { copyOfResult } from './tool-call.ts';

/** Servers of the MCP SDK that have a session. With two, each session would receive answers to the other's requests. */
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
    // `connected` does not contain a server that the program connected itself; the MCP SDK refuses its second transport.
    if (/already connected/iu.test(errorText(cause))) throw inUse(name, cause);
    throw new Error(`The MCP server ${name} could not be connected: ${errorText(cause)}`, { cause });
  }
}

function inUse(name: string, cause?: unknown): Error {
  const why = cause === undefined ? '' : ` (${errorText(cause)})`;
  return new Error(
    `The MCP server ${name} could not be connected${why}: an McpServer serves one session at a time. Let the config make one for each: { type: 'sdk', name, create: () => new McpServer(…) }.`,
    { cause },
  );
}

interface PendingRequest {
  /** The name of the tool, for a call. */
  readonly tool: string | undefined;
  settle(reply: JsonRpcMessage): void;
}

/** Joins two sides in one object: the MCP transport of the server, and the session of the agent. */
class BridgeSession implements McpSession, McpTransport {
  readonly #name: string;
  readonly #client: McpClientSide;
  readonly #onClosed: () => void;
  readonly #pending = new Map<RpcId, PendingRequest>();
  #closed = false;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: McpTransport['onmessage'];

  constructor(name: string, client: McpClientSide, onClosed: () => void) {
    this.#name = name;
    this.#client = client;
    this.#onClosed = onClosed;
  }

  async start(): Promise<void> {}

  /** Called by the server. */
  send(message: JsonRpcMessage): Promise<void> {
    const { response } = sort(message);
    if (response === undefined) return handled(this.#client.send(message));
    // An answer without a waiting request belongs to a call that was cancelled.
    if (isKey(message.id)) this.#answer(message.id, message);
    return Promise.resolve();
  }

  /** Only the first answer counts. A result that cannot be written must not leave the agent waiting. */
  #answer(id: RpcId, reply: JsonRpcMessage): void {
    const pending = this.#pending.get(id);
    if (pending?.tool === undefined || reply.error !== undefined) return pending?.settle(reply);
    const { copy, mistake } = copyOfResult(reply.result, pending.tool, true);
    if (copy !== undefined) return pending.settle(success(id, copy));
    this.#client.mistaken?.(mistake);
    pending.settle(success(id, failedResult(mistake)));
  }

  async handle(message: JsonRpcMessage, context: McpCallContext): Promise<JsonRpcMessage | undefined> {
    const { request, notification, response, refusal: refused } = sort(message);
    if (request !== undefined) return await this.#request(request, context);
    if (notification !== undefined) this.#notifyServer(notification.method, notification.params);
    if (response !== undefined && !this.#closed) this.#deliver(response);
    return refused;
  }

  /** Called by the agent's side and by the server's; only the first call counts. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClosed();
    for (const id of [...this.#pending.keys()])
      this.#refuse(id, rpcCodes.closed, `The MCP server ${this.#name} was closed.`);
    notify(() => this.onclose?.());
  }

  #request({ id, method, params }: RpcRequest, context: McpCallContext): Promise<JsonRpcMessage> | JsonRpcMessage {
    if (this.#closed) return refusal(id, rpcCodes.closed, `The session of the MCP server ${this.#name} is closed.`);
    if (this.#pending.has(id))
      return refusal(id, rpcCodes.invalidRequest, `The id ${id} belongs to a request that is still running.`);
    if (typeof this.onmessage !== 'function')
      return refusal(id, rpcCodes.internalError, `The MCP server ${this.#name} connected and listens to nothing.`);
    return new Promise((resolve) => {
      let isDelivered = false;
      let ignoreAbort = (): void => {};
      this.#pending.set(id, {
        tool: method === 'tools/call' ? String(params?.['name']) : undefined,
        settle: (reply) => {
          this.#pending.delete(id);
          ignoreAbort();
          resolve(reply);
        },
      });
      ignoreAbort = onAbort(context.signal, () => {
        if (isDelivered) this.#notifyServer('notifications/cancelled', { requestId: id });
        else this.#refuse(id, rpcCodes.cancelled, 'The call was cancelled.');
      });
      if (!this.#pending.has(id)) return;
      isDelivered = true;
      // Rebuilt from its known fields, since a server of the MCP SDK never answers a request with an unknown one.
      this.#deliver({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }, (error) =>
        this.#refuse(id, rpcCodes.internalError, errorText(error)),
      );
    });
  }

  /** The listener of a server that does not come from the MCP SDK may throw or reject. */
  #deliver(message: JsonRpcMessage, failed?: (error: unknown) => void): void {
    notify(() => this.onmessage?.(message), failed);
  }

  #notifyServer(method: string, params: Fields | undefined): void {
    if (this.#closed) return;
    this.#deliver({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
    // A server does not answer a cancelled request, but the agent waits for an answer.
    const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
    if (isKey(id)) this.#refuse(id, rpcCodes.cancelled, 'The call was cancelled.');
  }

  #refuse(id: RpcId, code: number, message: string): void {
    this.#pending.get(id)?.settle(refusal(id, code, message));
  }
}

const isKey = (id: unknown): id is RpcId => typeof id === 'string' || typeof id === 'number';
