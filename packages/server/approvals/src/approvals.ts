import { Deferred, notify, onAbort } from '@hexagent/async';
import { checkDelay, checkedDecision, errorText, isName, isRecord, kindOf, shown } from '@hexagent/checks';
import {
  nobodyDecidedWithin,
  SdkError,
  type ApprovalAuditEntry,
  type ApprovalFilter,
  type ApprovalKind,
  type ApprovalRecord,
  type ApprovalStore,
  type AskHandler,
  type Clock,
  type Decision,
  type PermissionAsk,
  type SettleOutcome,
  type Settlement,
  type WarningListener,
} from '@hexagent/ports';
import { findOffered, kinds, toDecision, toRecord } from './approval-record.ts';
import { toAuditEntry } from './audit-entry.ts';
import { isRefusal, tryAgain } from './try-again.ts';

export interface ApprovalsOptions {
  readonly store: ApprovalStore;
  /** For limits. */
  readonly clock: Clock;
  /** After how many milliseconds an unanswered request of a kind is denied. Default: never. */
  readonly expiresAfterMs?: Readonly<Partial<Record<ApprovalKind, number>>> | undefined;
  /** The time in milliseconds since 1970, for what is stored. Default: that of the system. */
  readonly now?: (() => number) | undefined;
  /** A name that no other record has. Default: a random uuid. */
  readonly createId?: (() => string) | undefined;
  /** Receives failures that no promise reports: a listener, a withdrawal that could not be stored. */
  readonly warn?: WarningListener | undefined;
}

/** What happened to a record: it waits from now on, or it does no longer. */
export interface ApprovalEvent {
  readonly type: 'opened' | 'settled';
  readonly record: ApprovalRecord;
}

/** The session whose agent asks, and the fence of the lease under which it runs. */
interface Asking {
  readonly session: string;
  readonly fence: number | undefined;
}

/** A request that the agent waits for here. */
interface Waiting {
  readonly pending: PermissionAsk;
  readonly decided: Deferred<Decision>;
  readonly release: (() => void)[];
}

/**
 * What the agent asks of people, kept in a store: shown in any number of places, answered from any of them, once.
 */
