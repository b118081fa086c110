import {
  SdkError,
  textOf,
  type AgentMessage,
  type InterruptOutcome,
  type Turn,
  type TurnFailure,
  type TurnOutcome,
} from '@hexagent/ports';
import { Deferred, handled } from '@hexagent/async';
import type { Flow } from './flow.ts';
import type { MessageQueue } from './message-queue.ts';
import { nextTurnState, sentTurn, type TurnEvent, type TurnState } from './turn-state.ts';

export interface LiveTurnParts {
  readonly id: string;
  readonly queue: MessageQueue;
  /** The agent began it without a message. */
  readonly isUnsolicited: boolean;
  readonly flow: Pick<Flow, 'readOn'>;
  readonly interrupt: (turn: LiveTurn) => Promise<InterruptOutcome>;
}

/** One exchange while it lives. The ledger reports events to it; code that holds it as a {@link Turn} reads and interrupts it. */
export class LiveTurn implements Turn {
  readonly id: string;
  readonly queue: MessageQueue;
  readonly isUnsolicited: boolean;
  readonly #outcome = new Deferred<TurnOutcome>().handled();
  readonly #received = new Deferred<void>().handled();
  readonly #flow: Pick<Flow, 'readOn'>;
  readonly #interrupt: (turn: LiveTurn) => Promise<InterruptOutcome>;
  #state: TurnState = sentTurn;
  /** Resolves when the message was written; at once for an unsolicited turn. */
  #written: Promise<void> = Promise.resolve();
  /** The request to stop it, while the agent has not answered. */
  #stopping: Promise<void> | undefined;
  #awaitedReceipt: Promise<void> | undefined;
  #lastText = '';
  #failure: TurnFailure | undefined;
  #hasPieces = false;

  constructor({ id, queue, isUnsolicited, flow, interrupt }: LiveTurnParts) {
    this.id = id;
    this.queue = queue;
    this.isUnsolicited = isUnsolicited;
    this.#flow = flow;
    this.#interrupt = interrupt;
  }

  get state(): TurnState {
    return this.#state;
  }

  get received(): Promise<void> {
    if (this.#awaitedReceipt === undefined) {
      // The confirmation may lie behind unread messages, which a caller that awaits it may not read.
      this.#awaitedReceipt = this.#flow.readOn(this.#received.promise);
      this.#awaitedReceipt.catch(() => {});
    }
    return this.#awaitedReceipt;
  }

  get result(): Promise<TurnOutcome> {
    // The result must come although the messages are not read: unread ones no longer pause the agent.
    this.queue.makeOptional();
    return this.#outcome.promise;
  }

  /** The result, which may be awaited without making the messages optional. */
  get outcome(): Promise<TurnOutcome> {
    return this.#outcome.promise;
  }

  get written(): Promise<void> {
    return this.#written;
  }

  /** Whether it has an outcome or an error. */
  get isOver(): boolean {
    return this.#state.name === 'ended' || this.#state.name === 'failed';
  }

  /** Whether the agent has begun with the message. */
  get hasBegun(): boolean {
    const { name } = this.#state;
    return name !== 'sent' && name !== 'queued' && name !== 'failed';
  }

  /** The last text, for a result that has none. */
  get lastText(): string {
    return this.#lastText;
  }

  /** What it was stopped for. */
  get failure(): TurnFailure | undefined {
    return this.#failure;
  }

  /** Whether its reader gets the pieces of the text, where they are withheld. */
  get hasPieces(): boolean {
    return this.#hasPieces;
  }

  includePieces(): void {
    this.#hasPieces = true;
  }

  interrupt(): Promise<InterruptOutcome> {
    return handled(this.#interrupt(this));
  }

  /** @throws {SdkError} `TURN_READ` for a second reader, which would find a part of the messages or none. */
  [Symbol.asyncIterator](): AsyncIterator<AgentMessage> {
    if (this.queue.isOpen)
      throw new SdkError('TURN_READ', 'The messages of this turn are read, or were read, by another loop.');
    return this.queue.open();
  }

  /** The message that begins it is being written. */
  writtenBy(written: Promise<void>): void {
    this.#written = written;
  }

  /** Runs `stop`, or joins the run that has not ended: an interrupt names no turn, and one too many would stop the next. */
  stopOnce(stop: () => Promise<void>): Promise<void> {
    this.#stopping ??= stop().finally(() => (this.#stopping = undefined));
    return this.#stopping;
  }

  /** Stops it, with this failure as its outcome. Done once: what it is stopped for may happen again before it ends. */
  stopFor(failure: TurnFailure): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.interrupt().catch(() => {}); // The turn reports what breaks it.
  }

  /** Keeps the last text, which the result may not repeat. */
  note(message: AgentMessage): void {
    if (message.type !== 'assistant' || message.parent_tool_use_id !== null) return;
    const text = textOf(message);
    if (text !== '') this.#lastText = text;
  }

  /** Moves to the next state, and settles the promises that wait for it. */
  apply(event: TurnEvent): TurnState {
    const before = this.#state;
    const after = nextTurnState(before, event);
    if (after === before) return after;
    this.#state = after;
    if (after.name === 'failed') {
      this.#received.reject(after.error);
      this.#outcome.reject(after.error);
      this.queue.end({ error: after.error });
    } else if (after.name !== 'sent') this.#received.resolve();
    if (after.name === 'ended') {
      this.#outcome.resolve(after.outcome);
      this.queue.end();
    }
    return after;
  }
}
