import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { notify } from '@hexagent/async';
import type { SessionSignal, SessionSignals } from '@hexagent/ports';
import type { FilesOptions } from './files-options.ts';
import type { Fold } from './fold.ts';
import { SharedJournal } from './shared-journal.ts';

type Listener = (signal: SessionSignal) => void;

/** Nothing is kept of a signal: a snapshot is empty. */
class SignalFold implements Fold<SessionSignal, void> {
  readonly listeners: Set<{ readonly call: Listener }> = new Set();
  /** Whether the lines are read that were there when the file was opened, of signals that were sent long ago. */
  isCurrent = false;

  apply({ session, kind }: SessionSignal): void {
    // Read from a file: another version may have written something else.
    if (!this.isCurrent || typeof session !== 'string' || !['wake', 'settled', 'moved', 'crowded'].includes(kind))
      return;
    for (const { call } of [...this.listeners]) notify(() => call({ session, kind }));
  }

  reset(): void {}

  *snapshot(): Iterable<SessionSignal> {}
}

/**
 * Signals among the processes of one machine, in files: `signals/` in the folder, which is watched. Where a folder cannot be watched, as on
 * some network drives, no signal of another process arrives.
 */
export class SignalFiles implements SessionSignals, AsyncDisposable {
  readonly #fold = new SignalFold();
  readonly #journal: SharedJournal<SessionSignal, void, SignalFold>;
  readonly #folder: string;
  #watcher: Promise<FSWatcher | undefined> | undefined;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor(options: FilesOptions) {
    const fold = this.#fold;
    this.#journal = new SharedJournal({ compactAfterBytes: 64_000, ...options, name: 'signals', fold });
    this.#folder = join(options.folder, 'signals');
  }

  send({ session, kind }: SessionSignal): void {
    this.#journal.append({ session, kind }).catch(() => {}); // It is lost.
  }

  subscribe(listener: Listener): () => void {
    const entry = { call: listener };
    this.#fold.listeners.add(entry);
    this.#watcher ??= this.#watch();
    return () => void this.#fold.listeners.delete(entry);
  }

  /** Ends the watching, and closes the file. Safe to call twice. */
  async close(): Promise<void> {
    (await this.#watcher)?.close();
    await this.#journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #watch(): Promise<FSWatcher | undefined> {
    try {
      await this.#journal.refresh();
      this.#fold.isCurrent = true;
      const watcher = watch(this.#folder, { persistent: false }, () => this.#read());
      watcher.on('error', () => watcher.close());
      this.#read();
      return watcher;
    } catch {
      return undefined; // The folder cannot be made, read or watched.
    }
  }

  #read(): void {
    this.#journal.refresh().catch(() => {}); // It is closed, or cannot be read.
  }
}
