import type { Inbox } from '@hexagent/async';
import type { MessageQueue } from './message-queue.ts';

/** Reads one queue. It is opened by the first `next()`, since `idle()` and `finish()` do not wait for a reader that never begins. */
export class Cursor<T> implements AsyncIterableIterator<T> {
  readonly #queue: MessageQueue<T>;
  #inbox: Inbox<T> | undefined;

  constructor(queue: MessageQueue<T>) {
    this.#queue = queue;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.#open().next();
  }

  return(): Promise<IteratorResult<T, undefined>> {
    return this.#open().return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #open(): Inbox<T> {
    this.#inbox ??= this.#queue.open();
    return this.#inbox;
  }
}
