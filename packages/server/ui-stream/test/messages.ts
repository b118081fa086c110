import type { AnyMessage } from '@hexagent/ports';
import { createUiTranslator, type UiApproval, type UiChunk, type UiTranslatorOptions } from '@hexagent/ui-stream';

type Fields = Readonly<Record<string, unknown>>;
type Block = Fields;

export const text = (words: string): Block => ({ type: 'text', text: words });
export const thinking = (words: string): Block => ({ type: 'thinking', thinking: words, signature: 'sig' });
export const call = (id: string, input: unknown = { command: 'ls' }, name = 'Bash'): Block => ({
  type: 'tool_use',
  id,
  name,
  input,
});

export function assistant(id: string, block: Block, fields: Fields = {}): AnyMessage {
  const message = { id, role: 'assistant', content: [block] };
  return {
    type: 'assistant',
    uuid: `${id}-uuid`,
    session_id: 's',
    parent_tool_use_id: null,
    message,
    ...fields,
  } as AnyMessage;
}

export function user(content: unknown, fields: Fields = {}): AnyMessage {
  return {
    type: 'user',
    uuid: 'u',
    parent_tool_use_id: null,
    message: { role: 'user', content },
    ...fields,
  } as AnyMessage;
}

export function toolResult(id: string, content: unknown, fields: Fields = {}, isError = false): AnyMessage {
  return user([{ type: 'tool_result', tool_use_id: id, content, is_error: isError }], fields);
}

export function denied(id: string, content: string, kind = 'user-rejected'): AnyMessage {
  return toolResult(id, content, { tool_result_meta: [{ id, non_execution_kind: kind }] }, true);
}

function event(fields: Fields, more: Fields = {}): AnyMessage {
  return { type: 'stream_event', session_id: 's', parent_tool_use_id: null, event: fields, ...more } as AnyMessage;
}

export const messageStart = (id: string): AnyMessage => event({ type: 'message_start', message: { id, content: [] } });
export const messageStop = (more: Fields = {}): AnyMessage => event({ type: 'message_stop' }, more);
export const blockStop = (index: number): AnyMessage => event({ type: 'content_block_stop', index });

export function blockStart(index: number, block: Block): AnyMessage {
  return event({ type: 'content_block_start', index, content_block: block });
}

export function textDelta(index: number, words: string): AnyMessage {
  return event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: words } });
}

export function jsonDelta(index: number, json: string): AnyMessage {
  return event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } });
}

export function system(subtype: string, fields: Fields = {}): AnyMessage {
  return { type: 'system', subtype, uuid: 'u', session_id: 's', ...fields } as AnyMessage;
}

export function result(fields: Fields = {}): AnyMessage {
  const usual = {
    subtype: 'success',
    is_error: false,
    result: '',
    terminal_reason: 'completed',
    stop_reason: 'end_turn',
  };
  return { type: 'result', session_id: 's', ...usual, ...fields } as AnyMessage;
}

export function approval(id: string, toolUseId: string, fields: Partial<UiApproval> = {}): UiApproval {
  return { id, toolUseId, tool: 'Bash', input: { command: 'ls' }, kind: 'permission', suggestions: [], ...fields };
}

/** The chunks of some messages. */
export function translate(
  messages: readonly AnyMessage[],
  options: Partial<UiTranslatorOptions> = {},
): readonly UiChunk[] {
  const translator = createUiTranslator({ messageId: 'answer', ...options });
  return messages.flatMap((message) => [...translator.push(message)]);
}

/** The types of chunks, one after the other. */
export const typesOf = (chunks: readonly UiChunk[]): readonly string[] => chunks.map(({ type }) => type);
