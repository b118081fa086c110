import { isRecord } from '@hexagent/checks';
import type { JsonRpcMessage } from '@hexagent/ports';

export type Fields = Readonly<Record<string, unknown>>;
export type RpcId = string | number;

/** How a request ended, without the id: that one differs on the two sides of a proxy. */
export type Outcome = Pick<JsonRpcMessage, 'result' | 'error'>;

export function refused(code: number, message: string): Outcome {
  return { error: { code, message } };
}

export const isMessage = (value: unknown): value is JsonRpcMessage => isRecord(value) && value['jsonrpc'] === '2.0';

export const isId = (value: unknown): value is RpcId => typeof value === 'string' || typeof value === 'number';
