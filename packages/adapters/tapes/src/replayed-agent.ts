import { Deferred, Inbox } from '@hexagent/async';
import { SdkError, type Clock, type Connection, type Exit } from '@hexagent/ports';
import type { ExpectedLines } from './expected-lines.ts';
import { AgentWork } from './agent-work.ts';
import { fieldsOf, requestOf, textOf } from './frame-fields.ts';
import { parseJson } from './parse-json.ts';
import { toError } from './tape-error.ts';
import type { TapeEntry } from './tape-entry.ts';
import type { TapeTerms } from './tape-terms.ts';

export interface ReplayedAgentOptions {
  /** What the tape has of this agent. */
  readonly entries: readonly TapeEntry[];
  readonly expected: ExpectedLines;
  readonly terms: TapeTerms;
  readonly clock: Clock;
  readonly isStrict: boolean;
  readonly waitMs: number;
  /** Names the agent and its tape, for messages. */
  readonly name: string;
  readonly onDeparture: (text: string) => void;
}

/** How many lines are delivered at a time: more are kept back until the program has read these. */
const batchSize = 64;

/**
 * Plays the agent's side of a tape: its lines up to the next one of the program, then, once the program has sent that, those
 * that follow.
 */
export class ReplayedAgent implements Connection {
  readonly frames: Inbox<readonly string[]>;
  readonly exit: Promise<Exit>;
  readonly #exit = new Deferred<Exit>();
  readonly #options: ReplayedAgentOptions;
  readonly #work: AgentWork = new AgentWork();
  /** The index of the next entry. */
  #next = 0;
  #isAdvancing = false;
  #isPaused = false;
  #isInputEnded = false;
  #isBroken = false;
  #ending: Exit | undefined;
  #stopWaiting = (): void => {};

  constructor(options: ReplayedAgentOptions) {
    this.#options = options;
    this.exit = this.#exit.promise;
    const advance = (): void => this.#advance();
    this.frames = new Inbox({ onTaken: advance, onReturn: advance });
    this.#advance();
  }

  async send(line: string): Promise<void> {
    if (this.#isInputEnded || this.#ending !== undefined) throw agentGone(line);
    if (this.#isBroken) return;
    this.#receive(line);
    this.#advance();
  }

  async end(): Promise<void> {
    if (this.#isInputEnded) return;
    this.#isInputEnded = true;
    const [first] = this.#options.expected.missing;
    if (first !== undefined && this.#options.isStrict && this.#isLive) {
      this.#depart(`It ended the input of the agent before it sent what the tape has: ${first}`);
    }
    this.#advance();
  }

  async close(): Promise<void> {
    this.#isInputEnded = true;
    const last = this.#options.entries.at(-1);
    const recorded = last !== undefined && 'exit' in last && last.exit.closed ? last.exit : inOrder;
    this.#finish({ ...recorded, closed: true });
    this.frames.discard();
    this.#advance();
    await this.exit;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#advance();
  }

  get #isLive(): boolean {
    return this.#ending === undefined && !this.#isBroken;
  }

  /** Plays up to what the program has to send next. What it has not read holds the rest back. */
  #advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    this.#stopWaiting();
    while (this.#isLive && !this.#isPaused && this.frames.size === 0 && this.#step());
    this.#isAdvancing = false;
    this.#settle();
  }

  /** Returns whether there may be more to do. */
  #step(): boolean {
    const lines = this.#takeLines();
    if (lines.length > 0) {
      this.frames.push(lines, lines.length);
      return true;
    }
    const entry = this.#options.entries[this.#next];
    if (entry === undefined) return this.#playEnd();
    if ('exit' in entry) this.#finish(entry.exit.closed ? inOrder : entry.exit);
    else if ('broken' in entry) this.#breakOff(toError(entry.broken));
    else this.#wait();
    return false;
  }

  #takeLines(): readonly string[] {
    const { entries, terms } = this.#options;
    const lines: string[] = [];
    for (; lines.length < batchSize; this.#next += 1) {
      const entry = entries[this.#next];
      if (entry === undefined || !this.#isPassed(entry)) break;
      if ('inLine' in entry) lines.push(entry.inLine);
      if (!('in' in entry)) continue;
      const line = terms.toRun(entry.line);
      this.#work.received(parseJson(line));
      lines.push(line);
    }
    return lines;
  }

  #isPassed(entry: TapeEntry): boolean {
    if ('out' in entry || 'outLine' in entry) return !this.#options.expected.awaits(this.#next);
    if ('end' in entry || 'close' in entry) return this.#isInputEnded;
    return !('exit' in entry || 'broken' in entry);
  }

  /** The tape was cut, or the program that was recorded has never ended the conversation. */
  #playEnd(): false {
    if (this.#isInputEnded) this.#finish(inOrder);
    else if (this.#work.isBusy)
      this.#finish({ ...inOrder, code: 1, stderr: `${this.#options.name} ends here, before the agent has answered.` });
    else this.#wait();
    return false;
  }

  #receive(line: string): void {
    const { expected, isStrict } = this.#options;
    const match = expected.match(line);
    const isBeyond = match.kind === 'extra' && expected.missing.length === 0 && !this.#hasEnding;
    if (match.kind === 'different' && isStrict) return this.#depart(`It sent something else: ${match.text}`);
    if (match.kind === 'extra' && isStrict && !isBeyond) {
      return this.#depart(
        `It sent what the tape does not have: ${match.text}\n  ${JSON.stringify(line.slice(0, 500))}`,
      );
    }
    const frame = parseJson(line);
    this.#work.sent(frame);
    // Otherwise the program would wait for an answer for ever.
    if (match.kind === 'extra') this.#refuse(frame);
  }

