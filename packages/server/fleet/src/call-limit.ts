import { attempt, onAbort } from '@hexagent/async';
import type { Clock } from '@hexagent/ports';

interface CallLimitParts {
  readonly clock: Clock;
  /** Aborts when nothing is called any more. */
  readonly closed: AbortSignal;
  readonly withinMs: number;
  /** The error of a call whose time is over. */
  readonly overdue: () => Error;
}

/** What one call waits for, which ends with the time of the call, or with all calls. */
export class CallLimit {
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #stop: () => void;

  constructor({ clock, closed, withinMs, overdue }: CallLimitParts) {
    this.#clock = clock;
    const cancel = clock.after(withinMs, () => this.#over.abort(overdue()), { keepsAlive: true });
    const stop = onAbort(closed, (reason) => this.#over.abort(reason));
    this.#stop = () => {
      cancel();
      stop();
    };
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Frees what the limit holds. */
  end(): void {
    this.#stop();
  }

  /** Settles as the call does, unless it is over before. `late` gets what arrives after that. */
  race<T>(call: () => Promise<T>, late: (value: T) => void = () => {}): Promise<T> {
    const { signal } = this.#over;
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const stop = onAbort(signal, reject);
      const settled = (value: T): void => {
        stop();
        if (signal.aborted) late(value);
        else resolve(value);
      };
      attempt(call).then(settled, (error: unknown) => {
        stop();
        reject(error);
      });
    });
  }

  pause(ms: number): Promise<void> {
    let cancel = (): void => {};
    const passed = new Promise<void>((resolve) => (cancel = this.#clock.after(ms, resolve, { keepsAlive: true })));
    return this.race(() => passed).finally(cancel);
  }
}
