import { isRecord } from '@hexagent/checks';
import type { ApprovalAuditEntry, ApprovalFilter, ApprovalRecord, SettleOutcome, Settlement } from '@hexagent/ports';
import { Fences, type LeaseLost } from './fenced.ts';
import { deepFreeze } from './freeze.ts';
import type { Fold } from './fold.ts';

export type ApprovalChange =
  | { readonly t: 'add'; readonly record: ApprovalRecord; readonly fence?: number }
  | {
      readonly t: 'settle';
      readonly id: string;
      readonly settlement: Settlement;
      readonly entry: ApprovalAuditEntry;
    }
  /** The highest fence of a session when the lines before were replaced. */
  | { readonly t: 'fence'; readonly session: string; readonly fence: number }
  /** How long the audit was then. */
  | { readonly t: 'audited'; readonly bytes: number };

export type ApprovalVerdict =
  | SettleOutcome
  | { readonly outcome: 'added' | 'taken' | 'nothing' }
  | { readonly outcome: 'lost'; readonly lost: LeaseLost };

export interface ApprovalFoldOptions {
  /** How many settled records are kept. */
  readonly maxSettled: number;
  /** Adds the entries that the audit lacks, and resolves with its length. */
  readonly audit: (entries: ReadonlyMap<string, ApprovalAuditEntry>, from: number) => Promise<number>;
}

/** How many bytes of settled records are kept, as JSON: each has all that a person was shown, such as a whole file. */
const mostSettledChars = 16_000_000;

/** The state that the lines about approvals add up to. */
export class ApprovalFold implements Fold<ApprovalChange, ApprovalVerdict> {
  readonly #options: ApprovalFoldOptions;
  readonly #fences = new Fences();
  readonly #records = new Map<string, ApprovalRecord>();
  /** The settled records, with the length of each as JSON. */
  readonly #settled = new Map<string, number>();
  #settledChars = 0;
  /** Settled since the last snapshot. */
  readonly #entries = new Map<string, ApprovalAuditEntry>();
  #auditedBytes = 0;

  constructor(options: ApprovalFoldOptions) {
    this.#options = options;
  }

  get entries(): ReadonlyMap<string, ApprovalAuditEntry> {
    return this.#entries;
  }

  get auditedBytes(): number {
    return this.#auditedBytes;
  }

  get(id: string): ApprovalRecord | undefined {
    return this.#records.get(id);
  }

  list({ session, state, tool }: ApprovalFilter): readonly ApprovalRecord[] {
    return [...this.#records.values()].filter(
      (record) =>
        (session === undefined || record.session === session) &&
        (state === undefined || record.state === state) &&
        (tool === undefined || record.tool === tool),
    );
  }

  apply(change: ApprovalChange): ApprovalVerdict {
    // Read from a file: another version may have written something else.
    if (change.t === 'add' && isWhole(change.record)) return this.#add(change);
    if (change.t === 'fence' && typeof change.session === 'string' && Number.isSafeInteger(change.fence))
      this.#fences.pass(change.session, change.fence);
    if (change.t === 'settle' && isRecord(change.settlement) && isRecord(change.entry)) return this.#settle(change);
    if (change.t === 'audited' && change.bytes >= 0 && Number.isSafeInteger(change.bytes))
      this.#auditedBytes = change.bytes;
    return { outcome: 'nothing' };
  }

  reset(): void {
    this.#fences.clear();
    this.#records.clear();
    this.#settled.clear();
    this.#settledChars = 0;
    this.#entries.clear();
    this.#auditedBytes = 0;
  }

  *snapshot(): Iterable<ApprovalChange> {
    yield { t: 'audited', bytes: this.#auditedBytes };
    for (const [session, fence] of this.#fences.all()) yield { t: 'fence', session, fence };
    for (const record of this.#records.values()) yield { t: 'add', record };
  }

  async replacing(): Promise<void> {
    const entries = new Map(this.#entries);
    this.#auditedBytes = await this.#options.audit(entries, this.#auditedBytes);
    // These are before the new position: one that runs again would not find them behind it, and write them again.
    for (const id of entries.keys()) this.#entries.delete(id);
  }

  #add({ record, fence }: Extract<ApprovalChange, { t: 'add' }>): ApprovalVerdict {
    if (this.#records.has(record.id)) return { outcome: 'taken' };
    const lost = Number.isSafeInteger(fence) ? this.#fences.pass(record.session, Number(fence)) : undefined;
    if (lost !== undefined) return { outcome: 'lost', lost };
    this.#records.set(record.id, deepFreeze(record));
    if (record.state !== 'open') this.#keepSettled(record);
    return { outcome: 'added' };
  }

  #settle({ id, settlement, entry }: Extract<ApprovalChange, { t: 'settle' }>): SettleOutcome {
    const before = this.#records.get(id);
    if (before === undefined) return { outcome: 'unknown' };
    if (before.state !== 'open') return { outcome: 'already', record: before };
    const record = deepFreeze({ ...before, ...settlement });
    this.#records.set(id, record);
    this.#entries.set(id, deepFreeze(entry));
    this.#keepSettled(record);
    return { outcome: 'settled', record };
  }

  #keepSettled(record: ApprovalRecord): void {
    const { length } = JSON.stringify(record);
    this.#settled.set(record.id, length);
    this.#settledChars += length;
    for (const [oldest, size] of this.#settled) {
      const isTooMuch = this.#settledChars > mostSettledChars && oldest !== record.id;
      if (this.#settled.size <= this.#options.maxSettled && !isTooMuch) return;
      this.#settled.delete(oldest);
      this.#settledChars -= size;
      this.#records.delete(oldest);
    }
  }
}

/** Whether it has what a person has to see before they answer. */
function isWhole(record: unknown): boolean {
  if (!isRecord(record) || !isRecord(record['input'])) return false;
  return ['id', 'session', 'tool', 'kind', 'state'].every((name) => typeof record[name] === 'string');
}
