import type { Writable } from 'node:stream';
import { SdkError } from '@hexagent/ports';

/** The one ordered way to the program's standard input. */
export class LineWriter {
  readonly #stdin: Writable;
  #lines: string[] = [];
  /** The promise of the lines that wait. */
  #written: Promise<void> | undefined;
  #settle: (cause?: Error | null) => void = () => {};
  /** Whether the last write was over when it returned. Then the next one most likely is too. */
  #writesAtOnce = false;
  #open = true;
  #ended: Promise<void> | undefined;

  /** `onBroken` is called when the pipe fails, or closes before `end()`: also when no line waits for it. */
  constructor(stdin: Writable, onBroken = (): void => {}) {
    this.#stdin = stdin;
    let isBroken = false;
    const broken = (): void => {
      if (isBroken || !this.#open) return;
      isBroken = true;
      onBroken();
    };
    // The callback of each write reports it to the sender.
    stdin.on('error', broken);
    stdin.on('close', broken);
  }

  /** A program that closed its input after the last line was written is noticed at the next write only. */
  probe(): void {
    if (this.#open && this.#stdin.writable && this.#stdin.writableLength === 0) this.#stdin.write('');
  }

  /** Lines sent in one turn of the loop are one write and share its promise: a burst costs one system call. */
  send(line: string): Promise<void> {
    if (!this.#open) return Promise.reject(channelClosed());
    this.#lines.push(line);
    this.#written ??= new Promise((resolve, reject) => {
      this.#settle = (cause) => (cause ? reject(channelClosed(cause)) : resolve());
      void now.then(this.#flush);
    });
    return this.#written;
  }

  /** Takes nothing more. Lines that were sent before are still written. */
  refuse(): void {
    this.#open = false;
  }

  /** Never rejects: the input of a program that has exited needs no end. */
  end(): Promise<void> {
    this.refuse();
    this.#ended ??= new Promise((resolve) => {
      this.#flush();
      this.#stdin.once('close', resolve);
      this.#stdin.end(() => resolve());
    });
    return this.#ended;
  }

  /** The program has exited: writes that are still queued are rejected. */
  abandon(): void {
    this.refuse();
    this.#ended ??= Promise.resolve();
    this.#flush();
    this.#stdin.destroy();
  }

  readonly #flush = (): void => {
    if (this.#written === undefined) return;
    const [stdin, settle] = [this.#stdin, this.#settle];
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#written = undefined;
    if (!this.#writesAtOnce) {
      // The callback also reports a pipe that was ended, destroyed or broken: one path for all of them.
      stdin.write(text, settle);
      this.#writesAtOnce = stdin.writableLength === 0;
      return;
    }
    // For a callback Node schedules a tick, two dozen calls of functions: only a write that waits needs one.
    stdin.write(text);
    if (stdin.writableLength === 0 && stdin.writable) return settle();
    this.#writesAtOnce = false;
    stdin.write('', settle); // behind the text, so that it has the same outcome
  };
}

/** A reaction to it runs as a `queueMicrotask()` does, which calls two dozen functions of Node's more. */
const now = Promise.resolve();

function channelClosed(cause?: Error): SdkError {
  return new SdkError('CHANNEL_CLOSED', 'Cannot send: the agent has exited, or its input was ended.', { cause });
}
