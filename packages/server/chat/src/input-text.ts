import { isRecord } from '@hexagent/checks';
import type { ChatInput } from '@hexagent/ports';

/** The text of a message, for a page that shows it where the agent took it up. */
export function inputText({ content }: Pick<ChatInput, 'content'>): string {
  if (typeof content === 'string') return content;
  return content
    .flatMap((block) => (isRecord(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n');
}
