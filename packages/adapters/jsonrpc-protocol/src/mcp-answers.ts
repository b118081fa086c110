import { isRecord, rpcCodes } from '@hexagent/ports';
import type { ControlRequest, JsonRpcMessage, ServerMessage } from '@hexagent/ports';
import { Unanswerable } from './call.ts';
import type { Call, Payload } from './call.ts';

const methodNotFound = -32601;

/** Notifications have no reply, and yet the agent waits for an answer that holds one; it accepts this. */
const filler: Payload = { mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } };

/** An answer without `mcp_response` would leave the agent waiting for ever: whatever happens, there is one. */
export async function answerMcp({ request, handlers, context }: Call): Promise<Payload> {
  if (!isServerMessage(request)) throw new Unanswerable('mcp_message needs `server_name` and `message`.');
  const { server_name: server, message } = request;
  const handle = handlers.mcp_message;
  if (!handle) return reply(message, failure(message.id, `No MCP server is registered as ${server}.`, methodNotFound));
  const response = await handle(request, context);
  if (wantsReply(message) && !isReply(response))
    throw new TypeError(`The MCP server ${server} gave no reply to ${message.method}.`);
  return reply(message, response);
}

/** The same words as JSON-RPC; `undefined` when the request is no MCP message at all. */
export function failMcp(
  request: ControlRequest,
  words: string,
  code: number = rpcCodes.internalError,
): Payload | undefined {
  const message = request['message'];
  return isMessage(message) ? reply(message, failure(message.id, words, code)) : undefined;
}

/** What a `notifications/cancelled` takes back: the server's name and the id of the message. */
export function cancelledBy(request: ControlRequest): { readonly server: unknown; readonly id: unknown } | undefined {
  const { subtype, server_name: server, message } = request;
  if (subtype !== 'mcp_message' || !isRecord(message) || message['method'] !== 'notifications/cancelled')
    return undefined;
  return isRecord(message['params']) ? { server, id: message['params']['requestId'] } : undefined;
}

/** Whether a request is the one that was taken back. */
export function isCall(
  request: ControlRequest,
  { server, id }: { readonly server: unknown; readonly id: unknown },
): boolean {
  const { subtype, server_name, message } = request;
  return (
    subtype === 'mcp_message' && server_name === server && id !== undefined && isRecord(message) && message['id'] === id
  );
}

function reply(message: JsonRpcMessage, response: JsonRpcMessage | undefined): Payload {
  if (!wantsReply(message) || response === undefined) return filler;
  // The agent finds its call by the id; a server that mixed it up must not leave the call open.
  return { mcp_response: response.id === message.id ? response : { ...response, id: message.id } };
}

function failure(id: JsonRpcMessage['id'], message: string, code: number): JsonRpcMessage {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
}

/** A request has a method and an id; without an id it is a notification, without a method an answer. */
function wantsReply({ id, method }: JsonRpcMessage): boolean {
  return method !== undefined && id !== undefined && id !== null;
}

function isReply(value: unknown): boolean {
  return isRecord(value) && (value['result'] !== undefined || value['error'] !== undefined);
}

function isServerMessage(request: ControlRequest): request is ControlRequest & ServerMessage {
  return typeof request['server_name'] === 'string' && isMessage(request['message']);
}

function isMessage(value: unknown): value is JsonRpcMessage {
  return isRecord(value);
}
