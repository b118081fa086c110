import {
  rpcCodes,
  type JsonRpcMessage,
  type McpCallContext,
  type McpClientSide,
  type McpSession,
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
    if (request === undefined) return Promise.resolve(refusal);
    const { id, method } = request;
    if (this.#closed) return Promise.resolve(failure(id, closedFailure(this.#definition)));
    return method === 'tools/call' ? this.#call(request, context) : this.#respond(request);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls.values()) call.abort(new RpcFailure(rpcCodes.closed, 'The session was closed.'));
  }

  #call({ id, params }: RpcRequest, context: McpCallContext): Promise<JsonRpcMessage> {
    const calls = this.#calls;
    if (calls.has(id)) {
      const why = `The id ${id} belongs to a call that is still running.`;
      return Promise.resolve(failure(id, new RpcFailure(rpcCodes.invalidRequest, why)));
    }
    return new Promise((resolve) => {
      const call = new RunningCall(id, this.#client, (reply) => {
        calls.delete(id);
        resolve(reply);
      });
      calls.set(id, call);
      call.follow(context);
      // It may have been cancelled before it began.
      if (calls.has(id)) void callTool(this.#definition, params, call, this.#client);
    });
  }

  async #respond({ id, method, params }: RpcRequest): Promise<JsonRpcMessage> {
    try {
      return success(id, await this.#answer(method, params));
    } catch (error) {
      return failure(id, error);
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

  #cancel(params: Fields | undefined): void {
    const id = params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') this.#calls.get(id)?.cancel(params?.['reason']);
  }
}

const closedFailure = ({ name }: ServerDefinition): RpcFailure =>
  new RpcFailure(rpcCodes.closed, `The session of the MCP server ${name} is closed.`);
