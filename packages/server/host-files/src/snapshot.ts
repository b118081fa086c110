import { snapshotLine } from './journal-line.ts';
import { linePieces } from './line-pieces.ts';
import type { OpenFile } from './open-file.ts';
import type { SegmentDraft } from './segment-draft.ts';
import type { Segments } from './segments.ts';

/** The beginning of the next file. */
export class Snapshot {
  readonly #draft: SegmentDraft;
  /** Up to here the lines of the current file are in it. */
  readonly #offset: number;

  private constructor(draft: SegmentDraft, offset: number) {
    this.#draft = draft;
    this.#offset = offset;
  }

  /** Writes the changes that the lines up to an offset add up to. */
  static async take(
    draft: SegmentDraft,
    { changes, offset }: { readonly changes: Iterable<unknown>; readonly offset: number },
  ): Promise<Snapshot> {
    try {
      await draft.write(toLines(changes));
      return new Snapshot(draft, offset);
    } catch (error) {
      await draft.discard();
      throw error;
    }
  }

  /** Adds the next file, with the lines that others have added to the current one since then, up to its seal. */
  async addTo(segments: Segments, { file, seal }: { readonly file: OpenFile; readonly seal: number }): Promise<void> {
    try {
      for await (const { lines } of linePieces(file, this.#offset, seal))
        await this.#draft.write(lines.map(({ text }) => `${text}\n`));
      await this.#draft.write([`${snapshotLine}\n`]);
      await segments.add(this.#draft);
    } finally {
      await this.discard();
    }
  }

  /** Safe to call twice. */
  async discard(): Promise<void> {
    await this.#draft.discard();
  }
}

function* toLines(changes: Iterable<unknown>): Iterable<string> {
  for (const change of changes) yield `${JSON.stringify({ c: change })}\n`;
}
