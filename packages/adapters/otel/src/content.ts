import { isRecord } from '@hexagent/checks';

/** A part of a message, in the form of the schemas of the conventions. */
export type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/** The blocks of a message as parts. A block that is not known keeps its type alone: it may be an image of megabytes. */
export function partsOf(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', content }];
  return Array.isArray(content) ? content.map(partOf) : [];
}

function partOf(block: unknown): Part {
  if (!isRecord(block)) return { type: 'unknown' };
  const { type, text, thinking, id, name, input, tool_use_id: call, content } = block;
  if (type === 'text') return { type, content: text };
  if (type === 'thinking') return { type: 'reasoning', content: thinking };
  if (type === 'tool_use') return { type: 'tool_call', id, name, arguments: input };
  if (type === 'tool_result') return { type: 'tool_call_response', id: call, response: content };
  return { type: String(type) };
}

/** JSON, since the attributes of a span have no structure. */
export function messageText(role: 'assistant' | 'user', parts: readonly Part[], finishReason?: string): string {
  return jsonText([{ role, parts, ...(role === 'assistant' && { finish_reason: finishReason ?? 'unknown' }) }]);
}

/** JSON of a value that a program or an agent gave. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return ''; // a program may send what JSON cannot represent, and gets the error from where it sends it
  }
}
