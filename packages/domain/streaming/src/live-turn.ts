import type { AgentMessage, ApiRetryMessage, InterruptOutcome, Turn, TurnOutcome } from '@hexagent/ports';
import { Deferred, handled } from '@hexagent/async';
import type { Flow } from './flow.ts';
import type { Mailbox } from './mailbox.ts';

/** One exchange while it lives. The ledger moves it on; whoever holds it as a {@link Turn} reads and interrupts it. */
export class LiveTurn implements Turn {
  readonly id: string;
  readonly mailbox: Mailbox;
  /** Resolves when the message that begins it was written; at once for a turn nobody sent. */
  written: Promise<void> = Promise.resolve();
  /** The agent was asked to stop it. */
  stopped = false;
  /** The request to stop it, while the agent has not answered that. */
  stopping: Promise<void> | undefined;
  started = false;
  /** The agent has said that it is done with the message, and owes the result. */
  doneWith = false;
  /** The other way round: its outcome, as far as the result told. */
  answer: TurnOutcome | undefined;
  lastText = '';
  /** The refusal of its credentials that it was stopped for. */
  refusal: ApiRetryMessage | undefined;
  readonly #outcome = new Deferred<TurnOutcome>().handled();
  readonly #received = new Deferred<void>().handled();
  readonly #flow: Pick<Flow, 'readOn'>;
  readonly #interrupt: (turn: LiveTurn) => Promise<InterruptOutcome>;
  #awaitedReceipt: Promise<void> | undefined;

  constructor(
    id: string,
    mailbox: Mailbox,
    flow: Pick<Flow, 'readOn'>,
    interrupt: (turn: LiveTurn) => Promise<InterruptOutcome>,
  ) {
    this.id = id;
    this.mailbox = mailbox;
    this.#flow = flow;
    this.#interrupt = interrupt;
  }

  get received(): Promise<void> {
    if (this.#awaitedReceipt === undefined) {
      // The confirmation lies behind what is unread: whoever awaits it may read nothing meanwhile.
      this.#awaitedReceipt = this.#flow.readOn(this.#received.promise);
      this.#awaitedReceipt.catch(() => {});
    }
    return this.#awaitedReceipt;
  }

  get result(): Promise<TurnOutcome> {
    // Whoever asks for the result need not read: unread messages must not keep the result from coming.
    this.mailbox.makeOptional();
    return this.#outcome.promise;
  }

  /** The result, without saying that nobody reads. */
  get outcome(): Promise<TurnOutcome> {
    return this.#outcome.promise;
  }

  get ended(): boolean {
    return this.#outcome.settled;
  }

  interrupt(): Promise<InterruptOutcome> {
    return handled(this.#interrupt(this));
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentMessage> {
    return this.mailbox.open();
  }

  /** Stops it because the model's service refuses the credentials. Asked once: the agent may report more of them. */
  giveUp(refusal: ApiRetryMessage): void {
    if (this.refusal !== undefined) return;
    this.refusal = refusal;
    this.interrupt().catch(() => {}); // what breaks the turn is told by the turn
  }

  /** Notes what the result may not repeat. */
  note(message: AgentMessage): void {
    if (message.type !== 'assistant' || message.parent_tool_use_id !== null) return;
    const text = message.message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    if (text !== '') this.lastText = text;
  }

  /** The agent has the message that begins it. */
  receive(): void {
    this.#received.resolve();
  }

  /** Called once at most, like `fail`. */
  settle(outcome: TurnOutcome): void {
    this.receive();
    this.#outcome.resolve(outcome);
    this.mailbox.end();
  }

  fail(error: unknown): void {
    this.#received.reject(error);
    this.#outcome.reject(error);
    this.mailbox.end({ error });
  }
}
