/** The agent's request lacks what its subtype needs, or no callback is registered for it: none was called. */
export class Unanswerable extends Error {
  /** For a failure that is answered as a JSON-RPC error. */
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }

  /** Whatever was thrown: asking a proxy for its class may throw. */
  static is(error: unknown): error is Unanswerable {
    try {
      return error instanceof Unanswerable;
    } catch {
      return false;
    }
  }
}
