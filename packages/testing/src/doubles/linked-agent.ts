import { type Exit, type Launch, SdkError } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import type { Link, LinkReader } from './link.ts';
import type { AgentSide, ExitFields, ReceivedFrame, Wanted } from './wire.ts';

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
    void link.exit.then(() => this.#rejectWaiters());
  }

  get launch(): Launch | undefined {
    return this.#launch;
  }

  /** Resolves when the SDK connects to this agent. */
  get launched(): Promise<Launch> {
    return this.#launched.promise;
  }

  /** Every line that the SDK has written. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Every line that the SDK has written, parsed; throws when one is not JSON. */
  get received(): readonly ReceivedFrame[] {
    return this.#lines.map((_, index) => this.#frame(index));
  }

  /** Whether the SDK has ended its side. */
  get inputEnded(): boolean {
    return this.#ended.settled;
  }

  /** Resolves when the SDK ends its side. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Resolves with the exit of the agent when the SDK receives it. */
  get exited(): Promise<Exit> {
    return this.#link.exit;
  }

  /** Whether the SDK has stopped reading. */
  get paused(): boolean {
    return this.#link.paused;
  }

  /** Lines of the agent that the SDK has not read. */
  get unread(): readonly string[] {
    return this.#link.unread;
  }

  /**
   * The first matching frame, past or future, that no earlier `next()` returned.
   * @throws {SdkError} `CHANNEL_CLOSED` when the SDK can no longer write.
   */
  async next(wanted: Wanted = () => true): Promise<ReceivedFrame> {
    const test = typeof wanted === 'function' ? wanted : isOf(wanted);
    for (const index of this.#lines.keys()) {
      if (!this.#taken.has(index) && test(this.#frame(index))) return this.#take(index);
    }
    if (this.inputEnded || this.#link.hasExited) throw this.#neverWritten(wanted);
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

  exit(fields: ExitFields = {}): void {
    this.#link.exitWith(fields);
    this.#rejectWaiters();
  }

  /** Ends its lines with this error; the SDK has to end the agent. */
  breakOff(error: unknown): void {
    this.#link.breakOff(error);
  }

  /** Stops reading, so that `send()` of the SDK stays pending, as with a full pipe. */
  stopReading(): void {
    this.#link.block();
  }

  /** Reads again, the pending lines first. */
  startReading(): void {
    this.#link.unblock();
  }

  /** Closes its input and runs on, so that every `send()` of the SDK rejects, as with a broken pipe. */
  closeInput(): void {
    this.#link.closeInput();
  }

  onLine(listener: (line: string) => void): void {
    for (const line of this.#lines) listener(line);
    this.#lineListeners.push(listener);
  }

  onInputEnd(listener: () => void): void {
    if (this.inputEnded) listener();
    else this.#endListeners.push(listener);
  }

  /** Called by the transport when the SDK connects. */
  connected(launch: Launch): void {
    this.#launch = launch;
    this.#launched.resolve(launch);
  }

  /** Called by the link for each line. */
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

  /** Called by the link at the end of the input. */
  readEnd(): void {
    if (this.inputEnded) return;
    this.#ended.resolve();
    this.#rejectWaiters();
    for (const listener of this.#endListeners) listener();
  }

  #take(index: number): ReceivedFrame {
    this.#taken.add(index);
    return this.#frame(index);
  }

  #frame(index: number): ReceivedFrame {
    // A line that is not JSON breaks a promise of the SDK, so the test that reads it should fail here.
    return (this.#frames[index] ??= JSON.parse(this.#lines[index] ?? '') as ReceivedFrame);
  }

  #rejectWaiters(): void {
    for (const { found, wanted } of this.#awaiting) found.reject(this.#neverWritten(wanted));
    this.#awaiting.clear();
  }

  #neverWritten(wanted: Wanted): SdkError {
    const what = typeof wanted === 'function' ? 'such frame' : wanted;
    return new SdkError(
      'CHANNEL_CLOSED',
      `The SDK can no longer write, and wrote no ${what}. It wrote:\n${this.#lines.join('\n')}`,
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
