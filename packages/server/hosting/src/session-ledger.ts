import { SdkError } from '@hexagent/ports';
import type { OutboxAnswer, OutboxMessage, OutboxState, SessionRecord, UserInput } from '@hexagent/ports';
import { bytesOf, endOf, HostedMessage, isOpenState, type MessageEnd, type Receipt } from './hosted-message.ts';
import { FactWriter } from './fact-writer.ts';
import { SessionLease } from './session-lease.ts';
import type { Arrival, LedgerEvents, LedgerParts } from './session-parts.ts';
import { withAddress } from './session-record.ts';

const touchAfterMs = 60_000;

/** What is stored of one session, for as long as its lease is held here: its record, and the unfinished messages. */
export class SessionLedger {
  /** What happens in the session. */
  readonly facts: FactWriter;
  readonly #parts: LedgerParts;
  readonly #lease: SessionLease;
  readonly #events: Pick<LedgerEvents, 'onFound' | 'onHeld'>;
  readonly #messages = new Map<string, HostedMessage>();
  /** The number up to which all messages of the session are known; `undefined` until one was seen. */
  #last: number | undefined;
  #record: SessionRecord | undefined;
  /** When the record was stored. */
  #storedAt = 0;
  #isHeld = false;
  /** Of a message that is being stored. */
  #arrivingBytes = 0;

