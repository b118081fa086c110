import { guardedSignal } from './guarded-signal.ts';
import { notify } from './handled.ts';

type AbortListener = (reason: unknown) => void;

/**
 * An `AbortController` that creates its signal when it is read: most handlers never read theirs, and creating one takes
 * longer than the rest of a short call. Listeners of the signal that fail are reported to `listenerFailed`.
 */
export class LazyAbortController {
  readonly #listenerFailed: (error: unknown) => void;
  #listeners: AbortListener[] = none;
  #controller: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #aborted = false;
  #reason: unknown;

  constructor(listenerFailed: (error: unknown) => void) {
    this.#listenerFailed = listenerFailed;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#controller = new AbortController();
      this.#signal = guardedSignal(this.#controller.signal, this.#listenerFailed);
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#signal;
  }

  /** What the function `onAbort` does for a signal, without a signal. */
  onAbort(listener: AbortListener): () => void {
    if (this.#aborted) notify(() => listener(this.#reason), this.#listenerFailed);
    else if (this.#listeners === none) this.#listeners = [listener];
    else this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /** The first call counts. */
  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = none;
    for (const listener of listeners) notify(() => listener(reason), this.#listenerFailed);
    this.#controller?.abort(reason);
  }
}

const none: AbortListener[] = [];
