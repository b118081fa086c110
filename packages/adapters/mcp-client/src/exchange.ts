import { AsyncLocalStorage } from 'node:async_hooks';

/** One message to the server and all the HTTP requests that are made for it. */
export class Exchange {
  /** Of the request; `undefined` for a message that gets no answer. */
  readonly id: number | undefined;
  readonly #ending = new AbortController();
  /** How often a stream that broke could not be continued, in a row. */
  failures = 0;
  /** The answer arrives as events, maybe of several streams; otherwise it is in the body of the one response. */
  isStreamed = false;

  constructor(id: number | undefined) {
    this.id = id;
  }

  /** Aborts when the answer is no longer awaited. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  end(): void {
    this.#ending.abort();
  }
}

/**
 * Which exchange an HTTP request belongs to. The MCP SDK does not hand that on; what it does for a message, timers
 * included, runs in the context in which the message was sent.
 */
export const exchanges: AsyncLocalStorage<Exchange | undefined> = new AsyncLocalStorage();
