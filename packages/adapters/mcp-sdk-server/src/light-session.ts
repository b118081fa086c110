import {
  JsonReply,
  type JsonRpcMessage,
  type McpCallContext,
  type McpClientSide,
  type McpSession,
  rpcCodes,
} from '@hexagent/ports';
import { failure, RpcFailure, sort, success, type Fields, type RpcId, type RpcRequest } from './json-rpc.ts';
import { RunningCall } from './running-call.ts';
import { introduce, listTools, type ServerDefinition } from './server-definition.ts';
import { callTool } from './tool-call.ts';

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

  handle(message: JsonRpcMessage, context: McpCallContext): Promise<JsonRpcMessage | undefined> {
    const { request, notification, refusal } = sort(message);
    if (notification?.method === 'notifications/cancelled') this.#cancel(notification.params);
    return request === undefined ? Promise.resolve(refusal) : this.#respond(request, context);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls.values()) call.abort(new RpcFailure(rpcCodes.closed, 'The session was closed.'));
  }

  async #respond(request: RpcRequest, context: McpCallContext): Promise<JsonRpcMessage> {
    const { id, method, params } = request;
    let call: RunningCall | undefined;
    try {
      if (this.#closed)
        throw new RpcFailure(rpcCodes.closed, `The session of the MCP server ${this.#definition.name} is closed.`);
      if (method !== 'tools/call') return success(id, await this.#answer(method, params));
      const running = (call = this.#begin(id, context));
      return new JsonReply(id, await running.settle(() => callTool(this.#definition, params, running, this.#client)));
    } catch (error) {
      return failure(id, error);
    } finally {
      if (call !== undefined) this.#finish(call);
    }
  }

  async #answer(method: string, params: Fields | undefined): Promise<Fields> {
    switch (method) {
      case 'initialize':
        return await this.#initialize(params);
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: await listTools(this.#definition) };
      default:
        throw new RpcFailure(
          rpcCodes.methodNotFound,
          `The MCP server ${this.#definition.name} has no method ${method}.`,
        );
    }
  }

  async #initialize(params: Fields | undefined): Promise<Fields> {
    const asked = params?.['protocolVersion'];
    if (typeof asked !== 'string')
      throw new RpcFailure(rpcCodes.invalidParams, '`params.protocolVersion` must be a string.');
    // A schema that cannot be listed must fail here: the agent reports a refused initialize, but not a failed tools/list.
    await listTools(this.#definition);
    return introduce(this.#definition, asked);
  }

  #begin(id: RpcId, context: McpCallContext): RunningCall {
    if (this.#calls.has(id))
      throw new RpcFailure(rpcCodes.invalidRequest, `The id ${id} belongs to a call that is still running.`);
    const call = new RunningCall(id, this.#client, context);
    this.#calls.set(id, call);
    return call;
  }

  #finish(call: RunningCall): void {
    this.#calls.delete(call.requestId);
    call.release();
  }

  #cancel(params: Fields | undefined): void {
    const id = params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') this.#calls.get(id)?.cancel(params?.['reason']);
  }
}
