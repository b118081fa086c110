import { handled } from './handled.ts';

/** Callbacks of the inbox's owner. */
export interface InboxEvents<T = never> {
  /** Called when a value leaves the inbox, read or dropped by `return()`, with the size that `push` was given. */
  readonly onTaken?: ((size: number) => void) | undefined;
  /** Called once, when the reader leaves its loop by `break` or by an error of its own. */
  readonly onReturn?: (() => void) | undefined;
  /** Rebuilds a value from the text that was stored in its place. */
  readonly restore?: ((text: string) => T) | undefined;
}

/**
 * A queue between one producer that pushes and one consumer that iterates. It is not an async generator, because a
 * generator creates promises per value, its `return()` hangs while a `next()` is pending, and it is not notified of a
 * reader that leaves before its first `next()`. It has no bound: the producer reads `size`, the sum of what is unread.
 */
export class Inbox<T> implements AsyncIterableIterator<T> {
  #values: (T | KeptText | typeof taken)[] = [];
  #sizes: number[] = [];
  #head = 0;
  #size = 0;
  #waiting: Waiting<T>[] = [];
  #ending: { readonly error?: unknown } | undefined;
  readonly #events: InboxEvents<T>;
  #returned = false;

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
   * Returns `false`, and drops the value, once the inbox has ended. With `text`, a value that must wait is stored as that
   * text and rebuilt by `restore` when it is read: the parsed value may take a dozen times the memory.
   */
  push(value: T, size = 0, text?: string): boolean {
    if (this.#ending) return false;
    const waiting = this.#waiting.shift();
    if (waiting) {
      waiting.resolve({ done: false, value });
      this.#events.onTaken?.(size);
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
    for (const { promise, resolve } of this.#waiting.splice(0)) {
      // The reader may never await a `next()` that it called.
      void handled(promise);
      resolve(this.#finish());
    }
  }

  /** Drops what is unread and returns its size. The inbox stays open. */
  discard(): number {
    const size = this.#size;
    this.#reset();
    return size;
  }

  /** Takes all that is unread. */
  drain(): readonly T[] {
    const values = this.#values.slice(this.#head) as (T | KeptText)[];
    this.#reset();
    return values.map((value) => (value instanceof KeptText ? this.#restore(value) : value));
  }

  /** Drops the unread values for which `isKept` is `false`, and all that are stored as text. Returns their size. */
  retain(isKept: (value: T) => boolean): number {
    const before = this.#size;
    const values = this.#values.slice(this.#head);
    const sizes = this.#sizes.slice(this.#head);
    this.#reset();
    for (const [index, value] of values.entries()) {
      if (value instanceof KeptText || value === taken || !isKept(value)) continue;
      const size = sizes[index] ?? 0;
      this.#values.push(value);
      this.#sizes.push(size);
      this.#size += size;
    }
    return before - this.#size;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#head < this.#values.length) return Promise.resolve({ done: false, value: this.#take() });
    if (this.#ending) return this.#finish();
    let resolve: Waiting<T>['resolve'] = () => {};
    const promise = new Promise<IteratorResult<T, undefined>>((settle) => (resolve = settle));
    this.#waiting.push({ promise, resolve });
    return promise;
  }

  /** Called by `break`; works while a `next()` waits and before the first one. */
  return(): Promise<IteratorResult<T, undefined>> {
    const size = this.discard();
    this.end();
    this.#ending = {}; // no later `next()` rejects with an error that the reader did not wait for
    if (size > 0) this.#events.onTaken?.(size);
    if (!this.#returned) {
      this.#returned = true;
      this.#events.onReturn?.();
    }
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): T {
    // The head is below the length, so a value is there, even where T includes undefined.
    const kept = this.#values[this.#head] as T | KeptText;
    const size = this.#sizes[this.#head] ?? 0;
    this.#values[this.#head] = taken;
    this.#head += 1;
    this.#size -= size;
    if (this.#head === this.#values.length) this.#reset();
    else if (this.#head >= 1024 && this.#head * 2 >= this.#values.length) this.#compact();
    this.#events.onTaken?.(size);
    return kept instanceof KeptText ? this.#restore(kept) : kept;
  }

  #restore(kept: KeptText): T {
    const { restore } = this.#events;
    if (restore === undefined) throw new TypeError('`push` was given a text, and the inbox has no `restore`.');
    return restore(kept.text);
  }

  /** Without it, a reader that never catches up would keep alive all that it has read. */
  #compact(): void {
    this.#values = this.#values.slice(this.#head);
    this.#sizes = this.#sizes.slice(this.#head);
    this.#head = 0;
  }

  /** The arrays are emptied, not replaced: one that has become old keeps what it held in memory until it is collected itself. */
  #reset(): void {
    this.#values.length = 0;
    this.#sizes.length = 0;
    this.#head = 0;
    this.#size = 0;
  }

  #finish(): Promise<IteratorResult<T, undefined>> {
    const ending = this.#ending ?? {};
    this.#ending = {}; // one `next()` rejects with the error, later ones are done
    if ('error' in ending) return handled(Promise.reject(ending.error));
    return Promise.resolve({ done: true, value: undefined });
  }
}

/** A `next()` for which there is no value yet. */
interface Waiting<T> {
  readonly promise: Promise<IteratorResult<T, undefined>>;
  readonly resolve: (result: IteratorResult<T, undefined> | PromiseLike<IteratorResult<T, undefined>>) => void;
}

/** Replaces a value that was read, so that the array does not keep it in memory. */
const taken = Symbol('taken');

class KeptText {
  readonly #copy: string;

  constructor(text: string) {
    // Joining forces a copy: a line is a slice of the text of a whole read, and would keep all of that text alive.
    this.#copy = [text, ' '].join('');
  }

  get text(): string {
    return this.#copy.slice(0, -1);
  }
}
