import { headOf } from '@hexagent/checks';
import type { EntryHead, SessionStoreEntry, Transcript, TranscriptEntry, TranscriptPart } from '@hexagent/ports';

/** The metadata of a subagent is an entry of its transcript in a store, and a file beside it in the agent's folder. */
export const metadataType = 'agent_metadata';

/** A transcript whose entries are in memory, such as one that a store has loaded. */
export function transcriptOf(stored: readonly TranscriptEntry[]): Transcript {
  return {
    async index() {
      const byHead = new Map<EntryHead, TranscriptEntry>();
      for (const entry of stored) {
        const head = headOf(entry);
        if (head !== undefined) byHead.set(head, entry);
      }
      return {
        heads: [...byHead.keys()],
        async *entriesOf(heads) {
          yield Array.from(heads, (head) => [head, byHead.get(head)] as const).filter(isFound);
        },
      };
    },
    async *entries() {
      yield stored;
    },
  };
}

const isFound = (pair: readonly [EntryHead, TranscriptEntry | undefined]): pair is [EntryHead, TranscriptEntry] =>
  pair[1] !== undefined;

/** A transcript that belongs to a session, as a store has it. */
export function partOf(subpath: string, stored: readonly SessionStoreEntry[]): TranscriptPart {
  const transcript = transcriptOf(stored.filter(({ type }) => type !== metadataType));
  const newest = stored.findLast(({ type }) => type === metadataType);
  if (newest === undefined) return { subpath, transcript, metadata: undefined };
  const { type: _, ...metadata } = newest;
  return { subpath, transcript, metadata };
}
