import { errorText, isRecord, jsonCopy, kindOf } from '@hexagent/checks';
import { rpcCodes } from '@hexagent/ports';
import type { ControlRequest, JsonRpcMessage, RequestHandlers, ServerMessage } from '@hexagent/ports';
import { Unanswerable, type Answerer, type OpenCall, type Payload } from './call.ts';

/** Notifications have no reply, and yet the agent waits for an answer that holds one; it accepts this. */
const filler: Payload = { mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } };

/** Always has an `mcp_response`: an answer without one would leave the agent waiting for ever. */
export const mcpAnswers: Answerer = { ask, read, failed };

function ask(request: ControlRequest, { mcp_message: handle }: RequestHandlers, context: OpenCall): unknown {
  if (!isServerMessage(request)) throw new Unanswerable('mcp_message needs `server_name` and `message`.');
  const answer = handle?.(request, context) ?? null;
  // Refused at once: an agent that ends its turn without waiting is answered before the conversation is over.
  if (answer === null)
    throw new Unanswerable(`No MCP server is registered as ${request.server_name}.`, rpcCodes.methodNotFound);
  return answer;
}

function read(response: unknown, call: OpenCall): Payload {
  const { server_name: server, message } = call.request as ControlRequest & ServerMessage; // `ask` has checked it
  if (!needsReply(message)) return filler;
  const { result, error } = isRecord(response) ? response : {};
  if (error !== undefined && error !== null) return reply(message, { jsonrpc: '2.0', error: toError(error) });
  if (result === undefined) throw new TypeError(`The MCP server ${server} gave no reply to ${message.method}.`);
  // A `toJSON` may make something else of a result, so its outcome is checked.
  const { copy, lost } = jsonCopy(result, { name: 'result' });
  if (lost !== undefined)
    throw new TypeError(`The MCP server ${server} answered ${message.method} with something that is lost: ${lost}`);
  const problem = problemWith(copy);
  if (problem !== undefined)
    throw new TypeError(`The MCP server ${server} answered ${message.method} with ${problem}.`);
  call.isJson = true;
  return reply(message, { jsonrpc: '2.0', result: copy });
}

/** The agent drops a malformed reply, and waits for another one for ever. */
function problemWith(result: unknown): string | undefined {
  if (!isRecord(result)) return `${kindOf(result)} in place of a result, which is an object`;
  const { _meta: meta } = result;
  return meta === undefined || isRecord(meta) ? undefined : `a \`_meta\` that is ${kindOf(meta)} and no object`;
}

function toError(error: unknown): NonNullable<JsonRpcMessage['error']> {
  const { code, message, data } = isRecord(error) ? error : {};
  return {
    code: typeof code === 'number' && Number.isSafeInteger(code) ? code : rpcCodes.internalError,
    message: typeof message === 'string' ? message : errorText(error),
    ...(data === undefined ? {} : { data }),
  };
}

/** The failure as JSON-RPC; `undefined` when the request is not an MCP message. */
function failed(request: ControlRequest, text: string, code: number = rpcCodes.internalError): Payload | undefined {
  const message = request['message'];
  return isMessage(message) ? reply(message, failure(message.id, text, code)) : undefined;
}

/** The name of the server and the id of the message that `notifications/cancelled` cancels. */
export function cancelledBy(request: ControlRequest): { readonly server: unknown; readonly id: unknown } | undefined {
  const { subtype, server_name: server, message } = request;
  if (subtype !== 'mcp_message' || !isRecord(message) || message['method'] !== 'notifications/cancelled')
    return undefined;
  return isRecord(message['params']) ? { server, id: message['params']['requestId'] } : undefined;
}

/** Whether a request is the one that was cancelled. */
export function isCall(
  request: ControlRequest,
  { server, id }: { readonly server: unknown; readonly id: unknown },
): boolean {
  const { subtype, server_name, message } = request;
  return (
    subtype === 'mcp_message' && server_name === server && id !== undefined && isRecord(message) && message['id'] === id
  );
}

function reply(message: JsonRpcMessage, response: JsonRpcMessage): Payload {
  if (!needsReply(message)) return filler;
  // The agent finds its call by the id; a server that mixed it up must not leave the call open.
  return { mcp_response: response.id === message.id ? response : { ...response, id: message.id } };
}

function failure(id: JsonRpcMessage['id'], message: string, code: number): JsonRpcMessage {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
}

/** A request has a method and an id; without an id it is a notification, without a method an answer. */
function needsReply({ id, method }: JsonRpcMessage): boolean {
  return method !== undefined && id !== undefined && id !== null;
}

function isServerMessage(request: ControlRequest): request is ControlRequest & ServerMessage {
  return typeof request['server_name'] === 'string' && isRecord(request['message']);
}

function isMessage(value: unknown): value is JsonRpcMessage {
  return isRecord(value);
}
