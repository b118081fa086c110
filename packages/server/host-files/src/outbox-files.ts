import type { OutboxAnswer, OutboxEntry, OutboxState, OutboxStore } from '@hexagent/ports';
import { leaseLost } from './fenced.ts';
import type { FilesOptions } from './files-options.ts';
import { OutboxFold, type OutboxChange, type OutboxVerdict } from './outbox-fold.ts';
import { SharedJournal } from './shared-journal.ts';

type MessageKey = Pick<OutboxEntry, 'session' | 'uuid'>;

/** Messages in files: `outbox/` in the folder. Any number of processes of one machine may use it. */
export class OutboxFiles implements OutboxStore, AsyncDisposable {
  readonly #journal: SharedJournal<OutboxChange, OutboxVerdict, OutboxFold>;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor(options: FilesOptions) {
    this.#journal = new SharedJournal({ ...options, name: 'outbox', fold: new OutboxFold() });
  }

  async enqueue({ session, uuid, input }: Omit<OutboxEntry, 'state'>, fence: number): Promise<OutboxAnswer> {
    const verdict = await this.#append({ t: 'enqueue', session, uuid, input: structuredClone(input), fence });
    return verdict.kind === 'duplicate' ? verdict : { kind: 'accepted' };
  }

  async mark({ session, uuid }: MessageKey, state: OutboxState, fence: number): Promise<void> {
    await this.#append({ t: 'mark', session, uuid, state, fence });
  }

  async stateOf({ session, uuid }: MessageKey): Promise<OutboxState | undefined> {
    return (await this.#journal.refresh()).stateOf(session, uuid);
  }

  async pending(session: string): Promise<readonly OutboxEntry[]> {
    return (await this.#journal.refresh()).pending(session);
  }

  async unfinished(): Promise<readonly string[]> {
    return (await this.#journal.refresh()).unfinished();
  }

  async delete(session: string, fence: number): Promise<void> {
    await this.#append({ t: 'delete', session, fence });
  }

  /** Waits for what is being written, and closes the file. Safe to call twice. */
  async close(): Promise<void> {
    await this.#journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #append(change: OutboxChange): Promise<Exclude<OutboxVerdict, { kind: 'lost' }>> {
    const verdict = await this.#journal.append(change);
    if (verdict.kind === 'lost') throw leaseLost(change.session, change.fence, verdict);
    return verdict;
  }
}
