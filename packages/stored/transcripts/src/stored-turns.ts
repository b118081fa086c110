import { headOf, isRecord } from '@hexagent/checks';
import type { EntryHead, Transcript, TranscriptEntry } from '@hexagent/ports';
import { EntryTree } from './entry-tree.ts';

/** A stored conversation, by its turns. */
export interface StoredTurns {
  /** Those that an agent continues which resumes the session, in their order. */
  readonly turns: readonly StoredTurn[];
  /** The messages of every branch, also those that were taken back. */
  readonly messages: ReadonlySet<string>;
}

/** One turn of a stored conversation. */
export interface StoredTurn {
  /** The uuid of the message that began it, by which the agent finds it. */
  readonly id: string;
  /** That, and the uuids of messages that the agent took up while it worked on it. */
  readonly ids: readonly string[];
  /** The uuid of its last message. */
  readonly last: string;
}

interface Begun {
  readonly id: string;
  readonly ids: string[];
  last: string;
}

/**
 * The conversation that an agent continues which resumes the session: from the last compaction on, without what was taken back. The branch
 * that was written to last counts, or the place at which a rewind has ended since.
 */
export async function storedTurns(transcript: Transcript): Promise<StoredTurns> {
  const heads: EntryHead[] = [];
  const marked = new Set<string>();
  let leaf: string | undefined;
  for await (const entries of transcript.entries()) {
    for (const entry of entries) {
      const head = headOf(entry);
      if (head === undefined) leaf = rewoundTo(entry, leaf);
      else if (!head.isSidechain && !head.isTeammates) {
        heads.push(head);
        leaf = head.uuid;
        if (entry['turnAttributionKey'] !== undefined || entry['turnOrigin'] !== undefined) marked.add(head.uuid);
      }
    }
  }
  const tree = new EntryTree(heads);
  const last = tree.headOf(leaf);
  const begins = (head: EntryHead): boolean => (marked.size === 0 ? mayBegin(head) : marked.has(head.uuid));
  return {
    turns: last === undefined ? [] : turnsIn(tree.chainTo(last), begins),
    messages: new Set(heads.flatMap(({ uuid, promptUuid }) => [uuid, promptUuid ?? uuid])),
  };
}

/** Where a rewind cut the conversation: `undefined` before its first message. Other notes about the last prompt cut nothing. */
function rewoundTo(entry: TranscriptEntry, leaf: string | undefined): string | undefined {
  if (!isRecord(entry) || entry['type'] !== 'last-prompt' || entry['rewound'] !== true) return leaf;
  return typeof entry['leafUuid'] === 'string' ? entry['leafUuid'] : undefined;
}

function turnsIn(chain: readonly EntryHead[], begins: (head: EntryHead) => boolean): readonly StoredTurn[] {
  const turns: Begun[] = [];
  for (const head of chain) {
    const { type, uuid, promptUuid } = head;
    if (begins(head) && type === 'user') turns.push({ id: uuid, ids: [uuid], last: uuid });
    const turn = turns.at(-1);
    if (turn === undefined) continue;
    if (promptUuid !== undefined && !head.isMeta) turn.ids.push(promptUuid);
    if (type === 'user' || type === 'assistant') turn.last = uuid;
  }
  return turns;
}

/** An older agent marks no message. Then a note that it was interrupted counts as a turn as well. */
const mayBegin = ({ isMeta, toolUseIds }: EntryHead): boolean => !isMeta && toolUseIds.length === 0;