  #refuse(frame: unknown): void {
    if (textOf(fieldsOf(frame)['type']) !== 'control_request') return;
    const error = `${this.#options.name} has no answer to ${textOf(requestOf(frame)['subtype'])}.`;
    const response = { subtype: 'error', request_id: fieldsOf(frame)['request_id'], error };
    const refusal = { type: 'control_response', response };
    this.#work.received(refusal);
    this.frames.push([JSON.stringify(refusal)], 1);
  }

  get #hasEnding(): boolean {
    return this.#options.entries.some((entry) => 'exit' in entry || 'broken' in entry);
  }

  #wait(): void {
    const { clock, waitMs } = this.#options;
    this.#stopWaiting = clock.after(waitMs, () => this.#onSilence(), { keepsAlive: true });
  }

  #onSilence(): void {
    const { entries, expected, isStrict, waitMs } = this.#options;
    const entry = entries[this.#next];
    if (entry !== undefined && ('out' in entry || 'outLine' in entry)) {
      const text = expected.skip(this.#next) ?? '';
      if (isStrict) this.#depart(`It has sent nothing for ${waitMs} ms, and this is next on the tape: ${text}`);
    } else {
      const asked = this.#work.unanswered;
      const what = asked === undefined ? 'ended the conversation' : `answered ${asked}`;
      this.#depart(
        `It has not ${what} for ${waitMs} ms, and ${entry === undefined ? 'the tape ends here' : 'that is next on the tape'}.`,
      );
    }
    this.#advance();
  }

  #depart(text: string): void {
    const message = `The program departed from ${this.#options.name}. ${text}`;
    this.#options.onDeparture(message);
    this.#breakOff(new SdkError('TAPE_DEPARTED', message));
  }

  /** As where lines cannot be read any more: the program has to close the connection. */
  #breakOff(error: Error): void {
    this.#isBroken = true;
    this.#stopWaiting();
    this.frames.end({ error });
  }

  #finish(exit: Exit): void {
    this.#ending ??= exit;
  }

  /** The program has read the last line before it learns of the exit. */
  #settle(): void {
    const exit = this.#ending;
    if (exit === undefined || this.frames.size > 0) return;
    this.frames.end();
    setImmediate(() => this.#exit.resolve(exit));
  }
}

const inOrder: Exit = { code: 0, signal: null, stderr: '', closed: false };

const agentGone = (line: string): SdkError =>
  new SdkError(
    'CHANNEL_CLOSED',
    `Cannot send: the agent has exited, or its input was ended. The line began with ${line.slice(0, 80)}`,
  );
