import { isRecord } from '@hexagent/checks';
import { listSessionRecords, type SessionDirectory, type SessionQuery, type SessionRecord } from '@hexagent/ports';
import { Fences, leaseLost, type LeaseLost } from './fenced.ts';
import type { FilesOptions } from './files-options.ts';
import type { Fold } from './fold.ts';
import { deepFreeze } from './freeze.ts';
import { SharedJournal } from './shared-journal.ts';

type Change =
  | { readonly t: 'put'; readonly id: string; readonly fence: number; readonly record: SessionRecord }
  | { readonly t: 'delete'; readonly id: string; readonly fence: number };

/** The state that the lines about sessions add up to. */
class DirectoryFold implements Fold<Change, LeaseLost | undefined> {
  readonly #fences = new Fences();
  readonly records: Map<string, SessionRecord> = new Map();

  apply(change: Change): LeaseLost | undefined {
    // Read from a file: another version may have written something else.
    if (typeof change.id !== 'string' || !Number.isSafeInteger(change.fence)) return undefined;
    const lost = this.#fences.pass(change.id, change.fence);
    if (lost !== undefined) return lost;
    if (change.t === 'put' && isWhole(change)) this.records.set(change.id, deepFreeze(change.record));
    if (change.t === 'delete') this.records.delete(change.id);
    return undefined;
  }

  reset(): void {
    this.#fences.clear();
    this.records.clear();
  }

  *snapshot(): Iterable<Change> {
    // Also of deleted sessions: an older lease must not bring them back.
    for (const [id, fence] of this.#fences.all()) if (!this.records.has(id)) yield { t: 'delete', id, fence };
    for (const [id, record] of this.records) yield { t: 'put', id, fence: this.#fences.of(id), record };
  }
}

/** Whether it has what a session needs to be found, shown and resumed. */
function isWhole({ id, record }: Extract<Change, { t: 'put' }>): boolean {
  if (!isRecord(record) || record.id !== id || typeof record.sessionId !== 'string' || !isRecord(record.facts))
    return false;
  if (!Number.isFinite(record.createdAt) || !Number.isFinite(record.updatedAt)) return false;
  const { begun, tenant } = record;
  return ['no', 'perhaps', 'yes'].includes(begun) && (tenant === undefined || typeof tenant === 'string');
}

/** The list of sessions, in files: `sessions/` in the folder. Any number of processes of one machine may use it. */
export class DirectoryFiles implements SessionDirectory, AsyncDisposable {
  readonly #journal: SharedJournal<Change, LeaseLost | undefined, DirectoryFold>;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor(options: FilesOptions) {
    this.#journal = new SharedJournal({ ...options, name: 'sessions', fold: new DirectoryFold() });
  }

  async get(id: string): Promise<SessionRecord | undefined> {
    return (await this.#journal.refresh()).records.get(id);
  }

  async put(record: SessionRecord, fence: number): Promise<void> {
    await this.#append({ t: 'put', id: record.id, fence, record: structuredClone(record) });
  }

  async list(query?: SessionQuery): Promise<readonly SessionRecord[]> {
    return listSessionRecords((await this.#journal.refresh()).records.values(), query);
  }

  async delete(id: string, fence: number): Promise<void> {
    await this.#append({ t: 'delete', id, fence });
  }

  /** Waits for what is being written, and closes the file. Safe to call twice. */
  async close(): Promise<void> {
    await this.#journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #append(change: Change): Promise<void> {
    const lost = await this.#journal.append(change);
    if (lost !== undefined) throw leaseLost(change.id, change.fence, lost);
  }
}
