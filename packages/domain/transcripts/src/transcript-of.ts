import type { Transcript, TranscriptEntry } from '@hexagent/ports';
import { headOf } from './head-of.ts';

/** A transcript whose entries are in memory, such as one that a store has loaded. */
export function transcriptOf(stored: readonly TranscriptEntry[]): Transcript {
  return {
    async *heads() {
      yield stored.map((entry, place) => headOf(entry, place)).filter(({ uuid }) => uuid !== undefined);
    },
    async *entriesOf(heads) {
      yield heads.map(({ place }) => stored[place]);
    },
    async *entries() {
      yield stored;
    },
  };
}
