import { headOf } from '@hexagent/checks';
import type { EntryHead, SessionStoreEntry, Transcript, TranscriptEntry } from '@hexagent/ports';

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

/** The entries of a transcript in a store without the metadata among them, of which the newest counts. */
export function withoutMetadata(stored: readonly SessionStoreEntry[]): {
  readonly entries: readonly SessionStoreEntry[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
} {
  const entries = stored.filter(({ type }) => type !== metadataType);
  const newest = stored.findLast(({ type }) => type === metadataType);
  if (newest === undefined) return { entries, metadata: undefined };
  const { type: _, ...metadata } = newest;
  return { entries, metadata };
}
