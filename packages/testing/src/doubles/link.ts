import { type Exit, SdkError } from '@hexagent/ports';
import { Deferred, Inbox } from '@hexagent/async';
import { microtasks } from './microtasks.ts';
import type { Leaving } from './wire.ts';

/** What the agent's end of a link hears. */
export interface LinkReader {
  readLine(line: string): void;
  readEnd(): void;
}

/** Two pipes between an SDK and an agent in one process, with what real pipes do: they fill, they wait, they break. */
export class Link {
  readonly exit: Promise<Exit>;
  readonly inbox: Inbox<readonly string[]> = new Inbox({
    taken: () => this.#settle(),
    left: () => this.discard(),
  });
  readonly #exit = new Deferred<Exit>();
  readonly #waitingToSend: { readonly line: string; readonly sent: Deferred<void> }[] = [];
  readonly #inputDone = new Deferred<void>();
  #reader: LinkReader | undefined;
  #waitingToBeRead: string[] = [];
  #paused = false;
  #blocked = false;
  #inputEnding = false;
  #closing = false;
  #leaving: Exit | undefined;

  constructor() {
    this.exit = this.#exit.promise;
  }

  set reader(reader: LinkReader) {
    this.#reader = reader;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** What the agent wrote and the SDK does not read. */
  get waitingToBeRead(): readonly string[] {
    return this.#waitingToBeRead;
  }

  get gone(): boolean {
    return this.#leaving !== undefined;
  }

  /** The agent writes. Once it has gone it can say no more, like any process. */
  write(lines: readonly string[]): void {
    if (this.#leaving || lines.length === 0) return;
    if (this.#paused) this.#waitingToBeRead.push(...lines);
    else this.inbox.push([...lines], lines.length);
  }

  /** What the agent writes cannot be read any more, after what it has written; the agent itself lives on. */
  breakOff(error: unknown): void {
    this.inbox.end({ error });
  }

  /** The agent goes. */
  leave({ code, signal = null, stderr = '', ...rest }: Leaving): void {
    if (this.#leaving) return;
    const exitCode = code === undefined && signal === null ? 0 : (code ?? null);
    this.#leaving = { code: exitCode, signal, stderr, closed: this.#closing, ...rest };
    for (const { line, sent } of this.#waitingToSend.splice(0)) sent.reject(agentGone(line));
    this.#inputDone.resolve();
    this.#settle();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    const lines = this.#waitingToBeRead;
    this.#waitingToBeRead = [];
    // As from a pipe: what waited comes with one read.
    if (lines.length > 0) this.inbox.push(lines, lines.length);
    this.#settle();
  }

  /** The SDK no longer wants what the agent says. */
  discard(): void {
    this.#paused = false;
    this.#waitingToBeRead = [];
    this.inbox.discard();
    this.inbox.end();
    this.#settle();
  }

  async send(line: string): Promise<void> {
    if (this.#inputEnding || this.#leaving) throw agentGone(line);
    if (!this.#blocked) return this.#reader?.readLine(line);
    const sent = new Deferred<void>();
    this.#waitingToSend.push({ line, sent });
    await sent.promise;
  }

  /** The agent stops reading: what the SDK sends waits. */
  block(): void {
    this.#blocked = true;
  }

  unblock(): void {
    this.#blocked = false;
    for (const { line, sent } of this.#waitingToSend.splice(0)) {
      this.#reader?.readLine(line);
      sent.resolve();
    }
    if (this.#inputEnding) this.#endInput();
  }

  async end(): Promise<void> {
    this.#inputEnding = true;
    if (!this.#blocked) this.#endInput();
    await this.#inputDone.promise;
  }

  async close(): Promise<void> {
    if (!this.#leaving) this.#closing = true;
    this.discard();
    this.#inputEnding = true;
    // In stages: an agent that goes when its input ends has gone here; another one is told to, as by SIGTERM.
    if (!this.#leaving) this.#endInput();
    this.leave({ code: 143 });
    await this.exit;
  }

  #endInput(): void {
    this.#inputDone.resolve();
    this.#reader?.readEnd();
  }

  /** Tells the exit once the last line has been handed out. */
  #settle(): void {
    const leaving = this.#leaving;
    if (!leaving || this.#waitingToBeRead.length > 0) return;
    this.inbox.end();
    if (this.inbox.size === 0) void this.#tell(leaving);
  }

  async #tell(exit: Exit): Promise<void> {
    // Whoever was handed the last lines just now runs before whoever waits for the exit.
    await microtasks(5);
    this.#exit.resolve(exit);
  }
}

function agentGone(line: string): SdkError {
  return new SdkError(
    'CHANNEL_CLOSED',
    `Cannot send: the agent has gone, or its input was ended. The line began with ${line.slice(0, 80)}`,
  );
}
