import { unlink } from 'node:fs/promises';
import { hasCode } from '@hexagent/checks';
import { toPieces } from './line-pieces.ts';
import type { OpenFile } from './open-file.ts';

/** A segment that is being written beside the others, under a temporary name. */
export class SegmentDraft {
  readonly number: number;
  readonly path: string;
  readonly #file: OpenFile;

  constructor({ number, path, file }: { readonly number: number; readonly path: string; readonly file: OpenFile }) {
    this.number = number;
    this.path = path;
    this.#file = file;
  }

  /** Adds lines, in pieces: a snapshot may be longer than a text can be. */
  async write(lines: Iterable<string>): Promise<void> {
    for (const piece of toPieces(lines)) await this.#file.write(piece);
  }

  async sync(): Promise<void> {
    await this.#file.datasync();
  }

  /** Removes the temporary name; a segment that was added stays. Safe to call twice. */
  async discard(): Promise<void> {
    await this.#file.close();
    try {
      await unlink(this.path);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}
