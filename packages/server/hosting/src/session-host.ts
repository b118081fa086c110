import { attempt, settledWithin } from '@hexagent/async';
import { isRecord, kindOf } from '@hexagent/checks';
import { listSessionRecords, SdkError } from '@hexagent/ports';
import type { InterruptOutcome, SessionEvent, SessionFact, SessionLog } from '@hexagent/ports';
import type { SessionQuery, SessionRecord, UserInput } from '@hexagent/ports';
import { Admission } from './admission.ts';
import type { AgentEnding } from './agent-slot.ts';
import type { CreateOptions, DeleteOptions, DrainOptions, ObserveOptions, SendOptions } from './call-options.ts';
import { checkedFirst, checkedInput, checkText } from './checked-input.ts';
import { checkedAutoResume, checkedLimits, type HostLimits, type SessionHostOptions } from './host-options.ts';
import { claimedSessions, type ClaimedSessions } from './claimed-sessions.ts';
import { HostedSession } from './hosted-session.ts';
import { IdleAgents } from './idle-agents.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { TenantGate } from './tenant-gate.ts';
import type { Arrival, AutoResume, SessionInfo } from './session-parts.ts';
import { bytesOf, type Receipt } from './hosted-message.ts';
import { MemoryLog } from './memory-log.ts';
import { refuseFull } from './refuse-full.ts';
import { Routing } from './routing.ts';
import { hasAgent } from './session-state.ts';

/** How long stores may take when a host shuts down. One that does not answer must not keep the process. */
const storesMs = 10_000;

/**
 * Many sessions in one process. A session is found by the application's own id, gets an agent when there is something to
 * do, and loses it when there is not; messages are stored before an agent sees them.
 */
export class SessionHost implements AsyncDisposable {
  readonly #options: SessionHostOptions;
  readonly #limits: { readonly [Name in keyof HostLimits]-?: number };
  readonly #autoResume: AutoResume;
  readonly #leases: LeaseKeeper;
  readonly #admission: Admission;
  readonly #sessions = new Map<string, HostedSession>();
  readonly #log: SessionLog;
  readonly #idle = new IdleAgents(this.#sessions);
  readonly #ended = new AbortController();
  readonly #claimed: ClaimedSessions;
  readonly #routing: Routing | undefined;
  #isStarted = false;
  #isClosed = false;
  #closed: Promise<void> | undefined;

