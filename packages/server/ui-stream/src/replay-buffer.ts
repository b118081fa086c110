import type { Clock } from '@hexagent/ports';
import { ReplayReader } from './replay-reader.ts';
import { ReplayLog } from './replay-log.ts';
import type { UiChunk } from './ui-chunk.ts';

/** The chunks of a turn, for any number of readers that come and go, each at its own pace. */
export interface ReplayBuffer {
  /** Takes chunks; `false`, and nothing is taken, once it has ended. Never waits for a reader. */
  push(chunks: readonly UiChunk[]): boolean;
  /** No more chunks follow. Readers get what there is. */
  end(): void;
  /** Like `end()`, but readers then reject with this error. */
  fail(error: unknown): void;
  /**
   * All chunks from the first one on. A late reader gets each text so far as one delta, and of what was replaced only the
   * newest; a slow reader gets the same from its position on. Aborting the signal rejects with `AbortError`.
   */
  read(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterableIterator<UiChunk>;
  /** How many readers have not reached the end. */
  readonly readers: number;
}

/** How to keep a turn. */
export interface ReplayOptions {
  /**
   * With it, readers that wait are given what came within some milliseconds at once, and not one chunk after the other: a burst of
   * small pieces costs each reader one event.
   */
  readonly clock?: Clock | undefined;
}

/** How long chunks are gathered, in milliseconds: too short for a person to notice. */
const gatherMs = 5;

/** A buffer for one turn. It keeps about as much as the message that the chunks become, and a place for each reader. */
export function createReplayBuffer({ clock }: ReplayOptions = {}): ReplayBuffer {
  return new Replay(clock);
}

class Replay implements ReplayBuffer {
  readonly #log = new ReplayLog();
  readonly #readers = new Set<ReplayReader>();
  readonly #clock: Clock | undefined;
  #stopGathering: (() => void) | undefined;

  constructor(clock: Clock | undefined) {
    this.#clock = clock;
  }

  get readers(): number {
    return this.#readers.size;
  }

  push(chunks: readonly UiChunk[]): boolean {
    if (this.#log.ending !== undefined) return false;
    for (const chunk of chunks) this.#log.add(chunk);
    if (this.#clock === undefined) this.#wake();
    else if (this.#readers.size > 0) this.#stopGathering ??= this.#clock.after(gatherMs, () => this.#wake());
    return true;
  }

  end(): void {
    this.#finish({});
  }

  fail(error: unknown): void {
    this.#finish({ error });
  }

  read({ signal }: { readonly signal?: AbortSignal | undefined } = {}): AsyncIterableIterator<UiChunk> {
    const reader = new ReplayReader(this.#log, signal, () => this.#readers.delete(reader));
    this.#readers.add(reader);
    return reader;
  }

  #finish(ending: { readonly error?: unknown }): void {
    this.#log.ending ??= ending;
    this.#wake();
  }

  #wake(): void {
    this.#stopGathering?.();
    this.#stopGathering = undefined;
    for (const reader of [...this.#readers]) reader.wake();
  }
}
