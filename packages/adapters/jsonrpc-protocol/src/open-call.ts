import type { ControlRequest, HostContext } from '@hexagent/ports';
import { guardedSignal } from '@hexagent/async';
import type { Answerer } from './call.ts';

export interface OpenCallParts {
  /** What stands for the id among the open calls. */
  readonly key: unknown;
  /** The agent's own, of any type. */
  readonly id: unknown;
  readonly request: ControlRequest;
  readonly answerer: Answerer;
  /** Called when a listener of the program's on the signal fails. */
  readonly listenerFailed: (error: unknown) => void;
}

/** A request of the agent's while it is answered. Its signal is made when someone looks at it: most answers are quick and never do. */
export class OpenCall implements HostContext {
  readonly #parts: OpenCallParts;
  #controller: AbortController | undefined;
  #signal: AbortSignal | undefined;
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
    if (this.#signal === undefined) {
      this.#controller = new AbortController();
      this.#signal = guardedSignal(this.#controller.signal, this.#parts.listenerFailed);
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#signal;
  }

  abort(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
