import type { Readable } from 'node:stream';
import { LineSplitter, notify } from '@hexagent/async';

/** A line without an end is reported in pieces of this size: memory stays bounded. */
const longestLine = 64 * 1024;
const newline = 0x0a;

/** Keeps the end of what the program writes to its error stream, and reports each line to `onLine`. */
export class StderrTail {
  /** Bytes read so far. */
  bytes = 0;
  readonly #stderr: Readable;
  readonly #keep: number;
  readonly #onLine: ((line: string) => void) | undefined;
  readonly #splitter: LineSplitter | undefined;
  #unsplit = 0;
  #chunks: Buffer[] = [];
  #kept = 0;

  constructor(stderr: Readable, { keep, onLine }: { keep: number; onLine?: ((line: string) => void) | undefined }) {
    this.#stderr = stderr;
    this.#keep = keep;
    this.#onLine = onLine;
    this.#splitter = typeof onLine === 'function' ? new LineSplitter() : undefined;
    stderr.on('error', () => {}); // a pipe that breaks has ended
    stderr.on('data', (chunk: Buffer | string) => this.#read(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  }

  /** Ends the reading and returns the tail: whole lines, unless a single one is longer than what is kept. */
  finish(): string {
    this.#stderr.destroy();
    const rest = this.#splitter?.remainder() ?? '';
    if (rest !== '') this.#report([rest]);
    return tailOf(Buffer.concat(this.#chunks), this.bytes > this.#keep ? this.#keep : undefined);
  }

  #read(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.#remember(chunk);
    if (this.#splitter === undefined) return;
    const lines = this.#splitter.push(chunk);
    this.#unsplit = lines.length > 0 ? 0 : this.#unsplit + chunk.length;
    this.#report(lines);
    if (this.#unsplit < longestLine) return;
    this.#unsplit = 0;
    this.#report(this.#splitter.push(Buffer.from('\n')));
  }

  #remember(chunk: Buffer): void {
    if (this.#keep === 0) return;
    // Copied, because a small chunk would keep alive the whole block it was read into.
    this.#chunks.push(Buffer.from(chunk.subarray(-this.#keep)));
    this.#kept += Math.min(chunk.length, this.#keep);
    while (this.#kept - (this.#chunks[0]?.length ?? 0) >= this.#keep) this.#kept -= this.#chunks.shift()?.length ?? 0;
  }

  #report(lines: readonly string[]): void {
    // A listener that fails, at once or later, must not end the conversation it listens to.
    for (const line of lines) notify(() => this.#onLine?.(line));
  }
}

/** Cuts where a line begins, or, within a single long line, where a character begins. */
function tailOf(bytes: Buffer, cutTo: number | undefined): string {
  if (cutTo === undefined) return bytes.toString();
  const tail = bytes.subarray(-cutTo);
  const lineEnd = tail.indexOf(newline);
  if (lineEnd !== -1 && lineEnd < tail.length - 1) return tail.subarray(lineEnd + 1).toString();
  return tail.subarray(tail.findIndex((byte) => (byte & 0xc0) !== 0x80)).toString();
}
