import { unlink } from 'node:fs/promises';
import { hasCode } from '@hexagent/checks';
import { snapshotLine } from './journal-line.ts';
import { linePieces, toPieces } from './line-pieces.ts';
import type { OpenFile } from './open-file.ts';
import type { Draft, Segments } from './segments.ts';

/** The beginning of the next file. */
export class Snapshot {
  readonly #draft: Draft;
  /** Up to here the lines of the current file are in it. */
  readonly #offset: number;

  private constructor(draft: Draft, offset: number) {
    this.#draft = draft;
    this.#offset = offset;
  }

  /** Writes the changes that the lines up to an offset add up to. */
  static async take(
    draft: Draft,
    { changes, offset }: { readonly changes: Iterable<unknown>; readonly offset: number },
  ): Promise<Snapshot> {
    const snapshot = new Snapshot(draft, offset);
    try {
      await snapshot.#write(toLines(changes));
      return snapshot;
    } catch (error) {
      await snapshot.discard();
      throw error;
    }
  }

  /** Adds the next file, with the lines that others have added to the current one since then, up to its seal. */
  async addTo(segments: Segments, { file, seal }: { readonly file: OpenFile; readonly seal: number }): Promise<void> {
    try {
      for await (const { lines } of linePieces(file, this.#offset, seal))
        await this.#write(lines.map(({ text }) => `${text}\n`));
      await this.#write([`${snapshotLine}\n`]);
      await segments.add(this.#draft);
    } finally {
      await this.discard();
    }
  }

  /** Removes the temporary name; a segment that was added stays. Safe to call twice. */
  async discard(): Promise<void> {
    await this.#draft.file.close();
    try {
      await unlink(this.#draft.path);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }

  /** In pieces: a snapshot may be longer than a text can be. */
  async #write(lines: Iterable<string>): Promise<void> {
    for (const piece of toPieces(lines)) await this.#draft.file.write(piece);
  }
}

function* toLines(changes: Iterable<unknown>): Iterable<string> {
  for (const change of changes) yield `${JSON.stringify({ c: change })}\n`;
}
