import { listSessionRecords, type SessionDirectory, type SessionQuery, type SessionRecord } from '@hexagent/ports';
import { Fences } from './fences.ts';

/** Keeps records for as long as the program runs. */
export class MemoryDirectory implements SessionDirectory {
  readonly #fences = new Fences();
  readonly #records = new Map<string, SessionRecord>();

  async get(id: string): Promise<SessionRecord | undefined> {
    return structuredClone(this.#records.get(id));
  }

  async put(record: SessionRecord, fence: number): Promise<void> {
    this.#fences.pass(record.id, fence);
    this.#records.set(record.id, structuredClone(record));
  }

  async list(query?: SessionQuery): Promise<readonly SessionRecord[]> {
    return structuredClone(listSessionRecords(this.#records.values(), query));
  }

  async delete(id: string, fence: number): Promise<void> {
    this.#fences.pass(id, fence);
    this.#records.delete(id);
  }
}
