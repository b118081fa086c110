import type { MessagesBody } from './requests.ts';
import type { Reply, StopReason, ToolUsePart } from './turns.ts';
import type { Wire } from './wire.ts';

/** Ids of messages, tool calls and requests, counted per loopback so that every run has the same. */
export type NextId = (prefix: 'msg' | 'toolu' | 'req') => string;

/** The connection and the ids with which a reply is sent. */
export interface Stage {
  readonly body: MessagesBody;
  readonly wire: Wire;
  readonly nextId: NextId;
  readonly headers: Readonly<Record<string, string>>;
}

/** An invented signature; the CLI sends it back with the thinking it belongs to. */
export const signature = 'bG9vcGJhY2s=';

export function stopReason(turn: Reply): StopReason {
  return turn.stopReason ?? (turn.parts.some((part) => part.type === 'tool_use') ? 'tool_use' : 'end_turn');
}

export function usage(turn: Reply): Record<string, number> {
  return {
    input_tokens: 100,
    output_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    ...turn.usage,
  };
}

export function envelope(stage: Stage): Record<string, unknown> {
  return { id: stage.nextId('msg'), type: 'message', role: 'assistant', model: stage.body.model };
}

export function toolBlock(part: ToolUsePart, stage: Stage): { type: string; id: string; name: string } {
  return { type: 'tool_use', id: part.id ?? stage.nextId('toolu'), name: part.name };
}

export function errorJson(errorType: string, message: string, requestId: string): string {
  return JSON.stringify({ type: 'error', error: { type: errorType, message }, request_id: requestId });
}
