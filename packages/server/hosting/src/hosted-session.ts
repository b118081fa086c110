import { Serial } from '@hexagent/async';
import { SdkError, type InterruptOutcome, type SessionRecord, type UserInput } from '@hexagent/ports';
import { AgentSlot, type AgentEnding } from './agent-slot.ts';
import { Delivery } from './delivery.ts';
import type { FactWriter } from './fact-writer.ts';
import type { Receipt } from './hosted-message.ts';
import { IdleTimer } from './idle-timer.ts';
import { openFor } from './open-agent.ts';
import { Recovery } from './recovery.ts';
import { SessionLedger } from './session-ledger.ts';
import type { HostedSessionParts, SessionInfo } from './session-parts.ts';
import { SessionStatus } from './session-status.ts';
import { timeLeft } from './time-left.ts';

/** One session of a host: decides when it has an agent, and gives that what is stored, in order. */
export class HostedSession {
  readonly id: string;
  readonly facts: FactWriter;
  readonly #parts: HostedSessionParts;
  readonly #serial = new Serial(() => this.#parts.rested());
  readonly #status: SessionStatus;
  readonly #ledger: SessionLedger;
  readonly #slot: AgentSlot;
  readonly #delivery: Delivery;
  readonly #recovery: Recovery;
  readonly #idle: IdleTimer;
  /** Whether the agent reported that it is idle. */
  #isAgentIdle = false;
  /** How many shut it down or delete it now. */
  #ends = 0;

