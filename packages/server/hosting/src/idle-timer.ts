import type { Clock } from '@hexagent/ports';

export interface IdleTimerOptions {
  readonly clock: Clock;
  readonly idleMs: number;
  /** Called when it was idle for that long. */
  readonly due: () => void;
}

/** Measures how long an agent is idle. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #since = 0;
  #cancel: () => void = () => {};

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** When it became idle, by the clock. */
  get since(): number {
    return this.#since;
  }

  restart(): void {
    const { clock, idleMs, due } = this.#options;
    this.stop();
    this.#since = clock.now();
    this.#cancel = clock.after(idleMs, due);
  }

  stop(): void {
    this.#cancel();
  }
}