export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #now: () => number;
  readonly #createId: () => string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Set<(event: ApprovalEvent) => unknown>();

  /** @throws {TypeError} for a limit that is not a delay. */
  constructor(options: ApprovalsOptions) {
    const { expiresAfterMs = {}, now = Date.now, createId = () => crypto.randomUUID() } = options;
    for (const [kind, ms] of Object.entries(expiresAfterMs))
      if (ms !== undefined) checkDelay(`expiresAfterMs.${kind}`, ms);
    this.#options = options;
    this.#now = now;
    this.#createId = createId;
  }

  /**
   * The option `onAsk` of a session. What MCP servers ask, and dialogs, are denied. The name is the program's own for the session, and stays
   * the same when the session is resumed. What waits under it in the store when the agent asks, and not in this process,
   * is lost: one process drives a session. `fence` is that of the lease under which the agent runs, where a host opens it: what an
   * agent asks under an older lease than another one has asked is refused with `LEASE_LOST`.
   * @throws {TypeError} for a name that is empty, ill-formed or not a text.
   */
  for(session: string, fence?: number): AskHandler {
    if (!isName(session))
      throw new TypeError(
        `for() takes the name of the session, a well-formed text that is not empty, not ${shown(session)}.`,
      );
    return async (ask) => {
      if (ask.kind !== 'elicitation' && ask.kind !== 'dialog') return await this.#ask({ session, fence }, ask);
      return { behavior: 'deny', message: 'Only calls, questions and plans are kept as approvals.' };
    };
  }

  /** Calls back for every record that is opened or settled from now on. Returns what takes the listener off again. */
  subscribe(listener: (event: ApprovalEvent) => unknown): () => void {
    const own = (event: ApprovalEvent): unknown => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  async list(filter: ApprovalFilter = {}): Promise<readonly ApprovalRecord[]> {
    return await this.#options.store.list(filter);
  }

  async get(id: string): Promise<ApprovalRecord | undefined> {
    return await this.#options.store.get(id);
  }

  /** Every request that was settled, in that order. */
  audit(filter: Pick<ApprovalFilter, 'session'> = {}): AsyncIterable<ApprovalAuditEntry> {
    return this.#options.store.audit(filter);
  }

  /**
   * Answers a request. Of any number of answers exactly one is `settled`, and it is stored before the agent receives it;
   * the others are `already`, with the record that shows the first.
   * @throws {TypeError} for what is not an answer to this kind of request, or an actor without a name. It then still waits.
   */
  async settle(id: string, answer: Decision, actor: string): Promise<SettleOutcome> {
    checkActor(actor);
    const record = await this.#options.store.get(id);
    if (record === undefined) return { outcome: 'unknown' };
    if (record.state !== 'open') return this.#close({ outcome: 'already', record });
    const { kind, input } = record;
    const checked = checkedDecision(answer, { kind: kind === 'permission' ? 'call' : kind, input });
    return await this.#settle(record, { state: 'answered', settledAt: this.#now(), answer: checked, actor });
  }

  /**
   * Marks what is open in the store, and not asked by a session of this process, as lost, and returns it. Call it when a
   * program starts that owns the store; a session does it for itself whenever its agent asks.
   */
  async recover({ session }: Pick<ApprovalFilter, 'session'> = {}): Promise<readonly ApprovalRecord[]> {
    const open = await this.#options.store.list({ session, state: 'open' });
    const lost: ApprovalRecord[] = [];
    for (const record of open) {
      if (this.#waiting.has(record.id)) continue;
      const settled = await this.#settle(record, { state: 'lost', settledAt: this.#now() });
      if (settled.outcome === 'settled') lost.push(settled.record);
    }
    return lost;
  }

  async #ask(asking: Asking, pending: PermissionAsk): Promise<Decision> {
    const id = this.#createId();
    const waiting: Waiting = { pending, decided: new Deferred(), release: [] };
    // Before it is stored: whatever is open and not in this list is taken for lost.
    this.#waiting.set(id, waiting);
    try {
      const asked = this.#toRecord(asking.session, id, pending);
      // What cannot be stored is denied, although no person was asked.
      const store = (isAgain: boolean): Promise<ApprovalRecord> => this.#store(asked, asking, { isAgain });
      const record = await tryAgain(store, { clock: this.#options.clock, signal: pending.signal });
      this.#notify({ type: 'opened', record });
      this.#watch(record, waiting);
    } catch (error) {
      this.#waiting.delete(id);
      throw isRefusal(error) ? error : this.#notStored(error);
    }
    return await waiting.decided.promise;
  }

  /** The agent and a page read the message: where the store is, and why it fails, is for the program alone. */
  #notStored(cause: unknown): SdkError {
    this.#warn('approval store', 'A request could not be stored', cause);
    const code = SdkError.is(cause) ? cause.code : 'STORE_FAILED';
    return new SdkError(code, 'The request could not be stored, so no person was asked.', { cause });
  }

  #toRecord(session: string, id: string, pending: PermissionAsk): ApprovalRecord {
    const createdAt = this.#now();
    const ms = this.#limitOf(pending);
    return toRecord(pending, { id, session, createdAt, expiresAt: ms === undefined ? ms : createdAt + ms });
  }

  async #store(
    record: ApprovalRecord,
    { session, fence }: Asking,
    { isAgain }: { readonly isAgain: boolean },
  ): Promise<ApprovalRecord> {
    const { store } = this.#options;
    const earlier = await store.list({ session, tool: record.tool });
    const offered = findOffered(
      record,
      earlier.map((each) => this.#asLost(each)),
    );
    let added = offered === undefined ? record : { ...record, offered };
    try {
      await store.add(added, fence);
    } catch (error) {
      // An earlier attempt has stored it, and failed to report that.
      const stored = isAgain && error instanceof TypeError ? await store.get(record.id) : undefined;
      if (stored === undefined) throw error;
      added = stored;
    }
    // After it: an agent under an older lease must not end what is asked under a newer one.
    await this.recover({ session });
    return added;
  }

  /** What waits for no agent of this process is about to be lost. */
  #asLost(record: ApprovalRecord): ApprovalRecord {
    const waits = record.state !== 'open' || this.#waiting.has(record.id);
    return waits ? record : { ...record, state: 'lost', settledAt: this.#now() };
  }

  /** Its own limit, or that of the session, whichever is shorter. */
  #limitOf({ kind, createdAt, expiresAt }: PermissionAsk): number | undefined {
    const own = this.#options.expiresAfterMs?.[kinds[kind]] ?? Infinity;
    const shortest = Math.min(own, expiresAt === undefined ? Infinity : expiresAt - createdAt);
    return shortest === Infinity ? undefined : shortest;
  }

  #watch(record: ApprovalRecord, waiting: Waiting): void {
    if (!this.#waiting.has(record.id)) return; // A listener, or another reader of the store, was faster.
    // Answered in the store, while that failed to report that it has the request.
    if (record.state !== 'open') return void this.#close({ outcome: 'already', record });
    const { clock, expiresAfterMs } = this.#options;
    const ended = (settlement: Omit<Settlement, 'settledAt'>): void => {
      const end = { ...settlement, settledAt: this.#now() };
      this.#settle(record, end).catch((cause: unknown) => {
        this.#warn('approval store', `That a request is ${settlement.state} could not be stored`, cause);
        // The agent must not wait for a store. What is open there without an agent that waits is lost.
        this.#resolve({ ...record, ...end });
      });
    };
    const stopListening = onAbort(waiting.pending.signal, (reason) => {
      const end = toEnd(reason);
      if (end === undefined) this.#resolve(record);
      else ended(end);
    });
    waiting.release.push(stopListening);
    const ms = expiresAfterMs?.[record.kind];
    if (ms !== undefined) waiting.release.push(clock.after(ms, () => ended({ state: 'expired' })));
  }

  async #settle(record: ApprovalRecord, settlement: Settlement): Promise<SettleOutcome> {
    const entry = toAuditEntry(record, settlement);
    const settled = await this.#options.store.settle(record.id, settlement, entry);
    return this.#close(settled);
  }

  /** Also for an answer that came second: the store may have stored the first one and then failed to report it. */
  #close(settled: SettleOutcome): SettleOutcome {
    if (settled.outcome === 'unknown') return settled;
    const { outcome, record } = settled;
    if (outcome === 'settled' || this.#waiting.has(record.id)) this.#notify({ type: 'settled', record });
    this.#resolve(record);
    return settled;
  }

  /** Passes the end of a request on to the agent, if that still waits for it. */
  #resolve(record: ApprovalRecord): void {
    const waiting = this.#waiting.get(record.id);
    if (waiting === undefined) return;
    this.#waiting.delete(record.id);
    for (const release of waiting.release) release();
    waiting.decided.resolve(decisionFor(record, waiting.pending));
  }

  #notify(event: ApprovalEvent): void {
    for (const listener of [...this.#listeners])
      notify(
        () => listener(event),
        (cause) => this.#warn('listener of approvals', 'A listener of approvals failed', cause),
      );
  }

  #warn(source: string, what: string, cause: unknown): void {
    this.#options.warn?.({ code: 'HEXAGENT_CALLBACK_FAILED', source, message: `${what}: ${errorText(cause)}`, cause });
  }
}

