import type { Transcript, TranscriptEntry } from '@hexagent/ports';
import { MemoryIndex } from './memory-index.ts';

/** A transcript whose entries are in memory, such as one that a store has loaded. */
export function transcriptOf(stored: readonly TranscriptEntry[]): Transcript {
  return {
    index: async () => new MemoryIndex(stored),
    async *entries() {
      yield stored;
    },
  };
}
