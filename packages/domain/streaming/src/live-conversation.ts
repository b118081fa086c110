import {
  SdkError,
  type AgentMessage,
  type Channel,
  type Conversation,
  type Exit,
  type InitializeResult,
  type InterruptOutcome,
  type Turn,
  type UserInput,
} from '@hexagent/ports';
import { Deferred, handled, type Inbox } from '@hexagent/async';
import type { ConversationParts } from './conversation-parts.ts';
import {
  isOver,
  isReady,
  maySend,
  nextConversationState,
  reasonOf,
  type ConversationEvent,
  type ConversationState,
} from './conversation-state.ts';
import { closedError, ensureEnded, exitOf, isExplained } from './exit-error.ts';
import { Flow } from './flow.ts';
import { IdleWaiters } from './idle-waiters.ts';
import { InputGate } from './input-gate.ts';
import { interruptTurn, toInterruptOutcome } from './interrupting.ts';
import { LiveTurn } from './live-turn.ts';
import type { MessageQueue } from './message-queue.ts';
import { MessageIds } from './message-ids.ts';
import { Readers } from './readers.ts';
import { TurnLedger } from './turn-ledger.ts';
import { within } from './within.ts';

const megabyte = 1024 * 1024;
/** How long a turn that `close()` interrupts may take to end by itself; then the process is ended. */
const closingGraceMs = 400;
/** How long to wait for the exit when a pipe is broken: processes that the agent left behind are ended before it is reported. */
const exitGraceMs = 3000;

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
  /** Resolves when the agent has exited and what was opened for it is closed. */
  readonly #cleaned = new Deferred<void>();
  #state: ConversationState = { name: 'opening' };
  readonly #idlers = new IdleWaiters();
  #hasSentMessages = false;
  #sessionId: string | undefined;
  #lastResultFailed = false;
  #stopped: Promise<void> | undefined;

  constructor(parts: ConversationParts) {
    const { settings, features, report } = parts;
    const mayBeAsked = (): boolean => features.answersAny;
    const { softMarkBytes = 2 * megabyte, hardMarkBytes = 64 * megabyte } = settings;
    this.#parts = parts;
    this.#sessionId = settings.sessionId;
    this.#ids = new MessageIds(parts.ids);
    this.#flow = new Flow({ mayBeAsked, report, softMarkBytes, hardMarkBytes, clock: parts.clock });
    this.#readers = new Readers(this.#flow, settings, (line) => this.#channel.reread(line));
    this.#ledger = new TurnLedger(settings, {
      unsolicited: () => this.#beginUnsolicited(),
      started: ({ id }) => report?.({ kind: 'turn_started', id }),
      ended: ({ id }, outcome) => report?.({ kind: 'turn_ended', id, outcome }),
    });
    this.#channel = parts.openChannel({
      hold: (bytes) => this.#flow.add(bytes),
      message: (message, _, line) => this.#receive(message, line),
      activity: this.#review,
      broken: (error) => void this.#end(error, { rejects: true, keepsUnread: true }),
      exited: (exit) => this.#onExit(exit),
    });
    this.#gate = new InputGate(this.#channel, mayBeAsked, settings);
    this.#flow.attach(this.#channel);
    this.#ready = this.#channel.initialized.then(
      (answer) => {
        this.#apply({ name: 'initialized' });
        return answer;
      },
      (error: unknown) => {
        // The error made here has the last lines of the agent, which the protocol's error lacks.
        const isExit = SdkError.is(error) && error.code === 'AGENT_EXITED';
        throw isExit && this.#state.name === 'ended' ? this.#state.exitError : error;
      },
    );
    this.#ready.catch(() => {}); // A conversation may be used without awaiting `ready`.
  }

  get id(): string {
    return this.#parts.id;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get ready(): Promise<InitializeResult> {
    return this.#ready;
  }

  get exited(): Promise<Exit> {
    return this.#exited.promise;
  }

  /** Whether the agent has sent any message. */
  get hasSentMessages(): boolean {
    return this.#hasSentMessages;
  }

  get turns(): Inbox<Turn> {
    return this.#readers.turns;
  }

  get messages(): Inbox<AgentMessage> {
    return this.#readers.messages;
  }

  send(input: string | UserInput): Turn {
    if (isOver(this.#state)) throw closedError('Nothing can be sent any more', reasonOf(this.#state));
    if (!maySend(this.#state)) throw closedError('Nothing can be sent any more: finish() was called');
    const message = typeof input === 'string' ? { content: input } : input;
    const uuid = this.#ids.take(message);
    const turn = this.#makeTurn(uuid, this.#readers.queueForSentTurn());
    this.#ledger.add(turn);
    const written = this.#channel.send({ ...message, uuid });
    written.catch((error: unknown) => this.#unwritten(turn, error));
    turn.writtenBy(written);
    return turn;
  }

  interrupt(): Promise<InterruptOutcome> {
    const turn = this.#ledger.current ?? this.#ledger.open.values().next().value;
    return turn === undefined ? Promise.resolve('nothing_running') : turn.interrupt();
  }

  idle(): Promise<void> {
    this.#readers.stopCountingUnread(this.#ledger.open.values());
    if (this.#state.name === 'ended' || this.#gate.isIdle(this.#ledger.open.size)) return Promise.resolve();
    return this.#idlers.wait();
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
    this.#readers.stopCountingUnread(this.#ledger.open.values());
    this.#apply({ name: 'finish' });
    this.#review();
    return handled(this.#cleaned.promise.then(async () => ensureEnded(await this.exited)));
  }

  close(): Promise<void> {
    return this.#end(new SdkError('CONVERSATION_CLOSED', 'The conversation was closed.'));
  }

  /** Ends the conversation with an error, which rejects readers and turns at once. */
  fail(error: Error): void {
    void this.#end(error, { rejects: true });
  }

  #apply(event: ConversationEvent): void {
    this.#state = nextConversationState(this.#state, event);
  }

  #receive(message: AgentMessage, line: string): void {
    this.#hasSentMessages = true;
    if (message.type === 'system' && message.subtype === 'init') this.#followSession(message);
    const owner = this.#ledger.owner(message);
    if (message.type === 'result') this.#lastResultFailed = message.is_error;
    if (this.#isForReaders(message)) this.#readers.deliver(message, line, owner);
    this.#ledger.settle(message, owner);
    if (this.#gate.note(message)) this.#review();
  }

  /** A message that fails its check may name its session by anything. */
  #followSession({ session_id: id }: { readonly session_id?: unknown }): void {
    if (typeof id === 'string' && id !== '') this.#sessionId = id;
  }

  /** Frames that exist only because of how the SDK drives the agent are withheld. */
  #isForReaders(message: AgentMessage): boolean {
    if (message.type === 'command_lifecycle') return !this.#ids.isOwn(message.command_uuid);
    // The SDK asked for this one. Other frames for hosts are delivered, as unknown frames are.
    return !(message.type === 'system' && message.subtype === 'session_state_changed' && message.sdk_host_only);
  }

  /** Called twice for each request of the agent's, and therefore the very function that the channel calls. */
  readonly #review = (): void => {
    this.#flow.review();
    if (this.#state.name === 'finishing' && this.#gate.mayClose(this.#ledger.open.size)) {
      this.#apply({ name: 'inputEnded' });
      this.#gate.close();
    }
    if (this.#idlers.size > 0 && this.#gate.isIdle(this.#ledger.open.size)) this.#idlers.settle();
  };

  #makeTurn(id: string, queue: MessageQueue): LiveTurn {
    return new LiveTurn({ id, queue, flow: this.#flow, interrupt: (turn) => this.#stopTurn(turn) });
  }

  async #stopTurn(turn: LiveTurn): Promise<InterruptOutcome> {
    // Closing has interrupted the turn and ended the input already.
    if (isOver(this.#state) && !turn.isOver) return toInterruptOutcome(await turn.outcome);
    return await interruptTurn(turn, { ledger: this.#ledger, channel: this.#channel, flow: this.#flow });
  }

  #beginUnsolicited(): LiveTurn {
    const turn = this.#makeTurn(this.#parts.ids.uuid(), this.#readers.queueForUnsolicitedTurn());
    this.#readers.announce(turn);
    return turn;
  }

  /** A pipe breaks because the agent exits. An exit that is reported soon fails the turn itself, and with more detail. */
  async #unwritten(turn: LiveTurn, error: unknown): Promise<void> {
    this.#ids.giveBack(turn.id);
    if (SdkError.is(error) && error.code === 'CHANNEL_CLOSED')
      await within(exitGraceMs, this.exited, this.#parts.clock);
    this.#dropFailed(turn, error);
  }

  #dropFailed(turn: LiveTurn, error: unknown): void {
    this.#ledger.drop(turn);
    this.#failTurn(turn, error);
    this.#review();
  }

  #failTurn(turn: LiveTurn, error: unknown): void {
    if (turn.isOver) return;
    turn.apply({ name: 'failed', error });
    this.#parts.report?.({ kind: 'turn_failed', id: turn.id, error });
  }

  #onExit(exit: Exit): void {
    if (this.#state.name === 'ended') return;
    const lost = [...this.#ledger.open.keys()].map((id) => `turn ${id}`);
    const exited = exitOf(exit, lost, isReady(this.#state));
    // After finish() the agent may leave with tasks of its own, and is idle then.
    const isCutShort = lost.length > 0 || (this.#idlers.size > 0 && maySend(this.#state));
    const isFailure = isCutShort || !isExplained(exit, this.#lastResultFailed);
    const failure = reasonOf(this.#state) ?? (isFailure ? exited.exitError : undefined);
    this.#apply(exited);
    this.#idlers.settle(failure);
    for (const turn of [...this.#ledger.open.values()]) this.#dropFailed(turn, failure);
    this.#readers.end(failure);
    this.#exited.resolve(exit);
    void this.#parts.cleanUp().then(() => this.#cleaned.resolve());
    this.#parts.report?.({ kind: 'exited', exit });
  }

  /** Delivers nothing more, and ends the agent. `rejects`: turns and readers are rejected at once. `keepsUnread`: what was delivered before stays readable. */
  #end(ending: Error, { rejects = false, keepsUnread = false } = {}): Promise<void> {
    if (this.#state.name === 'ended') return this.#cleaned.promise;
    if (this.#state.name !== 'closing') {
      this.#apply({ name: 'close', reason: ending });
      if (keepsUnread) this.#readers.end(ending);
      else this.#readers.cut(rejects ? ending : undefined);
      for (const turn of this.#ledger.open.values()) {
        if (!keepsUnread) turn.queue.cut({ error: ending });
        // After `close()` a turn still gets its outcome if the agent reports it in time.
        if (rejects) this.#failTurn(turn, ending);
      }
      this.#idlers.settle(ending);
      this.#flow.close();
    }
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Interrupts what runs, so that the partial answer is kept, and ends an agent that does not exit in time. */
  async #stop(): Promise<void> {
    if (this.#ledger.open.size > 0) {
      // The turn itself reports its outcome, and a closed channel needs no interrupt.
      this.#channel.request('interrupt', { cancel_queued: true }).catch(() => {});
      this.#gate.close();
      await within(closingGraceMs, this.exited, this.#parts.clock);
    }
    await this.#channel.close();
    await this.#cleaned.promise;
  }
}
