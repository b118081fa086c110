import type {
  EntryHead,
  Page,
  ReadStoredMessages,
  SessionTranscript,
  StoredMessage,
  SubagentTranscript,
  Transcript,
} from '@hexagent/ports';
import { conversationOf, isMessage } from './conversation-order.ts';
import { LocalCommands } from './local-commands.ts';
import { storedMessage, type TranscriptOwner } from './stored-message.ts';
import { withoutUnanswered } from './unanswered-prompts.ts';

/** Messages in their order, in batches of one read: one at a time would take longer. */
export type MessageBatches = AsyncGenerator<readonly StoredMessage[], void, undefined>;

/** The messages of a session, without those of its subagents. */
export function messagesOf(
  transcript: SessionTranscript,
  { includeSystemMessages = false, includeToolUseResults = false, ...page }: Omit<ReadStoredMessages, 'dir'>,
): MessageBatches {
  const isOwn = (head: EntryHead): boolean => !head.isSidechain && !head.isTeammates;
  const isOfKind = (head: EntryHead): boolean =>
    isMessage(head) || head.promptUuid !== undefined || (includeSystemMessages && head.type === 'system');
  return read(transcript, {
    mayBeLast: isOwn,
    isShown: (head) => isOwn(head) && !head.isMeta && isOfKind(head),
    page,
    owner: { sessionId: transcript.sessionId, includeToolUseResults },
  });
}

/** The messages from and to a subagent. There every entry is marked as a side chain, and many are for the model alone. */
export function subagentMessagesOf(subagent: SubagentTranscript, sessionId: string, page: Page): MessageBatches {
  const { parentAgentId, toolUseId } = subagent;
  return read(subagent, {
    mayBeLast: () => true,
    isShown: (head) => isMessage(head) || head.promptUuid !== undefined,
    page,
    owner: { sessionId, parentAgentId, toolUseId },
  });
}

interface Reading {
  readonly mayBeLast: (head: EntryHead) => boolean;
  readonly isShown: (head: EntryHead) => boolean;
  readonly page: Page;
  readonly owner: TranscriptOwner;
}

/** Orders the entries, and then reads those of the page: one that is not asked for is never held. */
async function* read(transcript: Transcript, { mayBeLast, isShown, page, owner }: Reading): MessageBatches {
  const index = await transcript.index();
  const conversation = await withoutUnanswered(index, conversationOf(index.heads, mayBeLast));
  const { limit = Infinity, offset = 0 } = page;
  const onPage = new Set(conversation.filter(isShown).slice(offset, offset + limit));
  const commands = new LocalCommands();
  for await (const entries of index.entriesOf(neededFor(onPage, conversation))) {
    const messages: StoredMessage[] = [];
    for (const [head, entry] of entries) {
      const isLocal = commands.accepts(entry);
      const message = onPage.has(head) ? storedMessage(entry, owner, isLocal) : undefined;
      if (message !== undefined) messages.push(message);
    }
    yield messages;
  }
}

/** The entries of the page, and those before them that show whether the first ones are commands that ran without the model. */
function neededFor(onPage: ReadonlySet<EntryHead>, conversation: readonly EntryHead[]): readonly EntryHead[] {
  const start = conversation.findIndex((head) => onPage.has(head));
  const answer = conversation.slice(0, Math.max(start, 0)).findLastIndex(({ type }) => type === 'assistant');
  const end = conversation.findLastIndex((head) => onPage.has(head));
  return conversation.slice(answer + 1, end + 1).filter((head) => onPage.has(head) || head.type === 'user');
}
