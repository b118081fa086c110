import type { ControlRequest, HostContext, RequestHandlers } from '@hexagent/ports';
import { notify, onAbort } from '@hexagent/async';

export type Payload = Readonly<Record<string, unknown>>;

/** Reports that a callback of the program failed, and that the agent gets another answer than it returned. */
export type ReportFault = (call: OpenCall, error: unknown, cause?: unknown) => undefined;

/** How a request of the agent is answered: what the program answers is awaited between the two steps. */
export interface Answerer {
  /**
   * Checks the request, and calls the program's handler.
   * @throws {Unanswerable} when the request lacks what its subtype needs, or no callback handles it.
   */
  readonly ask: (request: ControlRequest, handlers: RequestHandlers, context: OpenCall) => unknown;
  /** The payload for what the handler answered; `undefined` when someone else answers. */
  readonly read: (answer: unknown, call: OpenCall, fault: ReportFault) => Payload | undefined;
  /** Makes the answer to a failed request, where that is not an error. */
  readonly failed?: (request: ControlRequest, text: string, code?: number) => Payload | undefined;
}

export interface OpenCallParts {
  /** The key of the call among the open ones, made of the id. */
  readonly key: unknown;
  /** The agent's id, of any type. */
  readonly id: unknown;
  readonly request: ControlRequest;
  readonly answerer: Answerer;
}

/** A request of the agent while it is answered. */
export class OpenCall implements HostContext {
  readonly key: unknown;
  readonly id: unknown;
  readonly request: ControlRequest;
  readonly answerer: Answerer;
  /** Set by the reader of the answer: it is made of texts and of what `jsonCopy` has made, and need not be copied again. */
  isJson = false;
  readonly #aborting = new AbortController();
  #listener: ((reason: unknown) => void) | undefined;
  #isAborted = false;

  constructor({ key, id, request, answerer }: OpenCallParts) {
    this.key = key;
    this.id = id;
    this.request = request;
    this.answerer = answerer;
  }

  get requestId(): string {
    const { id } = this;
    return typeof id === 'string' ? id : (JSON.stringify(id) ?? '');
  }

  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  /** Without a signal for the first listener: with one for each call, permissions and tools miss their bounds of time. */
  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.#listener !== undefined || this.#isAborted) return onAbort(this.signal, listener);
    this.#listener = listener;
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  }

  abort(reason: Error): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#isAborted = true;
    notify(() => listener?.(reason));
    this.#aborting.abort(reason);
  }
}

/** The agent's request lacks what its subtype needs, or no callback is registered for it: none was called. */
export class Unanswerable extends Error {
  /** The code of a JSON-RPC error. */
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
