import { Deferred } from '@hexagent/async';

/** The pending `idle()` calls of a conversation. */
export class IdleWaiters {
  readonly #waiters: Deferred<void>[] = [];
  /** How many. No getter, since it is read twice for each request of the agent's. */
  size = 0;

  wait(): Promise<void> {
    const waiter = new Deferred<void>().handled();
    this.size = this.#waiters.push(waiter);
    return waiter.promise;
  }

  /** Settles all of them: with the error, if there is one. */
  settle(error?: Error): void {
    this.size = 0;
    for (const waiter of this.#waiters.splice(0)) {
      if (error === undefined) waiter.resolve();
      else waiter.reject(error);
    }
  }
}
