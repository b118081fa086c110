import { HeadIndex } from '@hexagent/checks';
import type { Transcript, TranscriptEntry } from '@hexagent/ports';

/** A transcript whose entries are in memory, such as one that a store has loaded. */
export function transcriptOf(stored: readonly TranscriptEntry[]): Transcript {
  return {
    async index() {
      const index = new HeadIndex<TranscriptEntry>(async function* (entries) {
        yield [...entries];
      });
      for (const entry of stored) index.add(entry, entry);
      return index;
    },
    async *entries() {
      yield stored;
    },
  };
}
