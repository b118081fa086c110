import { headOf, type EntryHead, type Transcript, type TranscriptEntry } from '@hexagent/ports';

/** A transcript whose entries are in memory, such as one that a store has loaded. */
export function transcriptOf(stored: readonly TranscriptEntry[]): Transcript {
  return {
    async *heads() {
      yield stored.map((entry, place) => headOf(entry, place)).filter((head): head is EntryHead => head !== undefined);
    },
    async *entriesOf(heads) {
      yield heads.map(({ place }) => stored[place]);
    },
    async *entries() {
      yield stored;
    },
  };
}