/**
 * How a request ended that the agent does not wait for any more. `undefined` for one of a suspended session: it stays open in
 * the store, as when the process is killed, until the session continues.
 */
function toEnd(reason: unknown): Omit<Settlement, 'settledAt'> | undefined {
  const cause: unknown = isRecord(reason) ? reason['cause'] : undefined;
  if (cause === 'suspended') return undefined;
  if (cause === 'expired') return { state: 'expired' };
  if (cause === 'agent_exited') return { state: 'lost' };
  return {
    state: 'cancelled',
    reason:
      cause === 'already_answered' ? 'It was answered elsewhere in the program.' : 'The agent does not wait any more.',
  };
}

function decisionFor(record: ApprovalRecord, pending: PermissionAsk): Decision {
  const { state, answer, createdAt, expiresAt } = record;
  if (answer !== undefined) return toDecision(answer, record);
  // The agent reads only this one: whatever else settled the record, it does not wait any more.
  const waited = (expiresAt ?? createdAt) - createdAt;
  return { behavior: 'deny', message: state === 'expired' ? nobodyDecidedWithin(waited, pending) : 'Nobody decides.' };
}

function checkActor(actor: unknown): asserts actor is string {
  if (typeof actor === 'string' && actor.trim() !== '') return;
  throw new TypeError(
    `The actor must be a text that names who answers, not ${actor === '' ? 'an empty one' : kindOf(actor)}.`,
  );
}
