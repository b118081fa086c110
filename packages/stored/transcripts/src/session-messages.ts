import type {
  EntryIndex,
  Page,
  ReadStoredMessages,
  SessionTranscript,
  StoredMessage,
  SubagentTranscript,
  Transcript,
} from '@hexagent/ports';
import { conversationOf } from './conversation-order.ts';
import { LocalCommands } from './local-commands.ts';
import { pageOf } from './page.ts';
import { storedMessage, type TranscriptOwner } from './stored-message.ts';
import { withoutUnanswered } from './unanswered-prompts.ts';

/** Messages in their order, in batches of one read: one at a time would take longer. */
export type MessageBatches = AsyncGenerator<readonly StoredMessage[], void, undefined>;

/** The messages of a session, without those of its subagents. */
export function messagesOf(
  transcript: SessionTranscript,
  { includeSystemMessages = false, includeToolUseResults = false, ...page }: Omit<ReadStoredMessages, 'dir'>,
): MessageBatches {
  const owner = { sessionId: transcript.sessionId, includeToolUseResults };
  const chosen = (index: EntryIndex): Chosen => {
    const isOwn = (entry: number): boolean => !index.isSidechain(entry) && !index.isTeammates(entry);
    const isSystem = (entry: number): boolean => includeSystemMessages && index.typeOf(entry) === 'system';
    const isShown = (entry: number): boolean =>
      isOwn(entry) && !index.isMeta(entry) && (isMessage(index, entry) || isSystem(entry));
    return { mayBeLast: isOwn, isShown };
  };
  return read(transcript, { chosen, page, owner });
}

/** The messages from and to a subagent. There every entry is marked as a side chain, and many are for the model alone. */
export function subagentMessagesOf(subagent: SubagentTranscript, sessionId: string, page: Page): MessageBatches {
  const { parentAgentId, toolUseId } = subagent;
  const owner = { sessionId, parentAgentId, toolUseId };
  const chosen = (index: EntryIndex): Chosen => ({
    mayBeLast: () => true,
    isShown: (entry) => isMessage(index, entry),
  });
  return read(subagent, { chosen, page, owner });
}

function isMessage(index: EntryIndex, entry: number): boolean {
  const type = index.typeOf(entry);
  return type === 'user' || type === 'assistant' || index.promptUuidOf(entry) !== undefined;
}

/** Which entries count. */
interface Chosen {
  readonly mayBeLast: (entry: number) => boolean;
  readonly isShown: (entry: number) => boolean;
}

interface Reading {
  readonly chosen: (index: EntryIndex) => Chosen;
  readonly page: Page;
  readonly owner: TranscriptOwner;
}

/** Orders the entries, and then reads those of the page: one that is not asked for is never held. */
async function* read(transcript: Transcript, { chosen, page, owner }: Reading): MessageBatches {
  const index = await transcript.index();
  const { mayBeLast, isShown } = chosen(index);
  const conversation = await withoutUnanswered(index, conversationOf(index, mayBeLast));
  const isOnPage = onPage(index, pageOf(conversation.filter(isShown), page));
  const needed = neededFor(index, isOnPage, conversation);
  const commands = new LocalCommands();
  let next = 0;
  for await (const entries of index.entriesOf(needed)) {
    const messages: StoredMessage[] = [];
    for (const entry of entries) {
      const number = needed[next];
      next += 1;
      if (entry === undefined || number === undefined) continue;
      const isLocal = commands.accepts(entry);
      const message = isOnPage(number) ? storedMessage(entry, owner, isLocal) : undefined;
      if (message !== undefined) messages.push(message);
    }
    yield messages;
  }
}

function onPage(index: EntryIndex, shown: Int32Array): (entry: number) => boolean {
  const marks = new Uint8Array(index.count);
  for (const entry of shown) marks[entry] = 1;
  return (entry) => marks[entry] === 1;
}

/** The entries of the page, and those before them that show whether the first ones are commands that ran without the model. */
function neededFor(index: EntryIndex, isOnPage: (entry: number) => boolean, conversation: Int32Array): Int32Array {
  const start = conversation.findIndex(isOnPage);
  if (start === -1) return new Int32Array();
  const before = conversation.subarray(0, start);
  const answer = before.findLastIndex((entry) => index.typeOf(entry) === 'assistant');
  const end = conversation.findLastIndex(isOnPage);
  return conversation
    .subarray(answer + 1, end + 1)
    .filter((entry) => isOnPage(entry) || index.typeOf(entry) === 'user');
}
