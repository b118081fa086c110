import { jsonCopy } from '@hexagent/checks';
import {
  SdkError,
  type ApprovalAuditEntry,
  type ApprovalFilter,
  type ApprovalRecord,
  type ApprovalStore,
  type SettleOutcome,
  type Settlement,
} from '@hexagent/ports';

export interface MemoryApprovalStoreOptions {
  /**
   * How many settled records, and how many audit entries, are kept; beyond that, or beyond 16 MB of these records, the oldest go.
   * Default 10 000.
   */
  readonly maxSettled?: number | undefined;
}

/** Of settled records as JSON: each has all that a person was shown, such as the whole of a file that was to be written. */
const mostSettledChars = 16_000_000;

/** Keeps approvals for as long as the process runs. */
export class MemoryApprovalStore implements ApprovalStore {
  readonly #maxSettled: number;
  readonly #records = new Map<string, ApprovalRecord>();
  /** The highest fence under which a record of each session was added. */
  readonly #fences = new Map<string, number>();
  /** The settled records, with the length of each as JSON. */
  readonly #settled = new Map<string, number>();
  #settledChars = 0;
  readonly #entries: ApprovalAuditEntry[] = [];

  constructor({ maxSettled = 10_000 }: MemoryApprovalStoreOptions = {}) {
    if (!Number.isInteger(maxSettled) || maxSettled < 0)
      throw new TypeError(`\`maxSettled\` must be a whole number from 0 on, and is ${String(maxSettled)}.`);
    this.#maxSettled = maxSettled;
  }

  async add(record: ApprovalRecord, fence?: number): Promise<void> {
    const { id, session } = record;
    if (this.#records.has(id)) throw new TypeError(`There is an approval with the id ${id} already.`);
    const highest = this.#fences.get(session) ?? 0;
    if (fence !== undefined && fence < highest)
      throw new SdkError(
        'LEASE_LOST',
        `The session ${session} is driven under lease ${highest}; this was lease ${fence}.`,
      );
    this.#records.set(id, frozenCopy(record, 'the record'));
    if (fence !== undefined) this.#fences.set(session, fence);
  }

  async get(id: string): Promise<ApprovalRecord | undefined> {
    return this.#records.get(id);
  }

  async list({ session, state, tool }: ApprovalFilter = {}): Promise<readonly ApprovalRecord[]> {
    return [...this.#records.values()].filter(
      (record) =>
        (session === undefined || record.session === session) &&
        (state === undefined || record.state === state) &&
        (tool === undefined || record.tool === tool),
    );
  }

  async settle(id: string, settlement: Settlement, entry: ApprovalAuditEntry): Promise<SettleOutcome> {
    const open = this.#records.get(id);
    if (open === undefined) return { outcome: 'unknown' };
    if (open.state !== 'open') return { outcome: 'already', record: open };
    const record = frozenCopy({ ...open, ...settlement }, 'the settlement');
    const kept = frozenCopy(entry, 'the audit entry');
    this.#records.set(id, record);
    this.#entries.push(kept);
    this.#keepSettled(record);
    return { outcome: 'settled', record };
  }

  async *audit({ session }: Pick<ApprovalFilter, 'session'> = {}): AsyncIterable<ApprovalAuditEntry> {
    for (const entry of [...this.#entries]) if (session === undefined || entry.session === session) yield entry;
  }

  #keepSettled(record: ApprovalRecord): void {
    this.#settled.set(record.id, JSON.stringify(record).length);
    this.#settledChars += this.#settled.get(record.id) ?? 0;
    const isTooLong = (): boolean => this.#settledChars > mostSettledChars && this.#settled.size > 1;
    while (this.#settled.size > this.#maxSettled || isTooLong()) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [[id = '', length = 0] = []] = this.#settled;
    this.#settledChars -= length;
    this.#settled.delete(id);
    this.#records.delete(id);
    this.#entries.shift();
  }
}

/** What a caller changes afterwards, here or there, changes nothing that is kept. */
function frozenCopy<T>(value: T, name: string): T {
  const { copy, lost } = jsonCopy(value, { name });
  if (lost !== undefined) throw new TypeError(lost);
  return deepFreeze(copy) as T; // a copy of it
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
