import type { AgentMessage, ContentBlock, ResultMessage, ToolUseBlock } from '@hexagent/ports';

/** The text a whole message says; empty for messages that say none. */
export function textOf(message: AgentMessage): string {
  return blocksOf(message)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}

/** The piece of text a partial message brings; empty for everything else. Ask for `partialMessages` to get any. */
export function textDeltaOf(message: AgentMessage): string {
  if (message.type !== 'stream_event' || message.event.type !== 'content_block_delta') return '';
  return message.event.delta.type === 'text_delta' ? message.event.delta.text : '';
}

/** The tool calls a message holds. */
export function toolUsesOf(message: AgentMessage): readonly ToolUseBlock[] {
  return blocksOf(message).filter((block) => block.type === 'tool_use');
}

/** Whether it is the end of a turn. */
export function isResult(message: AgentMessage): message is ResultMessage {
  return message.type === 'result';
}

/** US dollars, with as many digits as it takes to see something. */
export function formatCost(dollars: number): string {
  return `$${dollars.toFixed(dollars >= 0.1 ? 2 : 4)}`;
}

function blocksOf(message: AgentMessage): readonly ContentBlock[] {
  if (message.type !== 'assistant') return [];
  return message.message.content;
}