  /** @throws {TypeError} for an invalid option, naming it. */
  constructor(options: SessionHostOptions) {
    this.#options = options;
    this.#log = options.log ?? new MemoryLog({ now: () => this.#now() });
    this.#limits = checkedLimits(options);
    this.#autoResume = checkedAutoResume(options.autoResume);
    const onLost = (ids: readonly string[]): void => ids.forEach((id) => void this.#sessions.get(id)?.lose());
    this.#leases = new LeaseKeeper({ ...options, capacity: this.#limits.maxLive, onLost });
    const { maxLive, maxStarting, maxLivePerTenant } = this.#limits;
    const makeRoom = (tenant: string | undefined): boolean => this.#idle.makeRoom(tenant, this.#admission);
    const gate = this.#createGate(maxLivePerTenant);
    this.#admission = new Admission({ maxLive, maxStarting, maxLivePerTenant, makeRoom, gate });
    this.#claimed = claimedSessions({ ...options, leases: this.#leases, driven: () => this.#driven() });
    this.#routing = this.#createRouting();
  }

  /**
   * Makes a session; one that is there is left as it is. Starts nothing.
   * @throws {SdkError} `SESSION_HELD`, `HOST_CLOSED`; `HOST_FULL` with `unlessFull`.
   */
  async create(id: string, { tenant, facts = {}, unlessFull = false }: CreateOptions = {}): Promise<SessionInfo> {
    this.#refuseClosed();
    checkText('id', id);
    if (tenant !== undefined) checkText('tenant', tenant);
    if (!isRecord(facts)) throw new TypeError(`\`facts\` must be an object, not ${kindOf(facts)}.`);
    const first = checkedFirst(unlessFull);
    const now = this.#now();
    const record: SessionRecord = {
      id,
      sessionId: this.#options.ids.uuid(),
      ...(tenant !== undefined && { tenant }),
      begun: 'no',
      createdAt: now,
      updatedAt: now,
      facts,
    };
    const admit = (): void => {
      if (first !== undefined) this.#admit({ tenant, bytes: bytesOf(first), pending: 0, hasPlace: false });
    };
    return this.#infoOf(await this.#session(id).create(record, admit));
  }

  /**
   * Stores a message and runs it when there is a place. Resolves once it is stored. A message with a uuid of your own may be
   * handed over again: it is run once. With `signals`, a session may be driven by another process, whose limits are not applied here.
   * @throws {SdkError} `SESSION_NOT_FOUND`; `SESSION_HELD` where another process drives the session and the message is not routed;
   * `SESSION_CRASHING` after too many crashes; `HOST_FULL`, `HOST_CLOSED`. Nothing is stored then.
   * @throws {TypeError} for what is not a message.
   */
  async send(id: string, input: string | UserInput, { isRouted = true }: SendOptions = {}): Promise<Receipt> {
    this.#refuseClosed();
    checkText('id', id);
    const message = checkedInput(input);
    const { uuid = this.#options.ids.uuid() } = message;
    return await this.#session(id).send({ ...message, uuid }, { isRouted });
  }

  /**
   * Everything that happens in a session, from the call on, also before the session exists. Earlier messages are in the transcript. Ends
   * when the session is deleted, when the signal aborts, or with the host.
   * @throws {SdkError} `MESSAGES_DISCARDED` from `next()` for a reader that is thousands of events behind.
   */
  observe(id: string, { from = 'now', signal }: ObserveOptions = {}): AsyncIterable<SessionEvent> {
    checkText('id', id);
    const ended = this.#ended.signal;
    return this.#log.read(id, from, signal === undefined ? ended : AbortSignal.any([signal, ended]));
  }

  /**
   * Adds to what happens in a session that a person is asked. `false`, and nothing is added, where this host does not have the session
   * in memory, or the agent that asked has exited: the end of the request could find the session gone.
   */
  report(id: string, fact: Extract<SessionFact, { readonly kind: 'ask_opened' | 'ask_settled' }>): boolean {
    const session = this.#sessions.get(id);
    if (session === undefined || (fact.kind === 'ask_opened' && !hasAgent(session.info.state))) return false;
    session.facts.add(fact);
    return true;
  }

  /** The `seq` of the last event of a session that this host has added; an empty text where it has not added any. */
  position(id: string): string {
    return this.#sessions.get(id)?.facts.position ?? '';
  }

  /** Resolves when those who observe a session can read what happened in it here so far. */
  async logged(id: string): Promise<void> {
    await this.#sessions.get(id)?.facts.settled();
  }

  /** Stops the turn that runs. */
  async interrupt(id: string): Promise<InterruptOutcome> {
    return await (this.#sessions.get(id)?.interrupt() ?? 'nothing_running');
  }

  /** Takes a message back that no agent was given, or stops its turn. `too_late` where it is finished. */
  async cancel(id: string, uuid: string): Promise<InterruptOutcome> {
    return await (this.#sessions.get(id)?.cancel(uuid) ?? 'too_late');
  }

  /** Continues with messages that were cut off, and after too many crashes. */
  async restart(id: string): Promise<void> {
    await this.#session(id).restart();
  }

  /** Gives up the messages that were cut off, after too many crashes all that are pending, and returns their uuids. */
  async discard(id: string): Promise<readonly string[]> {
    return await this.#session(id).discard();
  }

  /**
   * Takes up what an earlier process left: call it once after a start. Returns the sessions that have messages which are
   * unfinished, apart from those that another process drives, or is to take by `claims`. With `signals`, the host continues to do this from its first use on.
   */
  async recover(): Promise<readonly string[]> {
    this.#start();
    const left = await this.#claimed({ isWhole: true });
    const found = await Promise.all(
      left.map(async (id) => ((await this.#session(id).takeUp()) === 'pending' ? [id] : [])),
    );
    return found.flat();
  }

  /** Whether another process drives the session. One with pending messages that no process drives is taken up, as by `recover()`. */
  async isElsewhere(id: string): Promise<boolean> {
    checkText('id', id);
    return (await this.#session(id).takeUp()) === 'elsewhere';
  }

  /** `undefined` for a session that this host does not drive now. */
  driven(id: string): SessionInfo | undefined {
    const record = this.#sessions.get(id)?.record;
    return record && this.#infoOf(record);
  }

  /** `undefined` for a session that is not there. */
  async get(id: string): Promise<SessionInfo | undefined> {
    const record = await this.#options.directory.get(id);
    return record && this.#infoOf(record);
  }

  /** The sessions, or those of one tenant, or a page of them: the last used first. */
  async list({ limit, ...query }: SessionQuery = {}): Promise<readonly SessionInfo[]> {
    // What is stored of these may be a minute older, so each may be elsewhere in the list.
    const held = [...this.#sessions.values()].flatMap(({ record }) => record ?? []);
    const mostStored = limit === undefined ? undefined : limit + held.length;
    const stored = await this.#options.directory.list({ ...query, limit: mostStored });
    const records = new Map([...stored, ...held].map((record) => [record.id, record]));
    return listSessionRecords([...records.values()], { ...query, limit }).map((record) => this.#infoOf(record));
  }

  /**
   * Ends the agent of a session, and deletes its messages and its ids. The transcript is the agent's, and stays, unless
   * `alsoDelete` deletes it: that is called when the agent has ended, and where it fails the session stays without its
   * messages, so that it can be deleted again.
   * @throws {SdkError} `SESSION_NOT_FOUND`, `SESSION_HELD`.
   */
  async delete(id: string, { alsoDelete = async () => {} }: DeleteOptions = {}): Promise<void> {
    await this.#session(id).delete(alsoDelete);
  }

  /**
   * For a deployment: takes nothing more, lets turns end, ends every agent and gives the leases back. Messages that no agent
   * was given, or that were cut off, stay stored for the next process.
   */
  async drain({ turns = 'wait', withinMs = 30_000 }: DrainOptions = {}): Promise<void> {
    // For those who place sessions: where the mark fails, this host refuses them all the same.
    this.#leases.drain().catch(() => {});
    await this.#shutDown(turns, withinMs);
  }

  /** The same, with every agent ended at once: a turn that runs is left unfinished, as by a crash. */
  async close(): Promise<void> {
    await this.#shutDown('suspend', 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #shutDown(how: AgentEnding, withinMs: number): Promise<void> {
    this.#isClosed = true;
    const error = new SdkError(
      'HOST_CLOSED',
      'The session host was closed; what it stored continues in another process.',
    );
    this.#routing?.stop(error);
    // Deadlines keep no process alive. Where an agent is no process either, this one would end before its agents have.
    const release = this.#options.clock.after(Infinity, () => {}, { keepsAlive: true });
    try {
      const sessions = [...this.#sessions.values()];
      const ended = Promise.all(sessions.map((session) => session.shutDown(how, withinMs, error)));
      const isStored = await settledWithin(withinMs + storesMs, ended, this.#options.clock);
      if (!isStored) for (const session of sessions) session.abandon(error);
      this.#sessions.clear();
      // Otherwise the leases end with the process, or with their time.
      await settledWithin(storesMs, this.#leases.leave(), this.#options.clock);
      this.#ended.abort();
      this.#closed ??= attempt(async () => await this.#options.onClosed?.());
      await this.#closed;
    } finally {
      release();
    }
  }

  #createGate(most: number): TenantGate | undefined {
    const { places, signals, clock } = this.#options;
    if (places === undefined || most === Infinity) return undefined;
    const waiting = (tenant: string): string | undefined => this.#idle.waitingOf(tenant);
    return new TenantGate({ places, leases: this.#leases, most, signals, clock, waiting });
  }

  #createRouting(): Routing | undefined {
    const { signals } = this.#options;
    if (signals === undefined) return undefined;
    return new Routing({
      ...this.#options,
      signals,
      sweepMs: this.#limits.sweepMs,
      isKnown: (id) => this.#sessions.has(id),
      claimed: () => this.#claimed(),
      isShared: this.#options.claims !== undefined,
      makeRoomFor: async (id) => this.#idle.makeRoomElsewhere((await this.#options.directory.get(id))?.tenant ?? ''),
      takeUp: (id) => this.#session(id).takeUp(),
    });
  }

  /** The first use: from then on other processes find this one in the lease store. */
  #start(): void {
    this.#refuseClosed();
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#routing?.start();
    // Each lease tries again, and reports what fails.
    this.#leases.join().catch(() => {});
  }

  #driven(): readonly string[] {
    return [...this.#sessions.values()].filter(({ record }) => record !== undefined).map(({ id }) => id);
  }

  #session(id: string): HostedSession {
    this.#start();
    const existing = this.#sessions.get(id);
    if (existing !== undefined) return existing;
    const { open, outbox, directory, address, signals, clock, random = Math.random, crashes = {} } = this.#options;
    const session: HostedSession = new HostedSession({
      id,
      open,
      outbox,
      directory,
      leases: this.#leases,
      address,
      signals,
      log: this.#log,
      clock,
      random,
      crashes,
      now: () => this.#now(),
      admission: this.#admission,
      autoResume: this.#autoResume,
      idleMs: this.#limits.idleMs,
      takeoverGraceMs: this.#limits.takeoverGraceMs,
      admit: (arrival) => this.#admit(arrival),
      // A program that fails to note it has them run all the same.
      found: () => attempt(async () => await this.#options.onFound?.(id)).catch(() => {}),
      routing: this.#routing,
      rested: () => {
        // Checked later, since the caller may still use the session.
        void Promise.resolve().then(() => {
          if (session.isAtRest && this.#sessions.get(id) === session) this.#sessions.delete(id);
        });
      },
    });
    this.#sessions.set(id, session);
    return session;
  }

  #admit(arrival: Arrival): void {
    refuseFull(arrival, { limits: this.#limits, admission: this.#admission, sessions: [...this.#sessions.values()] });
  }

  #infoOf(record: SessionRecord): SessionInfo {
    const session = this.#sessions.get(record.id);
    const parked = { state: 'parked', pending: 0, isHeld: false, isCrashing: false } as const;
    return { ...(session?.record ?? record), ...(session?.info ?? parked) };
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new SdkError('HOST_CLOSED', 'The session host was closed, and takes nothing more.');
  }
}
