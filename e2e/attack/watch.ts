import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';

/** Keeps an account of promises: which were begun, and how each settled. */
export class Watch {
  readonly #account: Account;
  readonly #open = new Map<string, Promise<unknown>>();
  #count = 0;
  /** When something last happened. */
  #last = performance.now();

  constructor(account: Account) {
    this.#account = account;
  }

  progress(): void {
    this.#last = performance.now();
  }

  /** Notes how the promise settles; resolves then, and never rejects. */
  track(name: string, promise: Promise<unknown>): Promise<void> {
    this.#count += 1;
    const key = `${this.#count} ${name}`;
    this.#account.begun.add(key);
    const settled = promise.then(
      (value) => void this.#account.settled.set(key, { value }),
      (error: unknown) => void this.#account.settled.set(key, { error }),
    );
    const done = settled.then(() => {
      this.#open.delete(key);
      this.progress();
    });
    this.#open.set(key, done);
    return done;
  }

  /** A call that may throw at once. */
  call<T>(name: string, make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      this.track(name, Promise.reject(error instanceof Error ? error : new Error(String(error)))).catch(() => {});
      return undefined;
    }
  }

  /** Resolves when all that is tracked has settled, when nothing has happened for a while, or in any case at the bound. */
  async quiet({ patienceMs, boundMs }: { readonly patienceMs: number; readonly boundMs: number }): Promise<void> {
    const bound = performance.now() + boundMs;
    this.progress();
    while (this.#open.size > 0 && performance.now() < bound && performance.now() - this.#last < patienceMs)
      await Promise.race([...this.#open.values(), delay(20)]);
  }

  /** All that is tracked has to settle now. */
  async end(boundMs: number): Promise<void> {
    await this.quiet({ patienceMs: boundMs, boundMs });
    this.#account.hung.push(...this.#open.keys());
  }
}
