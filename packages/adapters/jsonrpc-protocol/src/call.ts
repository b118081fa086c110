import type { ControlRequest, HostContext, RequestHandlers } from '@hexagent/ports';
import { LazyAbortController } from '@hexagent/async';
import type { SafeObserver } from './safe-observer.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** Reports that a callback of the program did wrong, and that the agent gets another answer than it gave. */
export type ReportFault = (call: OpenCall, error: unknown, cause?: unknown) => undefined;

/** How a request of the agent's is answered. In two steps, so that a request costs one async function and not two. */
export interface Answerer {
  /**
   * Checks the request, and calls the program's handler.
   * @throws {Unanswerable} when the request lacks what its subtype needs, or no callback handles it.
   */
  readonly ask: (request: ControlRequest, handlers: RequestHandlers, context: OpenCall) => unknown;
  /** The payload for what the handler answered; `undefined` when someone else answers. */
  readonly read: (answer: unknown, call: OpenCall, fault: ReportFault) => Payload | undefined;
  /** Whether the payload is made of texts and of what `jsonCopy` has made, and need not be copied again. */
  readonly isJson?: (payload: Payload) => boolean;
  /** For requests whose failure has a form of its own. */
  readonly failed?: (request: ControlRequest, text: string, code?: number) => Payload | undefined;
}

export interface OpenCallParts {
  /** What stands for the id among the open calls. */
  readonly key: unknown;
  /** The agent's own, of any type. */
  readonly id: unknown;
  readonly request: ControlRequest;
  readonly answerer: Answerer;
  readonly observer: SafeObserver;
}

/** A request of the agent's while it is answered. */
export class OpenCall implements HostContext {
  readonly #parts: OpenCallParts;
  /** Created when a handler reads the signal; most handlers answer without it. */
  #aborting: LazyAbortController | undefined;
  #reason: Error | undefined;

  constructor(parts: OpenCallParts) {
    this.#parts = parts;
  }

  get key(): unknown {
    return this.#parts.key;
  }

  get id(): unknown {
    return this.#parts.id;
  }

  get request(): ControlRequest {
    return this.#parts.request;
  }

  get answerer(): Answerer {
    return this.#parts.answerer;
  }

  get requestId(): string {
    const { id } = this.#parts;
    return typeof id === 'string' ? id : (JSON.stringify(id) ?? '');
  }

  get signal(): AbortSignal {
    return this.#controller().signal;
  }

  onAbort(listener: (reason: unknown) => void): () => void {
    return this.#controller().onAbort(listener);
  }

  abort(reason: Error): void {
    this.#reason = reason;
    this.#aborting?.abort(reason);
  }

  #controller(): LazyAbortController {
    if (this.#aborting === undefined) {
      const { request, observer } = this.#parts;
      this.#aborting = new LazyAbortController((error) => observer.callbackFailed(request, error, error));
      if (this.#reason !== undefined) this.#aborting.abort(this.#reason);
    }
    return this.#aborting;
  }
}
