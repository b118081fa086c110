import type { ControlRequest, HostContext, RequestHandlers } from '@hexagent/ports';
import { LazyAbortController, notify } from '@hexagent/async';
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

/** A request of the agent's while it is answered. Its fields are no getters: each is read for each answer. */
export class OpenCall implements HostContext {
  readonly key: unknown;
  readonly id: unknown;
  readonly request: ControlRequest;
  readonly answerer: Answerer;
  /** Set by the function that reads the answer: it is made of texts and of what `jsonCopy` has made, and need not be copied again. */
  isJson = false;
  readonly #observer: SafeObserver;
  /** The first listener. Most calls have one at most, and no signal, and then need no controller. */
  #listener: ((reason: unknown) => void) | undefined;
  /** Made for a second listener, or when a handler reads the signal. */
  #aborting: LazyAbortController | undefined;
  #reason: Error | undefined;

  constructor({ key, id, request, answerer, observer }: OpenCallParts) {
    this.key = key;
    this.id = id;
    this.request = request;
    this.answerer = answerer;
    this.#observer = observer;
  }

  get requestId(): string {
    const { id } = this;
    return typeof id === 'string' ? id : (JSON.stringify(id) ?? '');
  }

  get signal(): AbortSignal {
    return this.#controller().signal;
  }

  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.#listener !== undefined || this.#reason !== undefined) return this.#controller().onAbort(listener);
    this.#listener = listener;
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  }

  abort(reason: Error): void {
    this.#reason = reason;
    const listener = this.#listener;
    this.#listener = undefined;
    if (listener !== undefined)
      notify(
        () => listener(reason),
        (error) => this.#failed(error),
      );
    this.#aborting?.abort(reason);
  }

  #controller(): LazyAbortController {
    if (this.#aborting === undefined) {
      this.#aborting = new LazyAbortController((error) => this.#failed(error));
      if (this.#reason !== undefined) this.#aborting.abort(this.#reason);
    }
    return this.#aborting;
  }

  #failed(error: unknown): void {
    this.#observer.callbackFailed(this.request, error, error);
  }
}
