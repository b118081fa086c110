import {
  SdkError,
  type AgentExitedError,
  type AgentMessage,
  type Channel,
  type Clock,
  type Conversation,
  type ConversationOptions,
  type Exit,
  type Host,
  type Ids,
  type InitializeResult,
  type InterruptOutcome,
  type Observer,
  type Turn,
  type UserInput,
} from '@hexagent/ports';
import { Deferred, handled, type Inbox } from '@hexagent/async';
import { closedError, ensureEnded, exitError } from './exit-error.ts';
import { Flow, tell } from './flow.ts';
import { InputGate } from './input-gate.ts';
import { interruptTurn, whatCame } from './interrupting.ts';
import { LiveTurn } from './live-turn.ts';
import type { Mailbox } from './mailbox.ts';
import { MessageIds } from './message-ids.ts';
import { Readers } from './readers.ts';
import type { ServerFailures } from './server-failures.ts';
import { TurnLedger } from './turn-ledger.ts';
import { within } from './within.ts';

const megabyte = 1024 * 1024;
/** How long a turn that `close()` interrupts may take to end by itself; then the process is ended. */
const closingGraceMs = 400;
/** How long the exit of an agent whose pipe is broken may take to be known: what it left behind is ended before. */
const explanationMs = 3000;

export interface ConversationParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observer?: Observer | undefined;
  readonly failures: ServerFailures;
  /** Whether the agent may ask anything of us. */
  readonly callbacks: boolean;
  readonly options: ConversationOptions;
  /** Called once, while the conversation is made. */
  readonly openChannel: (ears: Required<Pick<Host, 'message' | 'activity' | 'broken' | 'exited'>>) => Channel;
  /** Called once, when the agent has gone. Never rejects. */
  readonly cleanUp: () => Promise<void>;
}

/** A conversation while its agent lives. */
export class LiveConversation implements Conversation {
  readonly #parts: ConversationParts;
  readonly #channel: Channel;
  readonly #ready: Promise<InitializeResult>;
  readonly #flow: Flow;
  readonly #gate: InputGate;
  readonly #ledger: TurnLedger;
  readonly #readers: Readers;
  readonly #exited = new Deferred<Exit>();
  readonly #ids: MessageIds;
  #idlers: Deferred<void>[] = [];
  #isReady = false;
  #hasSpoken = false;
  #lastResultFailed = false;
  #closing: Promise<void> | undefined;
  #cleaned: Promise<void> | undefined;
  /** Why nothing is delivered any more. */
  #ending: Error | undefined;
  /** How the agent left, in words. */
  #departure: AgentExitedError | undefined;

