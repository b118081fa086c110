import { Deferred } from '@hexagent/async';

/** Thrown inside a turn to leave it where it stands. */
export class Interrupted extends Error {}

/** Whether and how a turn was stopped. */
export class Interruption {
  readonly #stopped = new Deferred<never>().handled();
  readonly #interrupted = new Deferred<never>().handled();
  #how: 'interrupt' | 'now' | undefined;

  get how(): 'interrupt' | 'now' | undefined {
    return this.#how;
  }

  /** `now` is a message that cannot wait: it stops the model, but lets a tool finish. Recording h-now-during-tool. */
  tell(how: 'interrupt' | 'now'): void {
    this.#how = how;
    this.#stopped.reject(new Interrupted());
    if (how === 'interrupt') this.#interrupted.reject(new Interrupted());
  }

  /** What the model does. @throws {Interrupted} */
  async speaking<T>(work: Promise<T>): Promise<T> {
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
