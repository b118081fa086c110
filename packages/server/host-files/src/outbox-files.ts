import type { OutboxAnswer, OutboxEntry, OutboxMessage, OutboxState, OutboxStore } from '@hexagent/ports';
import { leaseLost } from './fenced.ts';
import { checkWhole, type FilesOptions } from './files-options.ts';
import { OutboxFold, type OutboxChange, type OutboxVerdict } from './outbox-fold.ts';
import { SharedJournal } from './shared-journal.ts';

type MessageKey = Pick<OutboxEntry, 'session' | 'uuid'>;

export interface OutboxFilesOptions extends FilesOptions {
  /**
   * How many uuids of finished messages are kept of each session. All processes that use the folder must have the same number. Default
   * 1000.
   */
  readonly keepFinished?: number | undefined;
}

/** Messages in files: `outbox/` in the folder. Any number of processes of one machine may use it. */
export class OutboxFiles implements OutboxStore, AsyncDisposable {
  readonly #journal: SharedJournal<OutboxChange, OutboxVerdict, OutboxFold>;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor({ keepFinished = 1000, ...options }: OutboxFilesOptions) {
    checkWhole(keepFinished, 'keepFinished');
    this.#journal = new SharedJournal({ ...options, name: 'outbox', fold: new OutboxFold(keepFinished) });
  }

  async enqueue({ session, uuid, input }: OutboxMessage): Promise<OutboxAnswer> {
    const verdict = await this.#journal.append({ t: 'enqueue', session, uuid, input: structuredClone(input) });
    if (verdict.kind === 'accepted' || verdict.kind === 'duplicate') return verdict;
    throw new TypeError(`The message ${uuid} cannot be stored: its uuid or its content is not what it must be.`);
  }

  async mark({ session, uuid }: MessageKey, state: OutboxState, fence: number): Promise<void> {
    await this.#write({ t: 'mark', session, uuid, state, fence });
  }

  async stateOf({ session, uuid }: MessageKey): Promise<OutboxState | undefined> {
    return (await this.#journal.refresh()).stateOf(session, uuid);
  }

  async pending(session: string): Promise<readonly OutboxEntry[]> {
    return (await this.#journal.refresh()).pending(session);
  }

  async *claimable(): AsyncIterable<string> {
    yield* (await this.#journal.refresh()).claimable();
  }

  async delete(session: string, fence: number): Promise<void> {
    await this.#write({ t: 'delete', session, fence });
  }

  /** Waits for what is being written, and closes the file. Safe to call twice. */
  async close(): Promise<void> {
    await this.#journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #write(change: Extract<OutboxChange, { readonly fence: number }>): Promise<void> {
    const verdict = await this.#journal.append(change);
    if (verdict.kind === 'lost') throw leaseLost(change.session, change.fence, verdict);
  }
}