  constructor(parts: ConversationParts) {
    const { options, callbacks, observer } = parts;
    const { softMarkBytes = 2 * megabyte, hardMarkBytes = 64 * megabyte } = options;
    this.#parts = parts;
    this.#ids = new MessageIds(parts.ids);
    this.#flow = new Flow({ callbacks, observer, softMarkBytes, hardMarkBytes, clock: parts.clock });
    this.#readers = new Readers(this.#flow, options, (line) => this.#channel.reread(line));
    this.#ledger = new TurnLedger(options, {
      unsent: () => this.#beginUnsent(),
      started: ({ id }) => tell(observer, { kind: 'turn_started', id }),
      ended: ({ id }, outcome) => tell(observer, { kind: 'turn_ended', id, outcome }),
    });
    this.#channel = parts.openChannel({
      message: (message, _, line) => this.#receive(message, line),
      activity: () => this.#review(),
      broken: (error) => void this.#end(error, { told: true, kept: true }),
      exited: (exit) => this.#leave(exit),
    });
    this.#gate = new InputGate(this.#channel, callbacks, options);
    this.#flow.attach(this.#channel);
    this.#ready = this.#channel.initialized.then(
      (answer) => {
        this.#isReady = true;
        return answer;
      },
      (error: unknown) => {
        // The agent's exit is told in full by us, who know its last words.
        throw SdkError.is(error) && error.code === 'AGENT_EXITED' ? (this.#departure ?? error) : error;
      },
    );
    this.#ready.catch(() => {}); // who wants to know awaits it
  }

  get ready(): Promise<InitializeResult> {
    return this.#ready;
  }

  get exited(): Promise<Exit> {
    return this.#exited.promise;
  }

  /** Whether the agent has said anything beside answers. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  get turns(): Inbox<Turn> {
    return this.#readers.turns;
  }

  get messages(): Inbox<AgentMessage> {
    return this.#readers.messages;
  }

  send(input: string | UserInput): Turn {
    if (this.#isOver) throw closedError('Nothing can be said any more', this.#reason);
    if (this.#gate.promptEnded) throw closedError('Nothing can be said any more: finish() was called');
    const message = typeof input === 'string' ? { content: input } : input;
    const uuid = this.#ids.take(message);
    const turn = this.#makeTurn(uuid, this.#readers.boxOfSent());
    this.#ledger.add(turn);
    turn.written = this.#channel.send({ ...message, uuid });
    turn.written.catch((error: unknown) => this.#unwritten(turn, error));
    return turn;
  }

  interrupt(): Promise<InterruptOutcome> {
    const turn = this.#ledger.current ?? this.#ledger.open.values().next().value;
    return turn === undefined ? Promise.resolve('nothing_running') : turn.interrupt();
  }

  idle(): Promise<void> {
    this.#readers.readNoMore(this.#ledger.open.values());
    if (this.#exited.settled || this.#gate.isIdle(this.#ledger.open.size)) return Promise.resolve();
    const idler = new Deferred<void>().handled();
    this.#idlers.push(idler);
    return idler.promise;
  }

  control(...request: Parameters<Channel['request']>): ReturnType<Channel['request']> {
    const [subtype] = request;
    const answer = this.#isOver
      ? Promise.reject(closedError(`The agent cannot be asked ${subtype} any more`, this.#reason))
      : this.#channel.request(...request);
    return handled(this.#parts.failures.explained(subtype, answer));
  }

  finish(): Promise<Exit> {
    this.#readers.readNoMore(this.#ledger.open.values());
    this.#gate.endPrompt();
    this.#review();
    return handled(this.#gone().then(async () => ensureEnded(await this.exited)));
  }

  close(): Promise<void> {
    return this.#end(new SdkError('CONVERSATION_CLOSED', 'The conversation was closed.'));
  }

  /** Something went wrong that nobody should go on after: readers and turns are told at once. */
  fail(error: Error): void {
    void this.#end(error, { told: true });
  }

  get #isOver(): boolean {
    return this.#ending !== undefined || this.#exited.settled;
  }

  get #reason(): Error | undefined {
    return this.#ending ?? this.#departure;
  }

  #receive(message: AgentMessage, line: string): void {
    this.#hasSpoken = true;
    const owner = this.#ledger.owner(message);
    if (message.type === 'result') this.#lastResultFailed = message.is_error;
    if (this.#isForReaders(message)) this.#readers.deliver(message, line, owner);
    this.#ledger.settle(message, owner);
    if (this.#gate.note(message)) this.#review();
  }

  /** Frames that exist only because of how the SDK drives the agent are not news to anyone. */
  #isForReaders(message: AgentMessage): boolean {
    if (message.type === 'command_lifecycle') return !this.#ids.isOwn(message.command_uuid);
    // It comes because we asked for it; other frames for hosts are handed on, as all that is not known is.
    return !(message.type === 'system' && message.subtype === 'session_state_changed' && message.sdk_host_only);
  }

  #review(): void {
    this.#flow.review();
    this.#gate.review(this.#ledger.open.size);
    if (this.#idlers.length > 0 && this.#gate.isIdle(this.#ledger.open.size)) {
      for (const idler of this.#idlers.splice(0)) idler.resolve();
    }
  }

  #makeTurn(id: string, mailbox: Mailbox): LiveTurn {
    return new LiveTurn(id, mailbox, this.#flow, (turn) => this.#stopTurn(turn));
  }

  async #stopTurn(turn: LiveTurn): Promise<InterruptOutcome> {
    // Closing has interrupted what runs and ended the input.
    if (this.#ending !== undefined && !turn.ended) return whatCame(await turn.outcome);
    return await interruptTurn(turn, { ledger: this.#ledger, channel: this.#channel, flow: this.#flow });
  }

  #beginUnsent(): LiveTurn {
    const turn = this.#makeTurn(this.#parts.ids.uuid(), this.#readers.boxOfUnsent());
    this.#readers.announce(turn);
    return turn;
  }

  /** What breaks a pipe is the agent's exit, which says more: if it comes within a moment, it fails the turn itself. */
  async #unwritten(turn: LiveTurn, error: unknown): Promise<void> {
    this.#ids.giveBack(turn.id);
    if (SdkError.is(error) && error.code === 'CHANNEL_CLOSED')
      await within(explanationMs, this.exited, this.#parts.clock);
    this.#fail(turn, error);
  }

  #fail(turn: LiveTurn, error: unknown): void {
    this.#ledger.drop(turn);
    this.#tellFailure(turn, error);
    this.#review();
  }

  #tellFailure(turn: LiveTurn, error: unknown): void {
    if (turn.ended) return;
    turn.fail(error);
    tell(this.#parts.observer, { kind: 'turn_failed', id: turn.id, error });
  }

  #leave(exit: Exit): void {
    const lost = [...this.#ledger.open.keys()].map((id) => `turn ${id}`);
    this.#departure = exitError(exit, lost, this.#isReady);
    const failure = this.#ending ?? (this.#isFailure(exit, lost) ? this.#departure : undefined);
    for (const idler of this.#idlers.splice(0)) {
      if (failure === undefined) idler.resolve();
      else idler.reject(failure);
    }
    for (const turn of [...this.#ledger.open.values()]) this.#fail(turn, failure);
    this.#readers.end(failure);
    this.#exited.resolve(exit);
    this.#cleaned = this.#parts.cleanUp();
    tell(this.#parts.observer, { kind: 'exited', exit });
  }

  /** An exit is a failure when it cuts something short, or when the agent says so for no reason we know. */
  #isFailure(exit: Exit, lost: readonly string[]): boolean {
    // The code repeats what the last result said.
    const explained = exit.code === 0 || (exit.code === 1 && this.#lastResultFailed);
    // After finish() the agent may leave with tasks of its own: whoever waits for rest has it then.
    return lost.length > 0 || !explained || (this.#idlers.length > 0 && !this.#gate.promptEnded);
  }

  /** Nothing is delivered from here on, but what was delivered before if it is kept; the agent is ended behind it. */
  #end(ending: Error, { told: isTold = false, kept: isKept = false } = {}): Promise<void> {
    if (this.#exited.settled) return this.#gone();
    if (this.#ending === undefined) {
      this.#ending = ending;
      if (isKept) this.#readers.end(ending);
      else this.#readers.cut(isTold ? ending : undefined);
      for (const turn of this.#ledger.open.values()) {
        if (!isKept) turn.mailbox.cut({ error: ending });
        // Who closes gets the agent's view of the turn if it comes in time.
        if (isTold) this.#tellFailure(turn, ending);
      }
      for (const idler of this.#idlers.splice(0)) idler.reject(ending);
      this.#flow.close();
    }
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  /** An interrupted agent keeps its partial answer and leaves by itself in milliseconds; a stubborn one is ended. */
  async #stop(): Promise<void> {
    if (this.#ledger.open.size > 0) {
      // Its outcome is told by the turn; a channel that is gone needs no interrupt.
      this.#channel.request('interrupt', { cancel_queued: true }).catch(() => {});
      this.#gate.endPrompt();
      this.#gate.close();
      await within(closingGraceMs, this.exited, this.#parts.clock);
    }
    await this.#channel.close();
    await this.#gone();
  }

  /** The agent has left, and what we opened for it is closed. */
  async #gone(): Promise<void> {
    await this.exited;
    await this.#cleaned;
  }
}
