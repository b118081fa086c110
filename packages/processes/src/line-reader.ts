import type { Readable } from 'node:stream';
import { SdkError } from '@hexagent/ports';
import { Inbox, LineSplitter } from '@hexagent/async';

/** Above so many unread bytes the output of the program is paused. */
const unreadBytes = 1024 * 1024;
/** More than any pipe holds: what comes beyond it after the program's exit was written by someone else. */
const leftInPipe = 16 * 1024 * 1024;

/** Turns the program's standard output into batches of lines: one batch per read. */
export class LineReader {
  readonly frames: Inbox<readonly string[]>;
  readonly #stdout: Readable;
  readonly #maxLineBytes: number;
  readonly #splitter: LineSplitter;
  /** Bytes read so far. */
  bytes = 0;
  #unsplit = 0;
  #paused = false;
  #discarding = false;
  #flowing = true;
  /** The number of bytes at which reading stops once the program has exited. */
  #limit: number | undefined;

  constructor(stdout: Readable, { maxLineBytes }: { readonly maxLineBytes: number }) {
    this.#stdout = stdout;
    this.#maxLineBytes = maxLineBytes;
    this.#splitter = new LineSplitter({ maxLineBytes, decode });
    this.frames = new Inbox({ onTaken: () => void (this.#flowing || this.#flow()), onReturn: () => this.discard() });
    // A pipe that breaks has ended; the reason is in the exit of the program.
    stdout.on('error', () => {});
    // A stream that the program made itself may give texts.
    stdout.on('data', (chunk: Buffer | string) => this.#read(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  }

  /** Whether the output of the program is paused, since its reader does not keep up. */
  get isHeldBack(): boolean {
    return !this.#flowing;
  }

  pause(): void {
    this.#paused = true;
    this.#flow();
  }

  resume(): void {
    this.#paused = false;
    this.#flow();
  }

  /** Drops all further output. It is still read: a program that cannot write could not exit. */
  discard(): void {
    if (this.#discarding) return;
    this.#discarding = true;
    this.frames.discard();
    this.frames.end();
    this.#flow();
  }

  /** Ends the frames: the output has ended, although the program runs. */
  end(): void {
    this.frames.end();
  }

  /** Delivers what was read before, then the error. Further output is dropped. */
  fail(error: SdkError): void {
    if (this.#discarding) return;
    this.#discarding = true;
    this.frames.end({ error });
    this.#flow();
  }

  /** The program has exited. A pause holds nothing back any more, and what is left fits into a pipe, so all of it is taken. */
  drain(): void {
    this.#limit ??= this.bytes + leftInPipe;
    this.#flowing = true;
    this.#stdout.resume();
  }

  /** Returns the last line if it had no ending. */
  finish(): string | undefined {
    const rest = this.#discarding ? '' : this.#splitter.remainder();
    this.frames.end();
    this.#stdout.destroy();
    return rest === '' ? undefined : rest;
  }

  #read(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.#discarding) return;
    this.#unsplit += chunk.length;
    try {
      const lines = this.#splitter.push(chunk);
      if (lines.length > 0) {
        const size = this.#unsplit;
        this.#unsplit = 0;
        this.frames.push(lines, size);
      }
      if (this.#splitter.isTooLong) this.#breakOff();
    } catch (cause) {
      // Nothing may be thrown where the bytes arrive: no caller could catch it.
      this.#breakOff({ cause });
    }
    this.#flow();
  }

  /** Everything after a line that is too long is dropped: its end cannot be found, and the program must be able to exit. */
  #breakOff(options?: ErrorOptions): void {
    const limit = `${this.#maxLineBytes} bytes, which is the limit \`maxLineBytes\``;
    const why = options === undefined ? `longer than ${limit}` : 'for which this process has no room';
    this.fail(new SdkError('LINE_TOO_LONG', `The agent wrote a line ${why}.`, options));
  }

  #flow(): void {
    const mayRead =
      this.#limit === undefined ? !this.#paused && this.frames.size < unreadBytes : this.bytes < this.#limit;
    const flowing = this.#discarding || mayRead;
    if (flowing === this.#flowing) return;
    this.#flowing = flowing;
    if (flowing) this.#stdout.resume();
    else this.#stdout.pause();
  }
}

/** As a `TextDecoder` does: the chunks are Node's own. */
const decode = (bytes: Uint8Array): string => (bytes instanceof Buffer ? bytes : Buffer.from(bytes)).toString();
