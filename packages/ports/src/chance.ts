/** Time, as a value: a test moves it by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Calls back once, after `ms`. Returns what takes it back. Waiting does not keep the process alive. */
  after(ms: number, callback: () => void): () => void;
}

/** Names that nobody else has: a test makes them predictable. */
export interface Ids {
  /** For requests on the wire. */
  request(): string;
  /** For messages; a uuid, since the agent insists on it. */
  uuid(): string;
}
