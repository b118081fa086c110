import {
  SdkError,
  type AgentMessage,
  type Channel,
  type Conversation,
  type Exit,
  type InitializeResult,
  type InterruptOutcome,
  type Turn,
  type TurnFailure,
  type UserInput,
} from '@hexagent/ports';
import { Deferred, handled, settledWithin, type Inbox } from '@hexagent/async';
import { marksOf, type ConversationParts } from './conversation-parts.ts';
import {
  isOver,
  isReady,
  maySend,
  nextConversationState,
  reasonOf,
  type ConversationStateEvent,
  type ConversationState,
} from './conversation-state.ts';
import { closedError, ensureEnded, isExplained, toExitError } from './exit-error.ts';
import { EventLog } from './event-log.ts';
import { Flow } from './flow.ts';
import { Idleness } from './idleness.ts';
import { InputGate } from './input-gate.ts';
import { interruptTurn } from './interrupting.ts';
import { LiveTurn, type LiveTurnParts } from './live-turn.ts';
import { isForReaders, MessageIds, sessionIdOf } from './message-ids.ts';
import { TurnLedger } from './turn-ledger.ts';

/** How long a turn that `close()` interrupts may take to end by itself; then the process is ended. */
const closingGraceMs = 400;

/** A conversation while its agent lives. */
export class LiveConversation implements Conversation {
  readonly id: string;
  readonly ready: Promise<InitializeResult>;
  readonly #parts: ConversationParts;
  readonly #channel: Channel;
  readonly #flow: Flow;
  readonly #gate: InputGate;
  readonly #ledger: TurnLedger;
  readonly #log: EventLog;
  readonly #exited = new Deferred<Exit>();
  readonly exited: Promise<Exit> = this.#exited.promise;
  readonly #ids: MessageIds;
  /** Resolves when the agent has exited and what was opened for it is closed. */
  readonly #cleaned = new Deferred<void>();
  #state: ConversationState = { name: 'opening' };
  readonly #idleness = new Idleness();
  /** Whether the agent has sent any message. */
  hasSentMessages = false;
  #sessionId: string | undefined;
  #lastResultFailed = false;
  #stopped: Promise<void> | undefined;

