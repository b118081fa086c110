import type { FileHandle } from 'node:fs/promises';
import { newline, startOfEntry } from './json-bytes.ts';

const blockBytes = 1024 * 1024;

/** Receives a line: where it is in the bytes, and where it is in the file. The bytes are used again afterwards. */
export type LineReceiver = (bytes: Buffer, start: number, end: number, place: number) => void;

/** Reads a file block by block, and holds no more of it than a block or its longest line. */
export class LineReader {
  readonly #file: FileHandle;
  /** Recognises, by its beginning, a line that is not needed: it is not held until it ends. */
  readonly #isUnneeded: (bytes: Buffer, start: number, end: number) => boolean;
  #bytes: Buffer;
  #filled = 0;
  /** Where the first of the held bytes is in the file. */
  #place: number;
  #isSkipping = false;
  #isAtEnd = false;

  constructor(
    file: FileHandle,
    {
      from = 0,
      fileSize = blockBytes,
      isUnneeded = () => false,
    }: {
      readonly from?: number;
      readonly fileSize?: number;
      readonly isUnneeded?: (bytes: Buffer, start: number, end: number) => boolean;
    } = {},
  ) {
    this.#file = file;
    this.#place = from;
    this.#isUnneeded = isUnneeded;
    // One more than the file has, so that its end is seen with the first read.
    this.#bytes = Buffer.allocUnsafe(Math.max(1, Math.min(blockBytes, fileSize - from + 1)));
  }

  /** Reads on, and hands over the lines that are complete now, at the end of the file also the last one. `false` at the end. */
  async read(receive: LineReceiver): Promise<boolean> {
    if (this.#isAtEnd) return false;
    if (this.#filled === this.#bytes.length) this.#makeRoom();
    const { bytesRead } = await this.#file.read(
      this.#bytes,
      this.#filled,
      this.#bytes.length - this.#filled,
      this.#place + this.#filled,
    );
    this.#isAtEnd = bytesRead === 0;
    const searched = this.#filled;
    this.#filled += bytesRead;
    this.#handOver(receive, searched);
    return true;
  }

  #handOver(receive: LineReceiver, searched: number): void {
    const bytes = this.#bytes.subarray(0, this.#filled);
    let start = 0;
    for (let end = bytes.indexOf(newline, searched); end !== -1; end = bytes.indexOf(newline, start)) {
      if (this.#isSkipping) this.#isSkipping = false;
      else this.#handOverLine(receive, bytes, start, end);
      start = end + 1;
    }
    if (this.#isAtEnd && !this.#isSkipping) this.#handOverLine(receive, bytes, start, this.#filled);
    this.#drop(start);
    if (!this.#isAtEnd && this.#isUnneeded(this.#bytes, 0, this.#filled)) this.#isSkipping = true;
    if (this.#isSkipping) this.#drop(this.#filled);
  }

  #handOverLine(receive: LineReceiver, bytes: Buffer, lineStart: number, end: number): void {
    const start = startOfEntry(bytes, lineStart, end);
    if (start < end) receive(bytes, start, end, this.#place + start);
  }

  /** Forgets the first bytes, and gives back what a long line took. */
  #drop(count: number): void {
    if (count === 0) return;
    const rest = this.#filled - count;
    if (this.#bytes.length > blockBytes && rest < blockBytes) {
      const smaller = Buffer.allocUnsafe(blockBytes);
      this.#bytes.copy(smaller, 0, count, this.#filled);
      this.#bytes = smaller;
    } else this.#bytes.copyWithin(0, count, this.#filled);
    this.#filled = rest;
    this.#place += count;
  }

  #makeRoom(): void {
    const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}