  constructor(parts: LedgerParts, { onLogFailed, ...events }: LedgerEvents) {
    this.#parts = parts;
    this.#events = events;
    this.#lease = new SessionLease(parts);
    this.facts = new FactWriter({ ...parts, fence: () => this.#lease.lastFence, failed: onLogFailed });
  }

  /** As it is where the lease is held here; what is stored may be a minute older. */
  get record(): SessionRecord | undefined {
    return this.isLoaded ? this.#record : undefined;
  }

  /** Whether the lease is held here. */
  get isLoaded(): boolean {
    return this.#lease.isHeld;
  }

  /** Whether it is, and its time is not over: a process that was stopped may send nothing more. */
  get isDriven(): boolean {
    return this.#lease.isLiving;
  }

  /** @throws {SdkError} `LEASE_LOST` where the lease is not held. */
  get fence(): number {
    return this.#lease.fence;
  }

  /** Whether nothing of the session is held here, not even a lease that is being given back. */
  get isEmpty(): boolean {
    return this.#messages.size === 0 && this.#lease.isReturned;
  }

  /** In the order in which they were stored. */
  get messages(): readonly HostedMessage[] {
    return [...this.#messages.values()];
  }

  get size(): number {
    return this.#messages.size;
  }

  /** Of the unfinished messages together, and of one that is being stored. */
  get bytes(): number {
    let sum = this.#arrivingBytes;
    // Asked of each session with each message of any: without an array.
    for (const { bytes } of this.#messages.values()) sum += bytes;
    return sum;
  }

  /** Whether messages that were cut off wait for `restart()`, `discard()` or another message. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** The messages that an earlier agent may have received. */
  get cut(): readonly HostedMessage[] {
    return this.messages.filter(({ isResent, isWritten }) => isResent && !isWritten);
  }

  /** Of those, the ones whose turns may have begun, and would begin a second time. */
  get interrupted(): readonly HostedMessage[] {
    return this.cut.filter(({ mayHaveBegun }) => mayHaveBegun);
  }

  has(uuid: string): boolean {
    return this.#messages.has(uuid);
  }

  get(uuid: string): HostedMessage | undefined {
    return this.#messages.get(uuid);
  }

  release(): void {
    this.#isHeld = false;
    this.#events.onHeld();
  }

  /** Gives up all messages, or those that were cut off, and holds back none of the others. Returns the uuids. */
  async discard(which: 'pending' | 'interrupted'): Promise<readonly string[]> {
    const given = which === 'pending' ? this.messages : this.interrupted;
    for (const message of given) await this.conclude(message, { state: 'cancelled' });
    this.release();
    return given.map(({ uuid }) => uuid);
  }

  /** Stores the record, unless there is one. `admit` may refuse it before. */
  async create(record: SessionRecord, admit: () => void): Promise<SessionRecord> {
    const { directory, id } = this.#parts;
    const stored = this.record ?? (await directory.get(id));
    if (stored !== undefined) return stored;
    admit();
    const isOwn = !this.isLoaded;
    await this.#lease.acquire();
    try {
      const stored = await directory.get(id);
      if (stored !== undefined) return stored;
      const made = withAddress(record, this.#parts.address);
      await directory.put(made, this.#lease.fence);
      return made;
    } finally {
      if (isOwn) await this.giveBack();
    }
  }

  /** Takes the lease and reads what is stored, unless that was done. */
  async load(): Promise<void> {
    if (this.isLoaded) return;
    await this.#lease.acquire();
    try {
      const { outbox, directory, id, address } = this.#parts;
      const [stored, pending] = await Promise.all([directory.get(id), outbox.pending(id)]);
      // Otherwise what another process finishes from now on would be kept here as pending.
      if (!this.isLoaded)
        throw new SdkError('LEASE_LOST', `The lease of the session ${id} was lost while it was read.`);
      // What was stored while the session was deleted.
      if (stored === undefined && pending.length > 0) await outbox.delete(id, this.#lease.fence);
      if (stored === undefined) throw new SdkError('SESSION_NOT_FOUND', `There is no session ${id}.`);
      this.#keep(withAddress(stored, address));
      // Where another worker had it last, that this one has it is stored with the next message.
      if (this.#record !== stored) this.#storedAt = -Infinity;
      for (const entry of pending) this.#messages.set(entry.uuid, new HostedMessage(entry, { isFound: true }));
      this.#last = pending.at(-1)?.number;
      await this.decideAboutCut();
      for (const message of this.messages) this.#accepted(message);
      if (pending.length > 0) await this.#events.onFound();
    } catch (error) {
      this.#messages.clear();
      await this.giveBack();
      throw error;
    }
  }

  /** The same, where another process may drive the session, or nothing be stored of it. Reads what was stored since. */
  async takeUp(): Promise<'elsewhere' | 'pending' | 'nothing'> {
    try {
      await (this.isLoaded ? this.#readOn() : this.load());
      return this.size > 0 ? 'pending' : 'nothing';
    } catch (error) {
      if (SdkError.is(error) && error.code === 'SESSION_HELD') return 'elsewhere';
      if (SdkError.is(error) && error.code === 'SESSION_NOT_FOUND') return 'nothing';
      throw error;
    }
  }

  /** Stores a message, if there is room. `hasPlace`: the session has an agent, or waits for one already. */
  async enqueue(
    { uuid, ...input }: UserInput & { readonly uuid: string },
    { hasPlace }: Pick<Arrival, 'hasPlace'>,
  ): Promise<Receipt> {
    const { id, admit } = this.#parts;
    const bytes = bytesOf(input);
    if (!this.has(uuid)) admit({ tenant: this.#record?.tenant, pending: this.size, bytes, hasPlace });
    const answer = await this.#store({ session: id, uuid, input }, bytes);
    if (answer.kind === 'duplicate') {
      // A store that rejected may have stored the message all the same. It is run once it is sent again.
      if (isOpenState(answer.state)) await this.#readOn();
      this.release();
      const done = this.get(uuid)?.end.promise ?? Promise.resolve(endOf(answer.state));
      return { uuid, kind: 'duplicate', state: answer.state, isElsewhere: false, done };
    }
    // Numbers go back only in a store that lost its last writes: that of the record may be among them.
    if (answer.number <= (this.#last ?? 0)) await this.put({});
    if (this.isLoaded && answer.number - 1 === this.#last)
      this.#add([new HostedMessage({ uuid, input, state: 'queued' }, { isFound: false })], answer.number);
    // Other processes may have stored messages before it, which are to be run before it.
    else await this.#readOn(uuid);
    const message = this.#messages.get(uuid);
    if (message === undefined) throw new SdkError('LEASE_LOST', `The lease of the session ${id} was lost.`);
    return { uuid, kind: 'accepted', state: 'queued', isElsewhere: false, done: message.end.promise };
  }

  /** Counted before it is stored, so that those which come together in many sessions are. */
  async #store(message: OutboxMessage, bytes: number): Promise<OutboxAnswer> {
    this.#arrivingBytes = bytes;
    try {
      return await this.#parts.outbox.enqueue(message);
    } finally {
      this.#arrivingBytes = 0;
    }
  }

  async mark(message: HostedMessage, state: Exclude<OutboxState, 'queued'>): Promise<void> {
    const { outbox, id } = this.#parts;
    const { uuid } = message;
    await outbox.mark({ session: id, uuid }, state, this.#lease.fence);
    if (isOpenState(state)) message.state = state;
    this.facts.add({ kind: 'outbox', uuid, state });
  }

  /** Stores the end of a message, then reports it. */
  async conclude(message: HostedMessage, end: MessageEnd): Promise<void> {
    await this.mark(message, end.state);
    this.#messages.delete(message.uuid);
    message.end.resolve(end);
    if (message.isFound) this.#parts.signals?.send({ session: this.#parts.id, kind: 'wake' });
  }

  async put(changes: Partial<SessionRecord>): Promise<void> {
    if (this.#record === undefined) return;
    const record = { ...this.#record, ...changes, updatedAt: this.#parts.now() };
    await this.#parts.directory.put(record, this.#lease.fence);
    this.#keep(record);
  }

  /** The session is used. That is stored at most once in a minute, since each message would cost one more write. */
  async touch(): Promise<void> {
    const now = this.#parts.now();
    if (now - this.#storedAt >= touchAfterMs) await this.put({});
    else if (this.#record !== undefined) this.#record = { ...this.#record, updatedAt: now };
  }

  /** Holds or cancels the messages whose turns were cut off, unless `autoResume` is `continue`: those are sent again. */
  async decideAboutCut(): Promise<void> {
    const { interrupted } = this;
    if (interrupted.length === 0 || this.#parts.autoResume === 'continue') return;
    this.#isHeld = this.#parts.autoResume === 'wait';
    this.#events.onHeld();
    if (!this.#isHeld) for (const message of interrupted) await this.conclude(message, { state: 'cancelled' });
  }

  /** Called when the agent has exited: marks the messages that it received and did not finish as cut off. */
  cutOff(): void {
    for (const message of this.#messages.values()) {
      message.isResent ||= message.isWritten || message.state !== 'queued';
      message.isWritten = false;
    }
  }

  /** Resolves once the previous owner's agent has had time to exit: until then two agents could run one session. */
  async settled(graceMs: number): Promise<void> {
    await this.#lease.settled(graceMs);
  }

  /** Deletes everything, and gives the lease back. The record goes last: by it the rest can be found and deleted again. */
  async delete(alsoDelete: () => Promise<void>): Promise<void> {
    const { outbox, directory, id } = this.#parts;
    await this.#lease.acquire();
    await outbox.delete(id, this.#lease.fence);
    for (const { uuid, end } of this.#messages.values()) {
      this.facts.add({ kind: 'outbox', uuid, state: 'cancelled' });
      end.resolve({ state: 'cancelled' });
    }
    this.forget(new SdkError('SESSION_NOT_FOUND', `The session ${id} was deleted.`));
    await this.facts.delete();
    await alsoDelete();
    await directory.delete(id, this.#lease.fence);
    this.#record = undefined;
    await this.giveBack();
  }

  /** Drops the state held here and releases the lease, so that another process can run the pending messages. */
  async drop(error: SdkError): Promise<void> {
    this.forget(error);
    this.#record = undefined;
    await this.giveBack();
  }

  /** Rejects what waits for its messages. */
  forget(error: SdkError): void {
    if (this.isLoaded) this.facts.add({ kind: 'dropped', error });
    for (const message of this.#messages.values()) message.end.reject(error);
    this.#messages.clear();
    this.release();
  }

  async giveBack(): Promise<void> {
    if (this.isLoaded) await this.#lease.giveBack(this.facts.settled());
  }

  #keep(record: SessionRecord): void {
    this.#record = record;
    this.#storedAt = record.updatedAt;
  }

  /** Adds what was stored since, by other processes or under the `own` uuid. Not while a message ends, which would be added again. */
  async #readOn(own?: string): Promise<void> {
    const { outbox, id } = this.#parts;
    const pending = await outbox.pending(id);
    const found = pending.filter(({ uuid }) => !this.has(uuid));
    if (!this.isLoaded || found.length === 0) return;
    const messages = found.map((entry) => new HostedMessage(entry, { isFound: entry.uuid !== own }));
    this.#add(messages, pending.at(-1)?.number);
    if (messages.some(({ isFound }) => isFound)) await this.#events.onFound();
  }

  #add(messages: readonly HostedMessage[], last: number | undefined): void {
    this.#last = last;
    for (const message of messages) this.#messages.set(message.uuid, message);
    // What was held back is to be run before them, and is reported as such before them.
    this.release();
    for (const message of messages) this.#accepted(message);
  }

  #accepted({ uuid, input, isResent: isCut }: HostedMessage): void {
    this.facts.add({ kind: 'accepted', uuid, input, isCut });
  }
}
