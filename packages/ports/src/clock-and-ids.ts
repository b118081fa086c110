/** Time, as a value: a test moves it by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /**
   * Calls back once, after `ms`. Returns a function that cancels this. A delay of any length is waited for in full, also
   * where a timer of the system cannot hold it; `Infinity` never calls back. Waiting does not keep the process alive,
   * unless `keepsAlive` is set: for work that must not be lost, and for the limit of something that is awaited. If nothing
   * else keeps the process alive, it would otherwise end in the middle of the `await`, without the error of the limit.
   * @throws {TypeError} for anything but a number, for `NaN`, and for a negative number.
   */
  after(ms: number, callback: () => void, options?: { readonly keepsAlive?: boolean }): () => void;
}

/** Unique ids: a test makes them predictable. */
export interface Ids {
  /** For requests on the wire. */
  request(): string;
  /** For messages; a uuid, since the agent insists on it. */
  uuid(): string;
}
