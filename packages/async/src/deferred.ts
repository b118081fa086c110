/** Shared by all instances: a conversation creates a dozen, and a function for each would cost memory. */
function nothing(): void {}

/** A promise that is settled from outside. Settling it twice does nothing. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  #resolve: (value: T) => void = nothing;
  #reject: (error: unknown) => void = nothing;
  #settled = false;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** `true` once `resolve` or `reject` was called. */
  get settled(): boolean {
    return this.#settled;
  }

  resolve(value: T): void {
    this.#settled = true;
    this.#resolve(value);
  }

  reject(error: unknown): void {
    this.#settled = true;
    this.#reject(error);
  }

  /** Keeps a rejection that nothing awaits from counting as unhandled. */
  handled(): this {
    this.promise.catch(() => {});
    return this;
  }
}
