import type { Clock } from '@hexagent/ports';

/** Ends calls that take too long without progress. */
export class TimeLimit {
  readonly #clock: Clock;
  readonly #onEnd: (why: string) => void;
  #started: { readonly ms: number; readonly why: string } | undefined;
  #cancel = (): void => {};

  constructor(clock: Clock, onEnd: (why: string) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  start(ms: number | undefined, why: string): void {
    if (ms === undefined) return;
    this.#started = { ms, why };
    this.restart();
  }

  restart(): void {
    if (this.#started === undefined) return;
    const { ms, why } = this.#started;
    this.#cancel();
    this.#cancel = this.#clock.after(ms, () => this.#onEnd(why));
  }

  cancel(): void {
    this.#cancel();
    this.#started = undefined;
  }
}
