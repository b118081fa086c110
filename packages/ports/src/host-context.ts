/** What a handler learns beside the request. */
export interface HostContext {
  readonly requestId: string;
  /** Aborts when the agent withdraws its request or goes away. */
  readonly signal: AbortSignal;
  /**
   * Calls the listener once, when `signal` aborts; at once, when it has. Returns what removes the listener. For handlers
   * that only have to know: a signal is made when it is read, and making one takes longer than most answers. A protocol
   * need not have it.
   */
  onAbort?(listener: (reason: unknown) => void): () => void;
}
