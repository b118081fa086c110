/** What a handler receives beside the request. */
export interface HostContext {
  readonly requestId: string;
  /** Aborts when the agent withdraws its request or goes away. */
  readonly signal: AbortSignal;
  /**
   * Calls the listener once, when `signal` aborts; at once, when it has. Returns what removes the listener. For handlers
   * that only need a notification: a signal is created when it is read, which takes longer than most answers. Optional for
   * a protocol.
   */
  onAbort?(listener: (reason: unknown) => void): () => void;
}
