import { Deferred } from '@hexagent/async';

/** The pending `idle()` calls of a conversation. */
export class IdleWaiters {
  #waiters: Deferred<void>[] = [];

  get size(): number {
    return this.#waiters.length;
  }

  wait(): Promise<void> {
    const waiter = new Deferred<void>().handled();
    this.#waiters.push(waiter);
    return waiter.promise;
  }

  /** Settles all of them: with the error, if there is one. */
  settle(error?: Error): void {
    for (const waiter of this.#waiters.splice(0)) {
      if (error === undefined) waiter.resolve();
      else waiter.reject(error);
    }
  }
}
