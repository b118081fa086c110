import { errorText, type JsonRpcMessage, isRecord, rpcCodes } from '@hexagent/ports';

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

/** What came in: at most one of these is there, and none for a message that asks nothing of anybody. */
export interface Incoming {
  readonly request?: RpcRequest;
  readonly notification?: RpcNotification;
  readonly response?: JsonRpcMessage;
  /** The answer to a message that is none. */
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

/** Sorts a message by what it asks. It came from outside, so nothing about its form is taken for granted. */
export function sort(message: unknown): Incoming {
  if (!isRecord(message)) return { refusal: refusal(null, rpcCodes.invalidRequest, 'A message must be an object.') };
  const { id, method, params } = message;
  if (method === undefined && ('result' in message || 'error' in message))
    return { response: { ...message, jsonrpc: '2.0' } };
  const isAsked = id !== undefined;
  const why = wrongWith(message);
  if (why !== undefined) return isAsked ? { refusal: refusal(isId(id) ? id : null, why.code, why.words) } : {};
  // What `wrongWith` has checked, in a form that the compiler sees.
  if (typeof method !== 'string' || (params !== undefined && !isRecord(params))) return {};
  return isId(id) ? { request: { id, method, params } } : { notification: { method, params } };
}

function wrongWith({
  id,
  method,
  params,
  jsonrpc,
}: Fields): { readonly code: number; readonly words: string } | undefined {
  if (jsonrpc !== '2.0') return { code: rpcCodes.invalidRequest, words: '`jsonrpc` must be "2.0".' };
  if (id !== undefined && !isId(id))
    return { code: rpcCodes.invalidRequest, words: '`id` must be a string or an integer.' };
  if (typeof method !== 'string') return { code: rpcCodes.invalidRequest, words: '`method` must be a string.' };
  if (params !== undefined && !isRecord(params))
    return { code: rpcCodes.invalidParams, words: '`params` must be an object.' };
  return wrongWithMeta(params?.['_meta']);
}

function wrongWithMeta(meta: unknown): { readonly code: number; readonly words: string } | undefined {
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return { code: rpcCodes.invalidParams, words: '`params._meta` must be an object.' };
  const { progressToken } = meta;
  if (progressToken === undefined || isId(progressToken)) return undefined;
  return { code: rpcCodes.invalidParams, words: '`params._meta.progressToken` must be a string or an integer.' };
}

export function success(id: RpcId, result: unknown): JsonRpcMessage {
  return { jsonrpc: '2.0', id, result };
}

export function refusal(id: RpcId | null, code: number, message: string): JsonRpcMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** The answer to a request that failed with this. */
export function failure(id: RpcId, error: unknown): JsonRpcMessage {
  return refusal(id, error instanceof RpcFailure ? error.code : rpcCodes.internalError, errorText(error));
}

const isId = (value: unknown): value is RpcId => typeof value === 'string' || Number.isInteger(value);
