import { isRecord } from '@hexagent/checks';
import type { EntryIndex, TranscriptEntry } from '@hexagent/ports';
import { LocalCommands } from './local-commands.ts';

const interruption = '[Request interrupted by user';

/** What a message of the person means for the queued prompts before it. */
type Meaning = 'answer' | 'nothing' | 'prompt';

/**
 * The conversation without the queued prompts that a turn took and that were never answered, as the official package shows it. (Why it
 * leaves them out is not recorded.) A queued prompt was answered when an answer, a result or an
 * interruption follows it before the next prompt, and may still be answered when no message follows.
 */
export async function withoutUnanswered(index: EntryIndex, conversation: Int32Array): Promise<Int32Array> {
  const users = usersAroundQueued(index, conversation);
  if (users.length === 0) return conversation;
  const meanings = await meaningsOf(index, users, conversation);
  const isUnanswered = new Uint8Array(index.count);
  let isAnswered = true;
  let isLastMessage = true;
  for (let place = conversation.length - 1; place >= 0; place -= 1) {
    const entry = conversation[place] ?? 0;
    const type = index.typeOf(entry);
    if (index.promptUuidOf(entry) !== undefined && !isAnswered) isUnanswered[entry] = 1;
    const meaning = type === 'assistant' ? 'answer' : meanings.get(entry);
    if (meaning === 'answer') isAnswered = true;
    else if (meaning === 'prompt' || (isLastMessage && type === 'user')) isAnswered = false;
    if (type === 'user' || type === 'assistant') isLastMessage = false;
  }
  return conversation.filter((entry) => isUnanswered[entry] === 0);
}

/** The messages of the person between the answers before and behind queued prompts, where any follows one. */
function usersAroundQueued(index: EntryIndex, conversation: Int32Array): readonly number[] {
  const users: number[] = [];
  let since: number[] = [];
  let hasQueued = false;
  let isNeeded = false;
  const endStretch = (): void => {
    if (isNeeded) for (const user of since) users.push(user);
    since = [];
    hasQueued = false;
    isNeeded = false;
  };
  for (const entry of conversation) {
    const type = index.typeOf(entry);
    if (type === 'assistant') endStretch();
    else if (index.promptUuidOf(entry) !== undefined) hasQueued = true;
    else if (type === 'user') {
      since.push(entry);
      isNeeded ||= hasQueued;
    }
  }
  endStretch();
  return users;
}

/** What they mean is in their text. */
async function meaningsOf(
  index: EntryIndex,
  users: readonly number[],
  conversation: Int32Array,
): Promise<ReadonlyMap<number, Meaning>> {
  const entries = new Map<number, TranscriptEntry>();
  let next = 0;
  for await (const some of index.entriesOf(users))
    for (const entry of some) {
      const user = users[next];
      next += 1;
      if (entry !== undefined && user !== undefined) entries.set(user, entry);
    }
  const meanings = new Map<number, Meaning>();
  let commands = new LocalCommands();
  for (const number of conversation) {
    if (index.typeOf(number) === 'assistant') commands = new LocalCommands();
    const entry = entries.get(number);
    if (entry !== undefined) meanings.set(number, commands.accepts(entry) ? 'nothing' : meaningOf(entry));
  }
  return meanings;
}

function meaningOf({ isMeta, isCompactSummary, message }: TranscriptEntry): Meaning {
  const content = isRecord(message) ? message['content'] : undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const [first] = blocks;
  const text = isRecord(first) && first['type'] === 'text' ? first['text'] : undefined;
  const isInterruption = typeof text === 'string' && text.startsWith(interruption);
  const isResult = blocks.some((block) => isRecord(block) && block['type'] === 'tool_result');
  if (isInterruption || isResult) return 'answer';
  return Boolean(isMeta) || Boolean(isCompactSummary) ? 'nothing' : 'prompt';
}
