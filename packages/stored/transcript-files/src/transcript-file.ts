import { headOf } from '@hexagent/checks';
import type { EntryHead, EntryIndex, Transcript, TranscriptEntry } from '@hexagent/ports';
import { isBookkeeping, parseEntry } from './entries.ts';
import { linesIn } from './lines.ts';
import { entriesAt, type Span } from './spans.ts';

/** One transcript on disk. Each reading opens the file anew, and closes it when it ends or is left. */
export class TranscriptFile implements Transcript {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async index(): Promise<EntryIndex> {
    const spans = new Map<EntryHead, Span>();
    for await (const lines of linesIn(this.path))
      for (const { bytes, place } of lines) {
        const head = isBookkeeping(bytes) ? undefined : headOf(parseEntry(bytes));
        if (head !== undefined) spans.set(head, { head, place, size: bytes.length });
      }
    return {
      heads: [...spans.keys()],
      entriesOf: (heads) =>
        entriesAt(
          this.path,
          Array.from(heads, (head) => spans.get(head)).filter((span) => span !== undefined),
        ),
    };
  }

  async *entries(): AsyncGenerator<readonly TranscriptEntry[], void, undefined> {
    for await (const lines of linesIn(this.path)) {
      const entries = lines.map(({ bytes }) => parseEntry(bytes)).filter((entry) => entry !== undefined);
      if (entries.length > 0) yield entries;
    }
  }
}