  constructor(parts: ConversationParts) {
    const { settings, features, report } = parts;
    const mayBeAsked = (): boolean => features.answersAny;
    this.#parts = parts;
    this.id = parts.id;
    this.#sessionId = settings.sessionId;
    this.#ids = new MessageIds(parts.ids);
    this.#flow = new Flow({ mayBeAsked, report, ...marksOf(settings), clock: parts.clock });
    this.#log = new EventLog({ flow: this.#flow, report, channel: () => this.#channel, ...settings });
    this.#ledger = new TurnLedger(settings, {
      unsolicited: () => this.#beginUnsolicited(),
      started: ({ id: turn, isUnsolicited }, within) =>
        this.#log.append({ kind: 'turn_started', turn, isUnsolicited, within: within?.id }),
      ended: ({ id: turn }, outcome) => this.#log.append({ kind: 'turn_ended', turn, outcome }),
    });
    this.#channel = parts.openChannel({
      hold: (bytes) => this.#flow.add(bytes),
      suspend: (error) => void this.#end(error, { rejects: true, suspends: true }),
      failTurn: (failure) => this.#ledger.current?.stopFor(failure),
      isBehind: () => this.#flow.isBehind,
      append: (fact) => this.#log.append({ ...fact, turn: this.#ledger.current?.id }),
      message: (message, _, line) => this.#receive(message, line),
      activity: this.#review,
      broken: (error) => void this.#end(error, { rejects: true, keepsUnread: true }),
      exited: (exit) => this.#onExit(exit),
    });
    this.#gate = new InputGate(this.#channel, mayBeAsked, settings);
    this.#flow.attach(this.#channel);
    const ready = this.#channel.initialized.then(
      (answer) => (this.#apply({ name: 'initialized' }), answer),
      (error: unknown) => {
        // The error made here has the last lines of the agent, which the protocol's error lacks.
        const isExit = SdkError.is(error) && error.code === 'AGENT_EXITED';
        throw isExit && this.#state.name === 'ended' ? this.#state.exitError : error;
      },
    );
    this.ready = handled(ready); // A conversation may be used without awaiting it.
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get ledger(): Conversation['ledger'] {
    return this.#ledger.spending.ledger;
  }

  get turns(): Inbox<Turn> {
    return this.#log.turns;
  }

  get messages(): Inbox<AgentMessage> {
    return this.#log.messages;
  }

  readonly allMessages: Conversation['allMessages'] = (onArrival) =>
    this.#log.allMessages(onArrival, this.#ledger.open.values());

  readonly events: Conversation['events'] = (options = {}) => this.#log.events(options, this.#ledger.open.values());

  send(input: string | UserInput): Turn {
    if (isOver(this.#state)) throw closedError('Nothing can be sent any more', reasonOf(this.#state));
    if (!maySend(this.#state)) throw closedError('Nothing can be sent any more: finish() was called');
    const message = typeof input === 'string' ? { content: input } : input;
    const uuid = this.#ids.take(message);
    const turn = this.#makeTurn({ id: uuid, queue: this.#log.queueForSentTurn(), isUnsolicited: false });
    this.#ledger.add(turn);
    this.#log.append({ kind: 'turn_sent', turn: uuid });
    const failure = this.#parts.features.refusal();
    if (failure !== undefined) return this.#refuse(turn, failure);
    const written = this.#channel.send({ ...message, uuid });
    written.catch((error: unknown) => this.#unwritten(turn, error));
    turn.writtenBy(written);
    return turn;
  }

  #refuse(turn: LiveTurn, failure: TurnFailure): Turn {
    this.#ledger.refuse(turn, failure);
    this.#review();
    return turn;
  }

  interrupt(): Promise<InterruptOutcome> {
    const turn = this.#ledger.current ?? this.#ledger.open.values().next().value;
    return turn === undefined ? Promise.resolve('nothing_running') : turn.interrupt();
  }

  get progress(): NonNullable<Conversation['progress']> {
    return this.#ledger.progress;
  }

  get isIdle(): boolean {
    return this.#state.name === 'ended' || this.#gate.isIdle(this.#ledger.open.size);
  }

  idle(): Promise<void> {
    this.#log.stopCountingUnread(this.#ledger.open.values());
    if (this.isIdle) return Promise.resolve();
    return this.#idleness.wait();
  }

  readonly control: Conversation['control'] = (subtype, ...[fields, options]) =>
    this.controlUntyped(subtype, fields, options);

  controlUntyped(...[subtype, ...rest]: Parameters<Channel['requestUntyped']>): ReturnType<Channel['requestUntyped']> {
    const answer = isOver(this.#state)
      ? Promise.reject(closedError(`The agent cannot be asked ${subtype} any more`, reasonOf(this.#state)))
      : this.#channel.requestUntyped(subtype, ...rest);
    return handled(this.#parts.features.amended(subtype, answer));
  }

  finish(): Promise<Exit> {
    this.#log.stopCountingUnread(this.#ledger.open.values());
    this.#apply({ name: 'finish' });
    this.#review();
    return handled(this.#cleaned.promise.then(async () => ensureEnded(await this.exited)));
  }

  close(): Promise<void> {
    return this.#end(new SdkError('CONVERSATION_CLOSED', 'The conversation was closed.'));
  }

  suspend(): Promise<void> {
    // An agent without work is left nothing to continue, and ends in order.
    if (this.#gate.isIdle(this.#ledger.open.size)) return this.close();
    return this.#end(new SdkError('SESSION_SUSPENDED', 'The session was suspended: resume it.'), { suspends: true });
  }

  /** Ends the conversation with an error, which rejects readers and turns at once. */
  fail(error: Error): void {
    void this.#end(error, { rejects: true });
  }

  #apply(event: ConversationStateEvent): void {
    this.#state = nextConversationState(this.#state, event);
  }

  #receive(message: AgentMessage, line: string): void {
    this.hasSentMessages = true;
    this.#sessionId = sessionIdOf(message) ?? this.#sessionId;
    this.#parts.features.receive(message);
    const owner = this.#ledger.owner(message);
    if (message.type === 'result') this.#lastResultFailed = message.is_error;
    if (isForReaders(message, this.#ids)) this.#log.deliver(message, line, owner);
    this.#ledger.settle(message, owner);
    if (this.#gate.note(message)) this.#review();
  }

  readonly #review = (): void => {
    this.#flow.review();
    if (this.#state.name === 'finishing' && this.#gate.mayClose(this.#ledger.open.size)) {
      this.#apply({ name: 'inputEnded' });
      this.#gate.close();
    }
    const hasBecomeIdle = this.#idleness.review(this.#gate.isIdle(this.#ledger.open.size));
    if (hasBecomeIdle && !isOver(this.#state)) this.#log.append({ kind: 'idle' });
  };

  #makeTurn(parts: Pick<LiveTurnParts, 'id' | 'queue' | 'isUnsolicited'>): LiveTurn {
    this.#idleness.begin();
    const [flow, ledger, channel] = [this.#flow, this.#ledger, this.#channel];
    const interrupt: LiveTurnParts['interrupt'] = (turn) =>
      interruptTurn(turn, { ledger, channel, flow, isClosing: isOver(this.#state) });
    return new LiveTurn({ ...parts, flow, interrupt });
  }

  #beginUnsolicited(): LiveTurn {
    const queue = this.#log.queueForUnsolicitedTurn();
    const turn = this.#makeTurn({ id: this.#parts.ids.uuid(), queue, isUnsolicited: true });
    this.#log.announce(turn);
    return turn;
  }

  /** A broken pipe is followed by the exit of the agent, or by `broken`: each fails the turn, and with more detail. */
  #unwritten(turn: LiveTurn, error: unknown): void {
    this.#ids.giveBack(turn.id);
    if (!SdkError.is(error) || error.code !== 'CHANNEL_CLOSED') this.#dropFailed(turn, error);
  }

  #dropFailed(turn: LiveTurn, error: unknown): void {
    this.#ledger.drop(turn);
    this.#failTurn(turn, error);
    this.#review();
  }

  #failTurn(turn: LiveTurn, error: unknown): void {
    if (turn.isOver) return;
    turn.apply({ name: 'failed', error });
    this.#log.append({ kind: 'turn_cut', turn: turn.id, error });
  }

  #onExit(exit: Exit): void {
    if (this.#state.name === 'ended') return;
    const lost = [...this.#ledger.open.keys()].map((id) => `turn ${id}`);
    const exitError = toExitError(exit, lost, isReady(this.#state));
    // After finish() the agent may leave with tasks of its own, and is idle then.
    const isCutShort = lost.length > 0 || (this.#idleness.isAwaited && maySend(this.#state));
    const unexplained = isCutShort || !isExplained(exit, this.#lastResultFailed) ? exitError : undefined;
    const failure = reasonOf(this.#state) ?? unexplained;
    this.#apply({ name: 'exited', exitError });
    this.#idleness.settle(failure);
    for (const turn of [...this.#ledger.open.values()]) this.#dropFailed(turn, failure);
    this.#log.end({ kind: 'exited', exit, error: failure });
    this.#exited.resolve(exit);
    void this.#parts.cleanUp().then(() => this.#cleaned.resolve());
  }

  /** Delivers nothing more, and ends the agent. `rejects`: turns and readers are rejected at once. `keepsUnread`: what was delivered before stays readable. */
  #end(ending: Error, { rejects = false, keepsUnread = false, suspends = false } = {}): Promise<void> {
    if (this.#state.name === 'ended') return this.#cleaned.promise;
    if (this.#state.name !== 'closing') {
      this.#apply({ name: 'close', reason: ending });
      this.#log.close(rejects ? ending : undefined, { keepsUnread });
      for (const turn of this.#ledger.open.values()) {
        if (!keepsUnread) turn.queue.cut({ error: ending });
        // After `close()` a turn still gets its outcome if the agent reports it in time.
        if (rejects) this.#failTurn(turn, ending);
      }
      this.#idleness.settle(ending);
      this.#flow.close();
    }
    return (this.#stopped ??= this.#stop(suspends ? ending : undefined));
  }

  /** Interrupts what runs, so that the partial answer is kept, and ends an agent that does not exit in time. */
  async #stop(suspended: Error | undefined): Promise<void> {
    if (suspended === undefined && this.#ledger.open.size > 0) {
      // The turn itself reports its outcome, and a closed channel needs no interrupt.
      this.#channel.request('interrupt', { cancel_queued: true }).catch(() => {});
      this.#gate.close();
      await settledWithin(closingGraceMs, this.exited, this.#parts.clock);
    }
    await this.#channel.close({ suspended });
    await this.#cleaned.promise;
  }
}
