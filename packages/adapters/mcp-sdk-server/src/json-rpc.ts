import { errorText, isRecord } from '@hexagent/checks';
import { type JsonRpcMessage, rpcCodes } from '@hexagent/ports';

export type Fields = Readonly<Record<string, unknown>>;
export type RpcId = string | number;

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Fields | undefined;
}

export interface RpcNotification {
  readonly method: string;
  readonly params: Fields | undefined;
}

/** A received message by its kind: at most one of these, and none for a message that needs no action. */
export interface Incoming {
  readonly request?: RpcRequest;
  readonly notification?: RpcNotification;
  readonly response?: JsonRpcMessage;
  /** The error response to a malformed request. */
  readonly refusal?: JsonRpcMessage;
}

/** A failure that is answered as a JSON-RPC error. */
export class RpcFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Determines the kind of a message from outside, whose form is unchecked. */
export function sort(message: unknown): Incoming {
  if (!isRecord(message)) return { refusal: refusal(null, rpcCodes.invalidRequest, 'A message must be an object.') };
  const { id } = message;
  if (message['method'] === undefined && ('result' in message || 'error' in message))
    return { response: { ...message, jsonrpc: '2.0' } };
  const problem = problemWith(message);
  if (problem !== undefined)
    return id === undefined ? {} : { refusal: refusal(isId(id) ? id : null, problem.code, problem.message) };
  const { method, params } = message as Fields & RpcNotification; // as was just checked
  return isId(id) ? { request: { id, method, params } } : { notification: { method, params } };
}

function problemWith({
  id,
  method,
  params,
  jsonrpc,
}: Fields): { readonly code: number; readonly message: string } | undefined {
  if (jsonrpc !== '2.0') return { code: rpcCodes.invalidRequest, message: '`jsonrpc` must be "2.0".' };
  if (id !== undefined && !isId(id))
    return { code: rpcCodes.invalidRequest, message: '`id` must be a string or an integer.' };
  if (typeof method !== 'string') return { code: rpcCodes.invalidRequest, message: '`method` must be a string.' };
  if (params !== undefined && !isRecord(params))
    return { code: rpcCodes.invalidParams, message: '`params` must be an object.' };
  return problemWithMeta(params?.['_meta']);
}

function problemWithMeta(meta: unknown): { readonly code: number; readonly message: string } | undefined {
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return { code: rpcCodes.invalidParams, message: '`params._meta` must be an object.' };
  const { progressToken } = meta;
  if (progressToken === undefined || isId(progressToken)) return undefined;
  return { code: rpcCodes.invalidParams, message: '`params._meta.progressToken` must be a string or an integer.' };
}

export function success(id: RpcId, result: unknown): JsonRpcMessage {
  return { jsonrpc: '2.0', id, result };
}

export function refusal(id: RpcId | null, code: number, message: string): JsonRpcMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** The response to a request that failed with this error. */
export function failure(id: RpcId, error: unknown): JsonRpcMessage {
  return refusal(id, error instanceof RpcFailure ? error.code : rpcCodes.internalError, errorText(error));
}

const isId = (value: unknown): value is RpcId => typeof value === 'string' || Number.isInteger(value);
