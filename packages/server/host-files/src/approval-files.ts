import { join } from 'node:path';
import { jsonCopy } from '@hexagent/checks';
import type {
  ApprovalAuditEntry,
  ApprovalFilter,
  ApprovalRecord,
  ApprovalStore,
  SettleOutcome,
  Settlement,
} from '@hexagent/ports';
import { ApprovalFold, type ApprovalChange, type ApprovalVerdict } from './approval-fold.ts';
import { AuditFile } from './audit-file.ts';
import { leaseLost } from './fenced.ts';
import { storeFailed } from './file-errors.ts';
import { checkWhole, type FilesOptions } from './files-options.ts';
import { SharedJournal } from './shared-journal.ts';

export interface ApprovalFilesOptions extends FilesOptions {
  /**
   * How many settled records are kept; beyond that, or beyond 16 MB of them, the oldest go, except from the audit. Default 10 000.
   */
  readonly maxSettled?: number | undefined;
}

/**
 * Approvals in files: `approvals/` in the folder has the records, `audit.jsonl` what was settled. Any number of processes
 * of one machine may use the folder.
 */
export class ApprovalFiles implements ApprovalStore, AsyncDisposable {
  readonly #audit: AuditFile;
  readonly #journal: SharedJournal<ApprovalChange, ApprovalVerdict, ApprovalFold>;
  /** Adds the audit entries that a process which ended between the two files did not write. */
  #completed: Promise<unknown> | undefined;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor({ maxSettled = 10_000, ...options }: ApprovalFilesOptions) {
    checkWhole(maxSettled, 'maxSettled');
    const fold = new ApprovalFold({ maxSettled, audit: (entries, from) => this.#audit.complete(entries, from) });
    this.#journal = new SharedJournal({ ...options, name: 'approvals', fold });
    this.#audit = new AuditFile(join(options.folder, 'audit.jsonl'));
  }

  async add(given: ApprovalRecord, fence?: number): Promise<void> {
    const record = copied(given, 'the record');
    const verdict = await this.#journal.append({ t: 'add', record, ...(fence !== undefined && { fence }) });
    if (verdict.outcome === 'taken') throw new TypeError(`There is an approval with the id ${record.id} already.`);
    if (verdict.outcome === 'lost') throw leaseLost(record.session, fence, verdict.lost);
  }

  async get(id: string): Promise<ApprovalRecord | undefined> {
    return (await this.#journal.refresh()).get(id);
  }

  async list(filter: ApprovalFilter = {}): Promise<readonly ApprovalRecord[]> {
    return (await this.#journal.refresh()).list(filter);
  }

  async settle(id: string, given: Settlement, givenEntry: ApprovalAuditEntry): Promise<SettleOutcome> {
    const settlement = copied(given, 'the settlement');
    const entry = copied(givenEntry, 'the audit entry');
    await this.#complete();
    const before = await this.get(id);
    if (before === undefined) return { outcome: 'unknown' };
    if (before.state !== 'open') return { outcome: 'already', record: before };
    const verdict = await this.#journal.append({ t: 'settle', id, settlement, entry });
    if (verdict.outcome === 'settled') await this.#audited(() => this.#audit.append([entry]));
    return isSettled(verdict) ? verdict : { outcome: 'unknown' };
  }

  async *audit({ session }: Pick<ApprovalFilter, 'session'> = {}): AsyncIterable<ApprovalAuditEntry> {
    await this.#complete();
    for await (const entry of this.#audit.read()) if (session === undefined || entry.session === session) yield entry;
  }

  /** Waits for what is being written, and closes the files. Safe to call twice. */
  async close(): Promise<void> {
    await this.#journal.close();
    await this.#audit.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #complete(): Promise<void> {
    this.#completed ??= (async (): Promise<void> => {
      const { entries, auditedBytes } = await this.#journal.refresh();
      await this.#audited(() => this.#audit.complete(entries, auditedBytes));
    })();
    try {
      await this.#completed;
    } catch (error) {
      this.#completed = undefined; // Tried again the next time.
      throw error;
    }
  }

  async #audited(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw storeFailed(this.#audit.path, error);
    }
  }
}

function isSettled(verdict: ApprovalVerdict): verdict is SettleOutcome {
  return verdict.outcome === 'settled' || verdict.outcome === 'already' || verdict.outcome === 'unknown';
}

/** Called before anything is awaited, since the caller may change the value later. */
function copied<T>(value: T, name: string): T {
  const { copy, lost } = jsonCopy(value, { name });
  if (lost !== undefined) throw new TypeError(lost);
  return copy as T; // a copy of it
}
