import type {
  EntryHead,
  Page,
  ReadStoredMessages,
  SessionTranscript,
  StoredMessage,
  SubagentTranscript,
  Transcript,
} from '@hexagent/ports';
import { conversationOf } from './conversation-order.ts';
import { headsOf } from './heads-of.ts';
import { LocalCommands } from './local-commands.ts';
import { pageOf } from './page.ts';
import { storedMessage, type Speaker } from './stored-message.ts';

/** The messages of a session, without those of its subagents. */
export function messagesOf(
  transcript: SessionTranscript,
  { includeSystemMessages = false, includeToolUseResults = false, ...page }: Omit<ReadStoredMessages, 'dir'>,
): AsyncIterable<StoredMessage> {
  const isOwn = (head: EntryHead): boolean => !head.isSidechain && !head.isTeammates;
  const isShown = (head: EntryHead): boolean =>
    isOwn(head) && !head.isMeta && (isMessage(head) || (includeSystemMessages && head.type === 'system'));
  const speaker = { sessionId: transcript.sessionId, includeToolUseResults };
  return read(transcript, { mayBeLast: isOwn, isShown, page, speaker });
}

/** The messages from and to a subagent. There every entry is marked as a side chain, and many are for the model alone. */
export function subagentMessagesOf(
  subagent: SubagentTranscript,
  sessionId: string,
  page: Page,
): AsyncIterable<StoredMessage> {
  const { parentAgentId, toolUseId } = subagent;
  const speaker = { sessionId, parentAgentId, toolUseId };
  return read(subagent, { mayBeLast: () => true, isShown: isMessage, page, speaker });
}

const isMessage = ({ type, promptUuid }: EntryHead): boolean =>
  type === 'user' || type === 'assistant' || promptUuid !== undefined;

interface Reading {
  readonly mayBeLast: (head: EntryHead) => boolean;
  readonly isShown: (head: EntryHead) => boolean;
  readonly page: Page;
  readonly speaker: Speaker;
}

/** Orders the heads, and then reads the entries of the page: one that is not asked for is never held. */
async function* read(
  transcript: Transcript,
  { mayBeLast, isShown, page, speaker }: Reading,
): AsyncGenerator<StoredMessage, void, undefined> {
  const conversation = conversationOf(await headsOf(transcript), mayBeLast);
  const shown = new Set(pageOf(conversation.filter(isShown), page));
  const needed = neededFor(shown, conversation);
  const commands = new LocalCommands();
  let index = 0;
  const onlyMessages = speaker.includeToolUseResults !== true;
  for await (const entries of transcript.entriesOf(needed, { onlyMessages }))
    for (const entry of entries) {
      const head = needed[index];
      index += 1;
      if (entry === undefined || head === undefined) continue;
      const isLocal = commands.accepts(entry);
      const message = shown.has(head) ? storedMessage(entry, speaker, isLocal) : undefined;
      if (message !== undefined) yield message;
    }
}

/** The entries of the page, and those before them that show whether the first ones are commands that ran without the model. */
function neededFor(shown: ReadonlySet<EntryHead>, conversation: readonly EntryHead[]): readonly EntryHead[] {
  const start = conversation.findIndex((head) => shown.has(head));
  if (start === -1) return [];
  const answer = conversation.findLastIndex(({ type }, index) => index < start && type === 'assistant');
  const end = conversation.findLastIndex((head) => shown.has(head));
  return conversation.slice(answer + 1, end + 1).filter((head) => shown.has(head) || head.type === 'user');
}
