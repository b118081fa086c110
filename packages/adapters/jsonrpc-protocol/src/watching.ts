import type { ObservedEvent, Observer } from '@hexagent/ports';

/** An observer that may be absent and may throw: neither reaches the wire. */
export class Watching {
  readonly #observer: Observer | undefined;

  constructor(observer: Observer | undefined) {
    this.#observer = observer;
  }

  /** Whether anyone listens. Where events are many, ask first: an event nobody sees need not be built. */
  get active(): boolean {
    return this.#observer !== undefined;
  }

  tell(event: ObservedEvent): void {
    try {
      this.#observer?.observe(event);
    } catch {
      // What an observer throws is its own affair, and there is nobody else to tell.
    }
  }
}
