import { type Exit, type Launch, SdkError } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import type { Link, LinkReader } from './link.ts';
import type { AgentSide, Leaving, ReceivedFrame, Wanted } from './wire.ts';

/** An agent in the same process as the SDK, played by the test. */
export class LinkedAgent implements AgentSide, LinkReader {
  readonly #link: Link;
  readonly #lines: string[] = [];
  readonly #frames: ReceivedFrame[] = [];
  readonly #taken = new Set<number>();
  readonly #awaiting = new Set<Awaiting>();
  readonly #lineListeners: ((line: string) => void)[] = [];
  readonly #endListeners: (() => void)[] = [];
  readonly #launched = new Deferred<Launch>();
  readonly #ended = new Deferred<void>();
  #launch: Launch | undefined;

  constructor(link: Link) {
    this.#link = link;
    link.reader = this;
    void link.exit.then(() => this.#tellNothingMore());
  }

  get launch(): Launch | undefined {
    return this.#launch;
  }

  /** Settles when somebody connects to this agent. */
  get launched(): Promise<Launch> {
    return this.#launched.promise;
  }

  /** Every line the SDK has written, as it wrote it. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Every line the SDK has written, read as JSON; throws when one is none. */
  get received(): readonly ReceivedFrame[] {
    return this.#lines.map((_, index) => this.#frame(index));
  }

  /** Whether the SDK has ended its side. */
  get inputEnded(): boolean {
    return this.#ended.settled;
  }

  /** Settles when the SDK ends its side. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Settles when the SDK is told how the agent left. */
  get exited(): Promise<Exit> {
    return this.#link.exit;
  }

  /** Whether the SDK has stopped reading. */
  get paused(): boolean {
    return this.#link.paused;
  }

  /** What was written while the SDK was not reading, and is still here. */
  get unread(): readonly string[] {
    return this.#link.waitingToBeRead;
  }

  /**
   * The first frame, written already or to come, that is wanted and that no earlier `next()` returned.
   * @throws {SdkError} `CHANNEL_CLOSED` when the SDK can write no more.
   */
  async next(wanted: Wanted = () => true): Promise<ReceivedFrame> {
    const test = typeof wanted === 'function' ? wanted : isOf(wanted);
    for (const index of this.#lines.keys()) {
      if (!this.#taken.has(index) && test(this.#frame(index))) return this.#take(index);
    }
    if (this.inputEnded || this.#link.gone) throw this.#nothingMore(wanted);
    const found = new Deferred<ReceivedFrame>();
    this.#awaiting.add({ test, wanted, found });
    return await found.promise;
  }

  write(...frames: readonly object[]): void {
    this.writeLines(frames.map((frame) => JSON.stringify(frame)));
  }

  writeLines(lines: readonly string[]): void {
    this.#link.write(lines);
  }

  exit(leaving: Leaving = {}): void {
    this.#link.leave(leaving);
    this.#tellNothingMore();
  }

  /** What it writes from here on cannot be read: the SDK is told with this error, and has to end it. */
  breakOff(error: unknown): void {
    this.#link.breakOff(error);
  }

  /** Stops reading what the SDK writes: its `send()` waits, as with a full pipe. */
  stopReading(): void {
    this.#link.block();
  }

  /** Reads on, first what has waited. */
  startReading(): void {
    this.#link.unblock();
  }

  onLine(listener: (line: string) => void): void {
    for (const line of this.#lines) listener(line);
    this.#lineListeners.push(listener);
  }

  onInputEnd(listener: () => void): void {
    if (this.inputEnded) listener();
    else this.#endListeners.push(listener);
  }

  /** For the transport: somebody connects. */
  connected(launch: Launch): void {
    this.#launch = launch;
    this.#launched.resolve(launch);
  }

  /** For the link. */
  readLine(line: string): void {
    const index = this.#lines.push(line) - 1;
    for (const awaiting of this.#awaiting) {
      if (!awaiting.test(this.#frame(index))) continue;
      this.#awaiting.delete(awaiting);
      awaiting.found.resolve(this.#take(index));
      break;
    }
    for (const listener of this.#lineListeners) listener(line);
  }

  /** For the link. */
  readEnd(): void {
    if (this.inputEnded) return;
    this.#ended.resolve();
    this.#tellNothingMore();
    for (const listener of this.#endListeners) listener();
  }

  #take(index: number): ReceivedFrame {
    this.#taken.add(index);
    return this.#frame(index);
  }

  #frame(index: number): ReceivedFrame {
    // The SDK promises to write nothing else; a test that reads a line that breaks the promise should see it here.
    return (this.#frames[index] ??= JSON.parse(this.#lines[index] ?? '') as ReceivedFrame);
  }

  #tellNothingMore(): void {
    for (const { found, wanted } of this.#awaiting) found.reject(this.#nothingMore(wanted));
    this.#awaiting.clear();
  }

  #nothingMore(wanted: Wanted): SdkError {
    const what = typeof wanted === 'function' ? 'such frame' : wanted;
    return new SdkError(
      'CHANNEL_CLOSED',
      `The SDK writes no more and wrote no ${what}. It wrote:\n${this.#lines.join('\n')}`,
    );
  }
}

interface Awaiting {
  readonly test: (frame: ReceivedFrame) => boolean;
  readonly wanted: Wanted;
  readonly found: Deferred<ReceivedFrame>;
}

function isOf(name: string): (frame: ReceivedFrame) => boolean {
  return (frame) => frame.type === name || frame.request?.subtype === name;
}
