import { type Exit, SdkError } from '@hexagent/ports';
import { Deferred, Inbox } from '@hexagent/async';
import { microtasks } from './microtasks.ts';
import type { ExitFields } from './wire.ts';

/** Receives what the SDK sends to the agent. */
export interface LinkReader {
  readLine(line: string): void;
  readEnd(): void;
}

/** Two pipes between an SDK and an agent in one process. Like real pipes, they can be full, paused and broken. */
export class Link {
  readonly exit: Promise<Exit>;
  readonly inbox: Inbox<readonly string[]> = new Inbox({
    onTaken: () => this.#settle(),
    onReturn: () => this.discard(),
  });
  readonly #exit = new Deferred<Exit>();
  readonly #pendingSends: { readonly line: string; readonly sent: Deferred<void> }[] = [];
  readonly #inputDone = new Deferred<void>();
  #reader: LinkReader | undefined;
  #unread: string[] = [];
  #paused = false;
  #blocked = false;
  #inputEnding = false;
  #inputClosed = false;
  #closing = false;
  #exitFields: Exit | undefined;

  constructor() {
    this.exit = this.#exit.promise;
  }

  set reader(reader: LinkReader) {
    this.#reader = reader;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Lines of the agent that the SDK has not read. */
  get unread(): readonly string[] {
    return this.#unread;
  }

  get hasExited(): boolean {
    return this.#exitFields !== undefined;
  }

  /** Writes lines of the agent. Does nothing after its exit. */
  write(lines: readonly string[]): void {
    if (this.#exitFields || lines.length === 0) return;
    if (this.#paused) this.#unread.push(...lines);
    else this.inbox.push([...lines], lines.length);
  }

  /** Ends the agent's lines with an error, after those already written; the agent itself still runs. */
  breakOff(error: unknown): void {
    this.inbox.end({ error });
  }

  /** Ends the agent. */
  exitWith({ code, signal = null, stderr = '', ...rest }: ExitFields): void {
    if (this.#exitFields) return;
    const exitCode = code === undefined && signal === null ? 0 : (code ?? null);
    this.#exitFields = { code: exitCode, signal, stderr, closed: this.#closing, ...rest };
    for (const { line, sent } of this.#pendingSends.splice(0)) sent.reject(agentGone(line));
    this.#inputDone.resolve();
    this.#settle();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    const lines = this.#unread;
    this.#unread = [];
    // Like a pipe, one read delivers all waiting lines.
    if (lines.length > 0) this.inbox.push(lines, lines.length);
    this.#settle();
  }

  /** Drops the agent's lines, present and future. */
  discard(): void {
    this.#paused = false;
    this.#unread = [];
    this.inbox.discard();
    this.inbox.end();
    this.#settle();
  }

  async send(line: string): Promise<void> {
    if (this.#inputEnding || this.#inputClosed || this.#exitFields) throw agentGone(line);
    if (!this.#blocked) return this.#reader?.readLine(line);
    const sent = new Deferred<void>();
    this.#pendingSends.push({ line, sent });
    await sent.promise;
  }

  /** The agent stops reading, so `send()` stays pending. */
  block(): void {
    this.#blocked = true;
  }

  unblock(): void {
    this.#blocked = false;
    for (const { line, sent } of this.#pendingSends.splice(0)) {
      this.#reader?.readLine(line);
      sent.resolve();
    }
    if (this.#inputEnding) this.#endInput();
  }

  /** The agent closes its input and runs on: what is sent from now on is rejected, as in a broken pipe. */
  closeInput(): void {
    this.#inputClosed = true;
    for (const { line, sent } of this.#pendingSends.splice(0)) sent.reject(agentGone(line));
  }

  async end(): Promise<void> {
    this.#inputEnding = true;
    if (!this.#blocked) this.#endInput();
    await this.#inputDone.promise;
  }

  async close({ atOnce = false }: { readonly atOnce?: boolean | undefined } = {}): Promise<void> {
    if (!this.#exitFields) this.#closing = true;
    this.discard();
    this.#inputEnding = true;
    if (atOnce) this.exitWith({ signal: 'SIGKILL' });
    // An agent that exits at the end of its input exits here; any other is ended as by SIGTERM.
    if (!this.#exitFields) this.#endInput();
    this.exitWith({ code: 143 });
    await this.exit;
  }

  #endInput(): void {
    this.#inputDone.resolve();
    this.#reader?.readEnd();
  }

  /** Settles `exit` once the last line has been read. */
  #settle(): void {
    const exitFields = this.#exitFields;
    if (!exitFields || this.#unread.length > 0) return;
    this.inbox.end();
    if (this.inbox.size === 0) void this.#resolveExit(exitFields);
  }

  async #resolveExit(exit: Exit): Promise<void> {
    // The reader of the last lines runs before those that await the exit.
    await microtasks(5);
    this.#exit.resolve(exit);
  }
}

function agentGone(line: string): SdkError {
  return new SdkError(
    'CHANNEL_CLOSED',
    `Cannot send: the agent has exited, or its input was ended. The line began with ${line.slice(0, 80)}`,
  );
}
