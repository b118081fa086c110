import { Deferred } from '@hexagent/async';

/** Thrown inside a turn to end it. */
export class Interrupted extends Error {}

/** Whether and how a turn was stopped. */
export class Interruption {
  readonly #stopped = new Deferred<never>().handled();
  readonly #interrupted = new Deferred<never>().handled();
  #how: 'interrupt' | 'now' | undefined;

  get how(): 'interrupt' | 'now' | undefined {
    return this.#how;
  }

  /** A message with priority `now` stops the model, but lets a tool finish. Recording h-now-during-tool. */
  interrupt(how: 'interrupt' | 'now'): void {
    this.#how = how;
    this.#stopped.reject(new Interrupted());
    if (how === 'interrupt') this.#interrupted.reject(new Interrupted());
  }

  /** What the model does. @throws {Interrupted} */
  async stoppable<T>(work: Promise<T>): Promise<T> {
    return await Promise.race([this.#stopped.promise, work]);
  }

  /** What a tool does. @throws {Interrupted} */
  async working<T>(work: Promise<T>): Promise<T> {
    return await Promise.race([this.#interrupted.promise, work]);
  }

  /** @throws {Interrupted} */
  check(): void {
    if (this.#how !== undefined) throw new Interrupted();
  }
}
