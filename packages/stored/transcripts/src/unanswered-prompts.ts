import { isRecord } from '@hexagent/checks';
import type { EntryHead, EntryIndex, TranscriptEntry } from '@hexagent/ports';
import { isMessage } from './conversation-order.ts';
import { LocalCommands } from './local-commands.ts';

const interruption = '[Request interrupted by user';

/** What a message means for the queued prompts before it. */
type Meaning = 'answer' | 'nothing' | 'prompt';

/**
 * The conversation without the queued prompts that a turn took and that were never answered, as the official package shows it. (Why it
 * leaves them out is not recorded.) A queued prompt was answered when an answer, a result or an
 * interruption follows it before the next prompt, and may still be answered when no message follows.
 */
export async function withoutUnanswered(
  index: EntryIndex,
  conversation: readonly EntryHead[],
): Promise<readonly EntryHead[]> {
  if (conversation.every(({ promptUuid }) => promptUuid === undefined)) return conversation;
  const messages = conversation.filter(isMessage);
  const meanings = new Map<EntryHead, Meaning>();
  const commands = new LocalCommands();
  for await (const entries of index.entriesOf(messages))
    for (const [head, entry] of entries) meanings.set(head, commands.accepts(entry) ? 'nothing' : meaningOf(entry));
  const kept: EntryHead[] = [];
  let isAnswered = true;
  for (const head of conversation.toReversed()) {
    if (head.promptUuid === undefined || isAnswered) kept.push(head);
    const meaning = meanings.get(head);
    if (meaning === 'answer') isAnswered = true;
    else if (meaning === 'prompt' || (head === messages.at(-1) && head.type === 'user')) isAnswered = false;
  }
  return kept.toReversed();
}

/** It is in the text. */
function meaningOf({ type, isMeta, isCompactSummary, message }: TranscriptEntry): Meaning {
  if (type === 'assistant') return 'answer';
  const content = isRecord(message) ? message['content'] : undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const [first] = blocks;
  const text = isRecord(first) && first['type'] === 'text' ? first['text'] : undefined;
  const isInterruption = typeof text === 'string' && text.startsWith(interruption);
  const isResult = blocks.some((block) => isRecord(block) && block['type'] === 'tool_result');
  if (isInterruption || isResult) return 'answer';
  return Boolean(isMeta) || Boolean(isCompactSummary) ? 'nothing' : 'prompt';
}
