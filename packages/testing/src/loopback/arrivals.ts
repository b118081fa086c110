import type { ModelRequest } from './requests.ts';

interface Waiter {
  readonly count: number;
  resolve(request: ModelRequest): void;
  reject(error: Error): void;
}

/** The requests of the script as they arrive, and the promises that wait for them. */
export class Arrivals {
  readonly #all: ModelRequest[] = [];
  #waiters: Waiter[] = [];
  #ended = false;

  get all(): readonly ModelRequest[] {
    return this.#all;
  }

  add(request: ModelRequest): void {
    this.#all.push(request);
    this.#waiters = this.#waiters.filter((waiter) => {
      if (waiter.count > this.#all.length) return true;
      waiter.resolve(request);
      return false;
    });
  }

  nth(count: number): Promise<ModelRequest> {
    const request = this.#all[count - 1];
    if (request !== undefined) return Promise.resolve(request);
    if (this.#ended) return Promise.reject(this.#missing(count));
    return new Promise((resolve, reject) => this.#waiters.push({ count, resolve, reject }));
  }

  end(): void {
    this.#ended = true;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.reject(this.#missing(waiter.count));
  }

  #missing(count: number): Error {
    return new Error(`The loopback closed after ${this.#all.length} requests; request ${count} never came.`);
  }
}
