import type { ControlRequest, HostContext, RequestHandlers } from '@hexagent/ports';

export type Payload = Readonly<Record<string, unknown>>;

/** One request of the agent's on its way to the program. */
export interface Call {
  readonly request: ControlRequest;
  readonly handlers: RequestHandlers;
  readonly context: HostContext;
  /** The program's callback did wrong, and the agent gets another answer than it gave. */
  readonly fault: (error: Error) => void;
}

export interface Answerer {
  /** The payload of the answer; `undefined` when someone else answers. A rejection becomes an error answer. */
  readonly answer: (call: Call) => Promise<Payload | undefined>;
  /** For requests whose failure has a form of its own. */
  readonly failed?: (request: ControlRequest, words: string, code?: number) => Payload | undefined;
}

/** The agent's request lacks what its subtype needs, or nobody is there for it: no callback was called. */
export class Unanswerable extends Error {
  /** Whatever was thrown: asking a proxy for its class may throw. */
  static is(error: unknown): boolean {
    try {
      return error instanceof Unanswerable;
    } catch {
      return false;
    }
  }
}
