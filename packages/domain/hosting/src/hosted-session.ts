/* oxlint-disable max-lines -- to be taken apart */
import {
  errorText,
  SdkError,
  type AgentOpener,
  type Clock,
  type HostedAgent,
  type InterruptOutcome,
  type LeaseStore,
  type OutboxStore,
  type SessionDirectory,
  type SessionRecord,
  type UserInput,
} from '@hexagent/ports';
import type { Admission, Place } from './admission.ts';
import { AgentRun, type SentEnd } from './agent-run.ts';
import { CrashPolicy, type CrashOptions } from './crash-policy.ts';
import type { HostEvent } from './host-events.ts';
import { HostedMessage, type MessageEnd, type Receipt } from './hosted-message.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { Serial } from './serial.ts';
import { isOpen, nextSessionState, type SessionEvent, type SessionState } from './session-state.ts';

/** What becomes of messages that were cut off with their agent. */
export type AutoResume = 'wait' | 'continue' | 'never';

export interface HostedSessionParts {
  readonly id: string;
  readonly owner: string;
  readonly open: AgentOpener;
  readonly outbox: OutboxStore;
  readonly directory: SessionDirectory;
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly now: () => number;
  readonly random: () => number;
  readonly admission: Admission;
  readonly crashes: CrashOptions;
  readonly autoResume: AutoResume;
  readonly idleMs: number;
  readonly takeoverGraceMs: number;
  /** Throws `HOST_FULL` where one more message is too many. */
  readonly admit: (tenant: string | undefined, pending: number) => void;
  readonly emit: (event: HostEvent) => void;
  /** Called when it may have become of no use: nothing is open, stored or wanted. */
  readonly rested: () => void;
}

/** One session of a host: its lease, its messages, and its agent while it has one. */
export class HostedSession {
  readonly id: string;
  readonly #parts: HostedSessionParts;
  readonly #serial = new Serial();
  readonly #messages = new Map<string, HostedMessage>();
  readonly #crashes: CrashPolicy;
  #state: SessionState = 'parked';
  #record: SessionRecord | undefined;
  #keeper: LeaseKeeper | undefined;
  #run: AgentRun | undefined;
  #place: Place | undefined;
  #opening: AbortController | undefined;
  #isHeld = false;
  #lastError: unknown;
  #cancelRestart: (() => void) | undefined;
  #cancelReaping: () => void = () => {};
  #isWriting = false;
  /** Whether the agent has nothing to do, by its own account. */
  #isAgentIdle = false;
  #idleSince = 0;
  /** Names the wish for a place that counts. */
  #wish = 0;
  #isDone = false;
  /** Settles when the agent that is being ended has gone. */
  #ending: Promise<void> | undefined;

  constructor(parts: HostedSessionParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#crashes = new CrashPolicy(parts.crashes, parts.random);
  }

  get state(): SessionState {
    return this.#state;
  }

  get tenant(): string | undefined {
    return this.#record?.tenant;
  }

  /** How many messages are not done with. */
  get pending(): number {
    return this.#messages.size;
  }

