/** What a handler receives beside the request. */
export interface HostContext {
  readonly requestId: string;
  /** Aborts when the agent withdraws its request or exits. */
  readonly signal: AbortSignal;
}
