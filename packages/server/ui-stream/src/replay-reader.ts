import { Deferred, onAbort } from '@hexagent/async';
import { AbortError } from '@hexagent/ports';
import type { DeltaRun } from './delta-run.ts';
import type { ReplayLog } from './replay-log.ts';
import type { UiChunk } from './ui-chunk.ts';

type Next = IteratorResult<UiChunk, undefined>;

/** A place in the log: nothing is kept for a reader but how far it has read. */
export class ReplayReader implements AsyncIterableIterator<UiChunk> {
  readonly #log: ReplayLog;
  /** The number of the entry that is read next. */
  #index = 0;
  /** How much was read of the deltas whose part is open. */
  readonly #offsets = new Map<DeltaRun, number>();
  readonly #waiting: Deferred<Next>[] = [];
  readonly #left: () => void;
  #isDone = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(log: ReplayLog, signal: AbortSignal | undefined, left: () => void) {
    this.#log = log;
    const stopListening = onAbort(signal, (reason) => {
      this.#failure = { error: new AbortError('Reading the answer was aborted.', { cause: reason }) };
      this.wake();
    });
    this.#left = () => {
      stopListening();
      left();
    };
  }

  next(): Promise<Next> {
    const waiting = new Deferred<Next>();
    this.#waiting.push(waiting);
    this.wake();
    return waiting.promise;
  }

  return(): Promise<Next> {
    this.#finish();
    this.wake();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Settles the pending `next()` calls for which there is something to read. */
  wake(): void {
    while (this.#waiting.length > 0) {
      const next = this.#take();
      if (next === undefined) return;
      const waiting = this.#waiting.shift();
      if ('error' in next) waiting?.reject(next.error);
      else waiting?.resolve(next);
    }
  }

  #take(): Next | { readonly error: unknown } | undefined {
    if (this.#isDone) return { done: true, value: undefined };
    if (this.#failure !== undefined) return this.#fail(this.#failure.error);
    const value = this.#nextChunk();
    if (value !== undefined) return { done: false, value };
    const { ending } = this.#log;
    if (ending === undefined) return undefined;
    if ('error' in ending) return this.#fail(ending.error);
    this.#finish();
    return { done: true, value: undefined };
  }

  #nextChunk(): UiChunk | undefined {
    for (; this.#index < this.#log.end; this.#index += 1) {
      const entry = this.#log.entries.get(this.#index);
      if (entry === undefined) continue;
      const { chunk, begins, ends } = entry;
      // A complete input contains all of its pieces.
      const missing = ends !== undefined && chunk.type !== 'tool-input-available' && this.#read(ends);
      if (missing) return missing;
      if (begins !== undefined) this.#offsets.set(begins, 0);
      if (ends !== undefined) this.#offsets.delete(ends);
      this.#index += 1;
      return chunk;
    }
    for (const run of this.#offsets.keys()) {
      const delta = this.#read(run);
      if (delta !== undefined) return delta;
    }
    return undefined;
  }

  #read(run: DeltaRun): UiChunk | undefined {
    const offset = this.#offsets.get(run);
    if (offset === undefined) return undefined;
    this.#offsets.set(run, run.length);
    return run.from(offset);
  }

  #fail(error: unknown): { readonly error: unknown } {
    this.#finish();
    return { error };
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#offsets.clear();
    this.#left();
  }
}
