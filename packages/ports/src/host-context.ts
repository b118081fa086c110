/** What a handler receives beside the request. */
export interface HostContext {
  readonly requestId: string;
  /** Aborts when the agent withdraws its request or exits. */
  readonly signal: AbortSignal;
  /** Calls the listener once, when `signal` aborts; at once, when it has. Returns what removes the listener. Optional for a protocol. */
  onAbort?(listener: (reason: unknown) => void): () => void;
}
