import { Deferred } from '@hexagent/async';

/** What methods of a query wait for. All of it fails when the query ends, without waiting for the agent to leave. */
export class PendingCalls {
  readonly #calls = new Set<Deferred<never>>();

  /** Settles as `work` does, or with the error of `end()` if that comes first. */
  async orEnd<T>(work: Promise<T>): Promise<T> {
    const ended = new Deferred<never>().handled();
    this.#calls.add(ended);
    try {
      return await Promise.race([work, ended.promise]);
    } finally {
      this.#calls.delete(ended);
    }
  }

  /** `toError` is called only if something waits. */
  end(toError: () => unknown): void {
    if (this.#calls.size === 0) return;
    const error = toError();
    for (const call of this.#calls) call.reject(error);
  }
}
