import { hang, type Gate, type StreamEffect } from './stream-effects.ts';

/**
 * A text, or its pieces: every string is one delta, with effects between them.
 * Iterated while it is sent, and again for each further request that gets the same turn.
 */
export type Pieces = string | Iterable<string | StreamEffect>;

export interface TextPart {
  readonly type: 'text';
  readonly pieces: Pieces;
}

export interface ThinkingPart {
  readonly type: 'thinking';
  readonly pieces: Pieces;
}

export interface ToolUsePart {
  readonly type: 'tool_use';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Default: `toolu_loopback_1`, `_2`, … in the order the loopback plays them. */
  readonly id?: string | undefined;
  /** Streamed in the place of the input: a text that need not be JSON, or its pieces. */
  readonly json?: Pieces | undefined;
}

/** One content block, or an effect between two of them. */
export type Part = TextPart | ThinkingPart | ToolUsePart | StreamEffect;

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'stop_sequence' | 'pause_turn';

export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
}

export interface ReplyOptions {
  /** Default: `tool_use` when the reply holds a tool, else `end_turn`. */
  readonly stopReason?: StopReason;
  /** Default: 100 tokens in, 20 out, none cached: fixed, so that costs can be pinned. */
  readonly usage?: Usage;
  /** Nothing is sent, not even the status line, until this gate opens. */
  readonly headersAfter?: Gate;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply extends ReplyOptions {
  readonly type: 'reply';
  readonly parts: readonly Part[];
}

export interface ApiErrorOptions {
  readonly message?: string;
  /** The API's name of the error. Default: the one of this status. */
  readonly errorType?: string;
  /** Seconds, sent as `retry-after`. */
  readonly retryAfter?: number;
  /** In an ordered script: how many requests in a row get this answer. Default 1; a client's retry is a request. */
  readonly times?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiError {
  readonly type: 'api_error';
  readonly status: number;
  readonly errorType: string;
  readonly message: string;
  readonly times: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The connection breaks before any answer. */
export interface Dropped {
  readonly type: 'dropped';
  readonly times: number;
}

/** The response of the loopback model to one request. */
export type Turn = Reply | ApiError | Dropped;

/** A turn, or a shorter way of writing a reply: its text, one part of it, or its parts. */
export type TurnLike = Turn | string | Part | readonly Part[];

export function text(pieces: Pieces): TextPart {
  return { type: 'text', pieces };
}

export function thinking(pieces: Pieces): ThinkingPart {
  return { type: 'thinking', pieces };
}

/** Several in one reply are parallel calls. */
export function toolUse(name: string, input: Readonly<Record<string, unknown>> = {}, id?: string): ToolUsePart {
  return { type: 'tool_use', name, input, id };
}

export function reply(parts: string | Part | readonly Part[], options: ReplyOptions = {}): Reply {
  return { type: 'reply', parts: partsOf(parts), ...options };
}

/** No answer at all, not even a status line, until the client gives up or `gate.open()` lets an empty reply follow. */
export function silent(headersAfter: Gate = hang()): Reply {
  return reply([], { headersAfter });
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** The API refuses or fails: 400, 401, 429, 500, 529, … */
export function apiError(status: number, options: ApiErrorOptions = {}): ApiError {
  const { errorType = errorTypes[status] ?? 'api_error', message = `Scripted error ${status}.`, times = 1 } = options;
  const retryAfter = options.retryAfter === undefined ? {} : { 'retry-after': String(options.retryAfter) };
  return { type: 'api_error', status, errorType, message, times, headers: { ...retryAfter, ...options.headers } };
}

/** The connection is lost before anything was answered; for a loss in the middle of a stream see `cut()`. */
export function dropped({ times = 1 }: { readonly times?: number } = {}): Dropped {
  return { type: 'dropped', times };
}

export function toTurn(turn: TurnLike): Turn {
  if (typeof turn === 'string' || isParts(turn)) return reply(turn);
  switch (turn.type) {
    case 'reply':
    case 'api_error':
    case 'dropped':
      return turn;
    default:
      return reply(turn);
  }
}

function partsOf(parts: string | Part | readonly Part[]): readonly Part[] {
  if (typeof parts === 'string') return [text(parts)];
  return isParts(parts) ? parts : [parts];
}

// `Array.isArray` alone does not narrow a readonly array.
function isParts(value: object): value is readonly Part[] {
  return Array.isArray(value);
}