  /** Whether messages that were cut off wait for somebody to go on. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Whether nothing of it is needed in memory. */
  get isAtRest(): boolean {
    const parts = [this.#run, this.#place, this.#keeper, this.#cancelRestart];
    return this.#messages.size === 0 && parts.every((part) => part === undefined);
  }

  /** When its agent became idle, by the clock. */
  get idleSince(): number {
    return this.#idleSince;
  }

  /** Whether its agent may be ended to make room. */
  get mayBeParked(): boolean {
    return this.#state === 'idle' && ![...this.#messages.values()].some(({ isWritten }) => !isWritten);
  }

  /** Makes the session, unless it is there. */
  create(record: SessionRecord): Promise<SessionRecord> {
    return this.#serial.run(async () => {
      const { directory } = this.#parts;
      const known = this.#record ?? (await directory.get(this.id));
      if (known !== undefined) return known;
      const keeper = await this.#acquire();
      const stored = await directory.get(this.id);
      if (stored === undefined) await directory.put(record, keeper.fence);
      this.#record = stored ?? record;
      await this.#letGo();
      return this.#record;
    });
  }

  /** Stores a message, and sees to it that it is run. */
  send({ uuid, ...input }: UserInput & { readonly uuid: string }): Promise<Receipt> {
    return this.#serial.run(async () => {
      const keeper = await this.#load();
      this.#refuseBroken();
      const isKnown = this.#messages.has(uuid);
      if (!isKnown) await this.#admit();
      const answer = await this.#parts.outbox.enqueue({ session: this.id, uuid, input }, keeper.fence);
      const receipt = this.#receiptOf(uuid, input, answer);
      this.#goOn();
      return receipt;
    });
  }

  /** Loads what is not done with. `true` when there is anything. */
  recover(): Promise<boolean> {
    return this.#serial.run(async () => {
      await this.#load();
      if (this.#messages.size === 0) await this.#letGo();
      else this.#pump();
      return this.#messages.size > 0;
    });
  }

  /** Goes on with what was cut off, also after too many crashes. */
  restart(): Promise<void> {
    return this.#serial.run(async () => {
      await this.#load();
      this.#crashes.reset();
      this.#stopWaitingToRestart();
      this.#goOn();
    });
  }

  /** Gives up the messages that were cut off, and goes on with the others. */
  discard(): Promise<readonly string[]> {
    return this.#serial.run(async () => {
      await this.#load();
      const cut = [...this.#messages.values()].filter((message) => message.isResent && !message.isWritten);
      for (const message of cut) await this.#conclude(message, { state: 'cancelled' });
      this.#isHeld = false;
      this.#pump();
      return cut.map(({ uuid }) => uuid);
    });
  }

  /** Takes one message back, or stops the turn that runs it. */
  async cancel(uuid: string): Promise<InterruptOutcome> {
    const message = this.#messages.get(uuid);
    if (message === undefined) return 'too_late';
    message.isWithdrawn = true;
    if (message.isWritten) return await (this.#run?.interrupt(uuid) ?? 'too_late');
    return await this.#serial.run(async () => {
      if (message.isWritten || !this.#messages.has(uuid)) return 'too_late';
      await this.#conclude(message, { state: 'cancelled' });
      return 'cancelled';
    });
  }

  interrupt(): Promise<InterruptOutcome> {
    return this.#run?.agent.interrupt() ?? Promise.resolve('nothing_running');
  }

  /** Ends the agent: once it is idle, or at once, and at the latest after `withinMs`. What is not done with is kept. */
  async park(how: 'wait' | 'interrupt' | 'now', withinMs: number): Promise<void> {
    this.#stopWaitingToRestart();
    this.#apply('drain');
    const { agent } = this.#run ?? {};
    if (agent === undefined) {
      this.#opening?.abort();
      await this.#ending;
      this.#leavePlaceUnlessOpening();
      return;
    }
    const cancel = this.#parts.clock.after(withinMs, () => void agent.close(), { keepsAlive: true });
    if (how === 'now') void agent.close();
    if (how === 'interrupt') await agent.interrupt().catch(() => {});
    if (how !== 'now') agent.finish().catch(() => {});
    await agent.exited;
    cancel();
    await this.#ending;
  }

  /** Ends everything here and gives the lease back. What is not done with goes on elsewhere. */
  async shutDown(how: 'wait' | 'interrupt' | 'now', withinMs: number, error: SdkError): Promise<void> {
    this.#isDone = true;
    await this.park(how, withinMs);
    await this.#serial.run(async () => {
      await this.#forget(error);
    });
  }

  /** Deletes the session. */
  async delete(): Promise<void> {
    await this.#serial.run(() => this.#load());
    this.#isDone = true;
    await this.park('now', 0);
    await this.#serial.run(async () => {
      const { outbox, directory } = this.#parts;
      const keeper = this.#keeper ?? (await this.#acquire());
      await outbox.delete(this.id, keeper.fence);
      await directory.delete(this.id, keeper.fence);
      for (const message of this.#messages.values()) message.end.resolve({ state: 'cancelled' });
      await this.#forget(new SdkError('SESSION_NOT_FOUND', `The session ${this.id} was deleted.`));
    });
  }

  async #admit(): Promise<void> {
    try {
      this.#parts.admit(this.tenant, this.#messages.size);
    } catch (error) {
      await this.#letGo();
      throw error;
    }
  }

  async #acquire(): Promise<LeaseKeeper> {
    const { leases, owner, clock } = this.#parts;
    const answer = await leases.acquire(this.id, { owner });
    if (answer.kind === 'held')
      throw new SdkError('SESSION_HELD', `The session ${this.id} is driven by another process: ${answer.owner}.`);
    const { lease } = answer;
    this.#keeper = new LeaseKeeper({ store: leases, lease, clock, onLost: () => void this.#lose() });
    return this.#keeper;
  }

  /** Takes the lease and reads what is stored, unless that was done. */
  async #load(): Promise<LeaseKeeper> {
    if (this.#keeper !== undefined) return this.#keeper;
    const keeper = await this.#acquire();
    try {
      const { directory, outbox } = this.#parts;
      const [record, pending] = await Promise.all([directory.get(this.id), outbox.pending(this.id)]);
      if (record === undefined) throw new SdkError('SESSION_NOT_FOUND', `There is no session ${this.id}.`);
      this.#record = record;
      for (const entry of pending) this.#messages.set(entry.uuid, new HostedMessage(entry));
      await this.#decideAboutCut();
      return keeper;
    } catch (error) {
      await this.#letGo();
      throw error;
    }
  }

  /** What becomes of messages that an agent was given and was not done with. */
  async #decideAboutCut(): Promise<void> {
    const cut = [...this.#messages.values()].filter(({ isResent }) => isResent);
    if (cut.length === 0 || this.#parts.autoResume === 'continue') return;
    if (this.#parts.autoResume === 'wait') this.#isHeld = true;
    else for (const message of cut) await this.#conclude(message, { state: 'cancelled' });
  }

  #receiptOf(
    uuid: string,
    input: HostedMessage['input'],
    answer: Awaited<ReturnType<OutboxStore['enqueue']>>,
  ): Receipt {
    if (answer.kind === 'accepted') {
      const message = new HostedMessage({ uuid, input, state: 'queued' });
      this.#messages.set(uuid, message);
      this.#parts.emit({ kind: 'outbox', uuid, state: 'queued' });
      return { uuid, kind: 'accepted', state: 'queued', done: message.end.promise };
    }
    const { state } = answer;
    const known = this.#messages.get(uuid);
    const end: MessageEnd = state === 'cancelled' ? { state } : { state: 'completed', outcome: undefined };
    return { uuid, kind: 'duplicate', state, done: known?.end.promise ?? Promise.resolve(end) };
  }

  #goOn(): void {
    this.#isHeld = false;
    this.#pump();
  }

  /** Does what is to be done next. Called after whatever may have changed that. */
  #pump(): void {
    if (this.#isDone) return;
    const hasWork = this.#messages.size > 0 && !this.#isHeld && !this.#crashes.isBroken;
    if (isOpen(this.#state)) {
      if (hasWork) void this.#write();
      return;
    }
    const isStartable = this.#state === 'parked' || this.#state === 'crashed';
    if (!hasWork || !isStartable || this.#place !== undefined || this.#cancelRestart !== undefined) {
      if (!hasWork && isStartable) void this.#serial.run(() => this.#letGo());
      return;
    }
    this.#wish += 1;
    const wish = this.#wish;
    this.#place = this.#parts.admission.enter(this.tenant, () => {
      // The place may be there before `enter()` has returned it.
      void Promise.resolve().then(() => {
        if (wish === this.#wish && this.#place !== undefined) this.#ending = this.#start(this.#place);
      });
    });
  }

  async #start(place: Place): Promise<void> {
    this.#apply('start');
    const opening = new AbortController();
    this.#opening = opening;
    try {
      const agent = await this.#opened(opening.signal);
      this.#opening = undefined;
      if (opening.signal.aborted) {
        await agent.close();
        throw opening.signal.reason;
      }
      this.#attach(agent, place);
    } catch (error) {
      this.#opening = undefined;
      await this.#gone(error);
    }
  }

  #attach(agent: HostedAgent, place: Place): void {
    const ended: { resolve: () => void } = { resolve: () => {} };
    this.#ending = new Promise((resolve) => (ended.resolve = resolve));
    const started = (): void => place.started();
    agent.ready.then(started, started);
    this.#apply('opened');
    this.#run = new AgentRun(agent, {
      emit: (event) => this.#parts.emit(event),
      busy: () => this.#busy(),
      waits: (isWaiting) => this.#apply(isWaiting ? 'asked' : 'answered'),
      quiet: () => {
        this.#isAgentIdle = true;
        this.#settle();
      },
      begun: (uuid) => void this.#begun(uuid),
      unsolicited: ({ ...outcome }) => {
        if (!('result' in outcome)) return;
        for (const uuid of outcome.result.user_message_uuids ?? []) {
          const message = this.#messages.get(uuid);
          if (message !== undefined) message.continued = outcome;
        }
      },
      gone: (error) => void this.#gone(error).then(ended.resolve, ended.resolve),
    });
    this.#pump();
    this.#reapLater();
  }

  /** Opens the agent. Where nobody knows whether it has stored the session, both ways are tried. */
  async #opened(signal: AbortSignal): Promise<HostedAgent> {
    const { open, takeoverGraceMs } = this.#parts;
    await this.#keeper?.settled(takeoverGraceMs);
    const record = this.#record;
    if (record === undefined || this.#keeper === undefined)
      throw new SdkError('LEASE_LOST', `The session ${this.id} is not driven here any more.`);
    signal.throwIfAborted();
    const isCut = [...this.#messages.values()].some(({ isResent }) => isResent);
    const { sessionId } = record;
    const request = { session: this.id, tenant: record.tenant, facts: record.facts };
    const anew = { ...request, options: { sessionId, signal } };
    const resumed = {
      ...request,
      options: { resume: sessionId, signal, ...(isCut && { interruptedTurn: 'continue' as const }) },
    };
    if (record.begun === 'yes') return await open(resumed);
    if (record.begun === 'no') return await this.#adopted(await open(anew), record);
    const agent = await open(resumed);
    try {
      await agent.ready;
      return agent;
    } catch {
      await agent.close();
      signal.throwIfAborted();
      return await open(anew);
    }
  }

  /** A spare agent has a session of its own, whose id becomes that of this one. */
  async #adopted(agent: HostedAgent, record: SessionRecord): Promise<HostedAgent> {
    const { sessionId = record.sessionId } = agent;
    if (sessionId === record.sessionId) return agent;
    try {
      await this.#put({ sessionId });
      return agent;
    } catch (error) {
      await agent.close();
      throw error;
    }
  }

  async #put(changes: Partial<SessionRecord>): Promise<void> {
    if (this.#record === undefined || this.#keeper === undefined) return;
    const record = { ...this.#record, ...changes, updatedAt: this.#parts.now() };
    await this.#parts.directory.put(record, this.#keeper.fence);
    this.#record = record;
  }

  /** Gives the agent what it was not given, in order. */
  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    const run = this.#run;
    try {
      for (let next = this.#unwritten(); next !== undefined && run === this.#run; next = this.#unwritten()) {
        const message = next;
        // The agent is told only after the store knows that it may have been.
        await this.#serial.run(async () => {
          if (run === undefined || run !== this.#run || !isOpen(this.#state) || !this.#messages.has(message.uuid))
            return;
          if (this.#record?.begun === 'no') await this.#put({ begun: 'perhaps' });
          if (message.state === 'queued') await this.#mark(message, 'sent');
          if (run === this.#run && isOpen(this.#state)) this.#hand(run, message);
        });
        if (!message.isWritten && this.#messages.has(message.uuid)) break;
      }
    } catch (error) {
      this.#failStore(error);
    } finally {
      this.#isWriting = false;
    }
    if (run !== this.#run) this.#pump();
  }

  #unwritten(): HostedMessage | undefined {
    if (this.#isHeld || !isOpen(this.#state)) return undefined;
    return [...this.#messages.values()].find(({ isWritten }) => !isWritten);
  }

  #hand(run: AgentRun, message: HostedMessage): void {
    message.isWritten = true;
    this.#busy();
    const ended = run.send({ ...message.input, uuid: message.uuid }).then(
      (end) => this.#ended(run, message, end),
      (reason: unknown) => this.#serial.run(() => this.#conclude(message, { state: 'cancelled', reason })),
    );
    ended.then(
      () => this.#settle(),
      (error: unknown) => this.#failStore(error),
    );
  }

  #busy(): void {
    this.#isAgentIdle = false;
    this.#cancelReaping();
    this.#apply('busy');
  }

  async #ended(run: AgentRun, message: HostedMessage, end: SentEnd): Promise<void> {
    // What was cut off stays, and is decided about when the agent has gone.
    if (end.kind === 'cut') return;
    const { outcome } = end;
    const isRepeated = outcome.kind === 'cancelled' && outcome.why === 'repeated';
    const isWithdrawn = outcome.kind === 'cancelled' && outcome.why === 'withdrawn';
    // An agent that goes on with a turn by itself calls its message repeated while that turn runs.
    if (isRepeated && !(await this.#hasContinued(run))) return;
    await this.#serial.run(async () => {
      if (!this.#messages.has(message.uuid)) return;
      // An agent that is ended takes what it had queued out of its queue; here that goes on with the next agent.
      if (isWithdrawn && !message.isWithdrawn && (this.#isDone || this.#state === 'draining')) return;
      if (isWithdrawn) return await this.#conclude(message, { state: 'cancelled' });
      this.#crashes.reset();
      const { sessionId } = run.agent;
      if (this.#record?.begun !== 'yes' || (sessionId !== undefined && sessionId !== this.#record.sessionId))
        await this.#put({ begun: 'yes', ...(sessionId !== undefined && { sessionId }) });
      await this.#conclude(message, { state: 'completed', outcome: isRepeated ? message.continued : outcome });
    });
  }

  /** Waits for what an agent goes on with by itself. `false` when it died before. */
  async #hasContinued({ agent }: AgentRun): Promise<boolean> {
    try {
      await agent.ready;
      await agent.idle();
      return true;
    } catch {
      return false;
    }
  }

  /** Stores the end of a message, then tells of it. */
  async #conclude(message: HostedMessage, end: MessageEnd): Promise<void> {
    await this.#mark(message, end.state);
    this.#messages.delete(message.uuid);
    message.end.resolve(end);
  }

  async #mark(message: HostedMessage, state: 'sent' | 'started' | 'completed' | 'cancelled'): Promise<void> {
    if (this.#keeper === undefined)
      throw new SdkError('LEASE_LOST', `The session ${this.id} is not driven here any more.`);
    const { uuid } = message;
    await this.#parts.outbox.mark({ session: this.id, uuid }, state, this.#keeper.fence);
    if (state === 'sent' || state === 'started') message.state = state;
    this.#parts.emit({ kind: 'outbox', uuid, state });
  }

  async #begun(uuid: string): Promise<void> {
    const message = this.#messages.get(uuid);
    if (message === undefined || message.state === 'started') return;
    try {
      await this.#mark(message, 'started');
    } catch (error) {
      this.#failStore(error);
    }
  }

  /** The session is idle once the agent is, and the ends of its messages are stored. */
  #settle(): void {
    if (!this.#isAgentIdle || [...this.#messages.values()].some(({ isWritten }) => isWritten)) return;
    this.#apply('quiet');
    this.#reapLater();
    this.#pump();
  }

  #reapLater(): void {
    this.#cancelReaping();
    const { idleMs, clock } = this.#parts;
    this.#idleSince = clock.now();
    this.#cancelReaping = clock.after(idleMs, () => {
      if (this.mayBeParked) void this.park('wait', idleMs);
      else if (isOpen(this.#state)) this.#reapLater();
    });
  }

  /** The agent has gone or could not be started. */
  async #gone(error: unknown): Promise<void> {
    await this.#serial.run(async () => {
      const wasMeant = this.#state === 'draining' || this.#isDone;
      this.#cancelReaping();
      this.#run = undefined;
      this.#place?.leave();
      this.#place = undefined;
      for (const message of this.#messages.values()) {
        message.isResent ||= message.isWritten || message.state !== 'queued';
        message.isWritten = false;
      }
      this.#apply('gone');
      if (this.#keeper === undefined) return;
      if (!wasMeant) this.#crashed(error);
      if (!this.#isDone) await this.#decideAboutCut().catch((cause: unknown) => this.#failStore(cause));
      this.#pump();
    });
    this.#parts.rested();
  }

  #crashed(error: unknown): void {
    this.#lastError = error;
    const delay = this.#crashes.crashed();
    const isCut = [...this.#messages.values()].some(({ isResent }) => isResent);
    const restarts =
      this.#messages.size > 0 && !this.#crashes.isBroken && !(isCut && this.#parts.autoResume !== 'continue');
    this.#parts.emit({ kind: 'crashed', error, restartsInMs: restarts ? delay : undefined });
    // Also what is sent meanwhile waits for that long.
    this.#cancelRestart = this.#parts.clock.after(
      delay,
      () => {
        this.#cancelRestart = undefined;
        this.#pump();
      },
      { keepsAlive: restarts },
    );
  }

  #stopWaitingToRestart(): void {
    this.#cancelRestart?.();
    this.#cancelRestart = undefined;
  }

  /** A store that fails is as bad as an agent that dies: what it does not know must not go on. */
  #failStore(error: unknown): void {
    if (SdkError.is(error) && error.code === 'LEASE_LOST') return void this.#lose();
    this.#lastError = error;
    void this.#run?.agent.close();
  }

  /** Another process may drive the session: nothing more may be done here. */
  async #lose(): Promise<void> {
    const error = new SdkError('LEASE_LOST', `The lease of the session ${this.id} was lost.`);
    await this.#drop(error);
    this.#opening?.abort(error);
    await this.#run?.agent.close();
    this.#parts.rested();
  }

  async #drop(error: SdkError): Promise<void> {
    const keeper = this.#keeper;
    this.#keeper = undefined;
    this.#stopWaitingToRestart();
    for (const message of this.#messages.values()) message.end.reject(error);
    this.#messages.clear();
    this.#isHeld = false;
    await keeper?.release();
  }

  async #forget(error: SdkError): Promise<void> {
    this.#cancelReaping();
    this.#leavePlaceUnlessOpening();
    await this.#drop(error);
    this.#record = undefined;
    this.#parts.rested();
  }

  #leavePlaceUnlessOpening(): void {
    if (this.#opening !== undefined || this.#run !== undefined) return;
    this.#wish += 1;
    this.#place?.leave();
    this.#place = undefined;
  }

  /** Gives the lease back when nothing is left to do here. */
  async #letGo(): Promise<void> {
    if (this.#messages.size > 0 || this.#run !== undefined || this.#place !== undefined) return;
    const keeper = this.#keeper;
    this.#keeper = undefined;
    if (this.#state === 'crashed') this.#apply('drain');
    await keeper?.release();
    this.#parts.rested();
  }

  #refuseBroken(): void {
    if (!this.#crashes.isBroken) return;
    const cause = this.#lastError;
    throw new SdkError(
      'SESSION_CRASHING',
      `The agent of the session ${this.id} ended again and again, and is not started any more. It last ended with: ${errorText(cause)}`,
      { cause },
    );
  }

  #apply(event: SessionEvent): void {
    const before = this.#state;
    this.#state = nextSessionState(before, event);
    if (this.#state !== before) this.#parts.emit({ kind: 'state', state: this.#state });
  }
}
