import { Deferred } from './deferred.ts';
import { handled } from './handled.ts';

/** What an inbox tells its owner, and what it needs of it. */
export interface InboxEvents<T = never> {
  /** A value left the inbox, towards the reader or by `return()`. `size` is what `push` was told. */
  readonly taken?: ((size: number) => void) | undefined;
  /** The reader left, with `break` or an error of its own. Called once. */
  readonly left?: (() => void) | undefined;
  /** Makes a value again from the text it was kept as. */
  readonly restore?: ((text: string) => T) | undefined;
}

/**
 * Joins one producer that pushes to one consumer that iterates. Hand-written because an async generator costs promises
 * per value, hangs in `return()` while a `next()` is pending, and is never told of a reader that leaves before its
 * first `next()`. Bounds are the producer's business: `size` says how much is unread.
 */
export class Inbox<T> implements AsyncIterableIterator<T> {
  #values: (T | KeptText)[] = [];
  #sizes: number[] = [];
  #head = 0;
  #size = 0;
  #waiting: Deferred<IteratorResult<T, undefined>>[] = [];
  #ending: { readonly error?: unknown } | undefined;
  readonly #events: InboxEvents<T>;
  #left = false;

  constructor(events: InboxEvents<T> = {}) {
    this.#events = events;
  }

  /** The sum of the sizes of what is unread. */
  get size(): number {
    return this.#size;
  }

  /** `true` once `end()` or `return()` was called; values may still be unread. */
  get ended(): boolean {
    return this.#ending !== undefined;
  }

  /**
   * Returns `false`, and drops the value, once the inbox has ended: nobody listens any more. With `text`, the value is
   * not kept while it waits, but made again by `restore` when it is read: parsed, it may take a dozen times the memory.
   */
  push(value: T, size = 0, text?: string): boolean {
    if (this.#ending) return false;
    const waiting = this.#waiting.shift();
    if (waiting) {
      waiting.resolve({ done: false, value });
      this.#events.taken?.(size);
      return true;
    }
    this.#values.push(text === undefined ? value : new KeptText(text));
    this.#sizes.push(size);
    this.#size += size;
    return true;
  }

  /** What was pushed before is still delivered. The first ending wins. */
  end(ending: { readonly error?: unknown } = {}): void {
    if (this.#ending) return;
    this.#ending = ending;
    for (const waiting of this.#waiting.splice(0)) {
      // A reader may have left a `next()` alone that it began.
      waiting.handled();
      this.#finish().then(
        (result) => waiting.resolve(result),
        (error: unknown) => waiting.reject(error),
      );
    }
  }

  /** Drops what is unread and returns its size. The inbox goes on. */
  discard(): number {
    const size = this.#size;
    this.#reset();
    return size;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#head < this.#values.length) return Promise.resolve({ done: false, value: this.#take() });
    if (this.#ending) return this.#finish();
    const waiting = new Deferred<IteratorResult<T, undefined>>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  /** Called by `break`; works while a `next()` waits and before the first one. */
  return(): Promise<IteratorResult<T, undefined>> {
    const size = this.discard();
    this.end();
    this.#ending = {}; // an error that nobody read goes with its reader
    if (size > 0) this.#events.taken?.(size);
    if (!this.#left) {
      this.#left = true;
      this.#events.left?.();
    }
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): T {
    // The head is below the length, so the value is there, even where T admits undefined.
    const kept = this.#values[this.#head] as T | KeptText;
    const size = this.#sizes[this.#head] ?? 0;
    this.#head += 1;
    this.#size -= size;
    if (this.#head === this.#values.length) this.#reset();
    else if (this.#head >= 1024 && this.#head * 2 >= this.#values.length) this.#compact();
    this.#events.taken?.(size);
    return kept instanceof KeptText ? this.#restore(kept) : kept;
  }

  #restore(kept: KeptText): T {
    const { restore } = this.#events;
    if (restore === undefined) throw new TypeError('An inbox that keeps texts needs `restore`.');
    return restore(kept.text);
  }

  /** A reader that stays behind for ever must not keep what it has read. */
  #compact(): void {
    this.#values = this.#values.slice(this.#head);
    this.#sizes = this.#sizes.slice(this.#head);
    this.#head = 0;
  }

  #reset(): void {
    this.#values = [];
    this.#sizes = [];
    this.#head = 0;
    this.#size = 0;
  }

  #finish(): Promise<IteratorResult<T, undefined>> {
    const ending = this.#ending ?? {};
    this.#ending = {}; // an error is told once
    if ('error' in ending) return handled(Promise.reject(ending.error));
    return Promise.resolve({ done: true, value: undefined });
  }
}

class KeptText {
  readonly #copy: string;

  constructor(text: string) {
    // Joined to something else, the text is a copy: it may be cut out of that of a whole read, which it would keep alive.
    this.#copy = [text, ' '].join('');
  }

  get text(): string {
    return this.#copy.slice(0, -1);
  }
}
