import type { SessionDirectory, SessionRecord } from '@hexagent/ports';
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

  async list({ tenant }: { readonly tenant?: string | undefined } = {}): Promise<readonly SessionRecord[]> {
    const records = [...this.#records.values()].filter((record) => tenant === undefined || record.tenant === tenant);
    return structuredClone(records);
  }

  async delete(id: string, fence: number): Promise<void> {
    this.#fences.pass(id, fence);
    this.#records.delete(id);
  }
}
