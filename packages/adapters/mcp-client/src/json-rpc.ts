import type { JsonRpcMessage } from '@hexagent/ports';

export const codes = {
  closed: -32000,
  cancelled: -32001,
  invalidRequest: -32600,
  methodNotFound: -32601,
} as const;

export type Fields = Readonly<Record<string, unknown>>;
export type RpcId = string | number;

/** How a request ended, without the id: that one differs on the two sides of a proxy. */
export type Outcome = Pick<JsonRpcMessage, 'result' | 'error'>;

export function refused(code: number, message: string): Outcome {
  return { error: { code, message } };
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isId = (value: unknown): value is RpcId => typeof value === 'string' || typeof value === 'number';