  constructor(parts: HostedSessionParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#ledger = new SessionLedger(parts, {
      onFound: parts.found,
      onHeld: () => this.#reviewHeld(),
      onLogFailed: (error) => this.#failStore(error),
    });
    this.facts = this.#ledger.facts;
    this.#status = new SessionStatus(this.facts);
    this.#recovery = new Recovery({ ...parts, due: () => this.#pump() });
    this.#idle = new IdleTimer({ ...parts, due: () => this.#reap() });
    this.#slot = new AgentSlot(parts.admission, {
      facts: this.facts,
      continued: () => (this.#ledger.interrupted[0] ?? this.#ledger.cut[0])?.uuid,
      starting: () => this.#status.apply('start'),
      opened: () => this.#opened(),
      busy: () => this.#busy(),
      waits: (isWaiting) => this.#status.apply(isWaiting ? 'asked' : 'answered'),
      quiet: () => {
        this.#isAgentIdle = true;
        this.#settle();
      },
      begun: (uuid) => void this.#delivery.begun(uuid),
      lost: () => void this.lose(),
      unsolicited: (outcome) => this.#delivery.continued(outcome),
      gone: (error) => this.#gone(error),
    });
    this.#delivery = this.#createDelivery();
  }

  /** `undefined` where it is not driven here. What is stored may be a minute older. */
  get record(): SessionRecord | undefined {
    return this.#ledger.record;
  }

  /** What a host shows of it. */
  get info(): Pick<SessionInfo, 'state' | 'pending' | 'isHeld' | 'isCrashing'> {
    const { isHeld, size: pending } = this.#ledger;
    return { state: this.#status.state, pending, isHeld, isCrashing: this.#recovery.isBroken };
  }

  /** How many bytes its unfinished messages have. */
  get pendingBytes(): number {
    return this.#ledger.bytes;
  }

  /** When its agent became idle, by the clock. */
  get idleSince(): number {
    return this.#idle.since;
  }

  /** Whether nothing of it is needed in memory. */
  get isAtRest(): boolean {
    // A task that still takes the lease has nothing to show for it yet.
    return !this.#serial.isBusy && !this.#slot.isTaken && !this.#recovery.isWaiting && this.#ledger.isEmpty;
  }

  /** Whether its agent may be ended to make room. */
  get mayBeParked(): boolean {
    return this.#status.state === 'idle' && this.#ledger.messages.every(({ isWritten }) => isWritten);
  }

  /** Makes the session, unless it is there. `admit` may refuse it before. */
  create(record: SessionRecord, admit: () => void): Promise<SessionRecord> {
    return this.#serial.run(() => this.#ledger.create(record, admit));
  }

  /** Stores a message, and sees to it that it is run: here, or with `isRouted` by the process that drives the session. */
  send(input: UserInput & { readonly uuid: string }, { isRouted }: { readonly isRouted: boolean }): Promise<Receipt> {
    const { routing } = this.#parts;
    const here = (): Promise<Receipt> => this.#enqueue(input);
    return this.#serial.run(() => (isRouted && routing ? routing.send(this.id, input, here) : here()));
  }

  /** Reads the pending messages, unless another process drives the session. */
  takeUp(): Promise<'elsewhere' | 'pending' | 'nothing'> {
    return this.#serial.run(async () => {
      const found = await this.#ledger.takeUp();
      this.#pump();
      return found;
    });
  }

  /** Continues with what was cut off, also after too many crashes. */
  restart(): Promise<void> {
    return this.#serial.run(async () => {
      await this.#ledger.load();
      this.#recovery.retry();
      this.#ledger.release();
      this.#pump();
    });
  }

  /**
   * Gives up the messages that were cut off, and continues with the others. After too many crashes it gives up all of them:
   * any may be what ends the agent, also before its turn begins.
   */
  discard(): Promise<readonly string[]> {
    return this.#serial.run(async () => {
      await this.#ledger.load();
      const uuids = await this.#ledger.discard(this.#recovery.isBroken ? 'pending' : 'interrupted');
      this.#recovery.retry();
      this.#reviewHeld();
      this.#pump();
      return uuids;
    });
  }

  /** Takes one message back, or stops the turn that runs it. */
  cancel(uuid: string): Promise<InterruptOutcome> {
    return this.#delivery.cancel(uuid);
  }

  interrupt(): Promise<InterruptOutcome> {
    return this.#slot.run?.agent.interrupt() ?? Promise.resolve('nothing_running');
  }

  /** Ends the agent, at the latest after `withinMs`. Unfinished messages are kept. */
  async park(how: AgentEnding, withinMs: number): Promise<void> {
    this.#recovery.stop();
    this.#idle.stop();
    this.#status.apply('drain');
    await this.#slot.end(how, (suspend) => this.#parts.clock.after(withinMs, suspend, { keepsAlive: true }));
  }

  /** Ends everything here and gives the lease back. Unfinished messages continue elsewhere. */
  async shutDown(how: AgentEnding, withinMs: number, error: SdkError): Promise<void> {
    this.#ends += 1;
    // What was begun is stored first. A store that hangs keeps no agent alive.
    await this.park(how, await timeLeft(withinMs, this.#serial.settled(), this.#parts.clock));
    const isLeft = this.#ledger.size > 0;
    await this.#serial.run(() => this.#ledger.drop(error));
    if (isLeft) this.#parts.signals?.send({ session: this.id, kind: 'moved' });
    this.#parts.rested();
  }

  /** Ends what is awaited of it, where a store does not answer. */
  readonly abandon = (error: SdkError): void => this.#ledger.forget(error);

  /** Stops everything here without storing it, since another process may drive the session already. */
  async lose(): Promise<void> {
    if (!this.#ledger.isLoaded) return;
    this.#recovery.stop();
    const ended = this.#slot.end('suspend', () => () => {});
    await this.#ledger.drop(new SdkError('LEASE_LOST', `The lease of the session ${this.id} was lost.`));
    await ended;
    this.#parts.rested();
  }

  /** Deletes the session. Afterwards another one may be made here; where deleting fails, this one continues. */
  async delete(alsoDelete: () => Promise<void>): Promise<void> {
    await this.#serial.run(() => this.#ledger.load());
    this.#ends += 1;
    try {
      await this.park('close', 0);
      await this.#serial.run(() => this.#ledger.delete(alsoDelete));
    } catch (error) {
      await this.#serial.run(() => this.#decideAboutCut());
      throw error;
    } finally {
      this.#ends -= 1;
      this.#pump();
    }
    this.#parts.rested();
  }

  async #enqueue(input: UserInput & { readonly uuid: string }): Promise<Receipt> {
    await this.#ledger.load();
    try {
      this.#recovery.refuseBroken();
      return await this.#ledger.enqueue(input, { hasPlace: this.#slot.isTaken });
    } finally {
      this.#pump();
    }
  }

  #createDelivery(): Delivery {
    return new Delivery({
      ledger: this.#ledger,
      serial: this.#serial,
      run: () => (this.#status.isOpen ? this.#slot.run : undefined),
      running: () => this.#slot.run,
      isEnding: () => this.#ends > 0 || this.#status.state === 'draining',
      given: () => this.#busy(),
      finished: () => this.#recovery.finished(),
      settled: () => {
        this.#settle();
        this.#pump();
      },
      replaced: () => this.#pump(),
      failed: (error) => this.#failStore(error),
    });
  }

  /** Starts the next step that the state calls for. Called after every change of the state. */
  #pump(): void {
    if (this.#ends > 0) return;
    const hasWork = this.#ledger.size > 0 && !this.#ledger.isHeld && !this.#recovery.isBroken;
    if (this.#status.isOpen) {
      if (hasWork) void this.#delivery.write();
      return;
    }
    if ((this.#status.state !== 'parked' && this.#status.state !== 'crashed') || this.#slot.isTaken) return;
    if (!hasWork) void this.#serial.run(() => this.#letGo());
    else if (!this.#recovery.isWaiting)
      this.#slot.enter(this.record?.tenant, (signal) => openFor(this.#ledger, this.#parts, signal));
  }

  #opened(): void {
    this.#status.apply('opened');
    this.#idle.restart();
    this.#pump();
  }

  #busy(): void {
    this.#isAgentIdle = false;
    this.#idle.stop();
    this.#status.apply('busy');
  }

  /** The session is idle once the agent is, and the ends of its messages are stored. */
  #settle(): void {
    if (!this.#isAgentIdle || this.#ledger.messages.some(({ isWritten }) => isWritten)) return;
    this.#status.apply('quiet');
    if (!this.#status.isOpen) return;
    this.#idle.restart();
    this.#pump();
    this.#parts.admission.review();
  }

  /** Ends an agent that was idle for long. */
  #reap(): void {
    if (this.mayBeParked) void this.park('wait', this.#parts.idleMs);
    else if (this.#status.isOpen) this.#idle.restart();
  }

  /** The agent has exited or could not be started. */
  async #gone(error: unknown): Promise<void> {
    await this.#serial.run(async () => {
      const wasMeant = this.#ends > 0 || this.#status.state === 'draining';
      this.#idle.stop();
      this.#ledger.cutOff();
      this.#status.apply('gone');
      if (!this.#ledger.isLoaded) return;
      if (!wasMeant) this.#crashed(error);
      if (this.#ends === 0) await this.#decideAboutCut();
      this.#pump();
    });
    this.#parts.rested();
  }

  async #decideAboutCut(): Promise<void> {
    await this.#ledger.decideAboutCut().catch((cause: unknown) => this.#failStore(cause));
  }

  #crashed(exit: unknown): void {
    const isHeldBack = this.#ledger.interrupted.length > 0 && this.#parts.autoResume !== 'continue';
    const { error, delay, restarts } = this.#recovery.crashed(exit, () => this.#ledger.size > 0 && !isHeldBack);
    this.facts.add({ kind: 'crashed', error, restartsInMs: restarts ? delay : undefined });
    this.#reviewHeld();
  }

  /** Ends the agent when a store fails: a turn that is not stored could run twice after a restart. */
  #failStore(error: unknown): void {
    if (SdkError.is(error) && error.code === 'LEASE_LOST') return void this.lose();
    this.#recovery.explain(error);
    void this.#slot.run?.suspend();
  }

  /** Gives the lease back when nothing is left to do here. */
  async #letGo(): Promise<void> {
    if (this.#ledger.size > 0 || this.#slot.isTaken) return;
    if (this.#status.state === 'crashed' && !this.#recovery.isWaiting) this.#status.apply('drain');
    await this.#ledger.giveBack();
    this.#parts.rested();
  }

  #reviewHeld(): void {
    this.#status.hold(this.#ledger.isHeld || this.#recovery.isBroken);
  }
}
