import { errorText, type JsonRpcMessage, type McpClientSide, type McpSession, rpcCodes } from '@hexagent/ports';
import { onAbort } from '@hexagent/async';
import { failure, RpcFailure, sort, success, type Fields, type RpcId, type RpcRequest } from './json-rpc.ts';
import { RunningCall } from './running-call.ts';
import { listTools, type ServerDefinition } from './server-definition.ts';
import { callTool } from './tool-call.ts';

/** Newest first. */
const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** Serves one client with the tools of a definition. Every request gets an answer, also a cancelled one. */
export class LightSession implements McpSession {
  readonly #definition: ServerDefinition;
  readonly #client: McpClientSide;
  readonly #calls = new Map<RpcId, RunningCall>();
  #closed = false;

  constructor(definition: ServerDefinition, client: McpClientSide) {
    this.#definition = definition;
    this.#client = client;
  }

  async handle(
    message: JsonRpcMessage,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<JsonRpcMessage | undefined> {
    const { request, notification, refusal } = sort(message);
    if (notification?.method === 'notifications/cancelled') this.#cancel(notification.params);
    if (request === undefined) return refusal;
    try {
      return success(request.id, await this.#answer(request, signal));
    } catch (error) {
      return failure(request.id, error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls.values()) call.abort(new RpcFailure(rpcCodes.closed, 'The session was closed.'));
  }

  #answer(request: RpcRequest, signal: AbortSignal): unknown {
    if (this.#closed)
      throw new RpcFailure(rpcCodes.closed, `The session of the MCP server ${this.#definition.name} is closed.`);
    switch (request.method) {
      case 'initialize':
        return this.#initialize(request.params);
      case 'ping':
        return {};
      case 'tools/list':
        return listTools(this.#definition).then((tools) => ({ tools }));
      case 'tools/call':
        return this.#call(request, signal);
      default:
        throw new RpcFailure(
          rpcCodes.methodNotFound,
          `The MCP server ${this.#definition.name} has no method ${request.method}.`,
        );
    }
  }

  async #initialize(params: Fields | undefined): Promise<Fields> {
    const asked = params?.['protocolVersion'];
    if (typeof asked !== 'string')
      throw new RpcFailure(rpcCodes.invalidParams, '`params.protocolVersion` must be a string.');
    const { name, version, instructions } = this.#definition;
    // A schema that cannot be listed must fail here: the agent reports a refused initialize, but not a failed tools/list.
    await listTools(this.#definition);
    return {
      protocolVersion: protocolVersions.find((known) => known === asked) ?? protocolVersions[0],
      capabilities: { tools: {} },
      serverInfo: { name, version },
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  /** Settles when the call is cancelled, even if its handler never settles. */
  async #call({ id, params }: RpcRequest, signal: AbortSignal): Promise<unknown> {
    if (this.#calls.has(id))
      throw new RpcFailure(rpcCodes.invalidRequest, `The id ${id} belongs to a call that is still running.`);
    if (signal.aborted) throw cancelled(signal.reason);
    const mistaken = (what: string, cause?: unknown): void => this.#client.mistaken?.(what, cause);
    const call = new RunningCall(id, this.#client, (error) =>
      mistaken(`A listener of a tool's signal failed: ${errorText(error)}`, error),
    );
    const ignoreAbort = onAbort(signal, (reason) => call.abort(cancelled(reason)));
    this.#calls.set(id, call);
    try {
      return await call.settle(callTool(this.#definition, params, call, mistaken));
    } finally {
      ignoreAbort();
      this.#calls.delete(id);
    }
  }

  #cancel(params: Fields | undefined): void {
    const id = params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') this.#calls.get(id)?.abort(cancelled(params?.['reason']));
  }
}

function cancelled(reason: unknown): RpcFailure {
  const why = typeof reason === 'string' ? `: ${reason}` : '';
  return new RpcFailure(rpcCodes.cancelled, `The call was cancelled${why}.`, { cause: reason });
}
