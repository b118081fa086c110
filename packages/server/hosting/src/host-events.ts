import { notify } from '@hexagent/async';
import type { SessionEvent, SessionFact } from '@hexagent/ports';

/** Called with each event of a session, in order. What it throws is caught, and delays no other listener. */
export type HostListener = (event: SessionEvent) => void;

/** The listeners of each session. */
export class HostListeners {
  readonly #listeners = new Map<string, Set<HostListener>>();
  readonly #epoch: string;
  #count = 0;

  /** `startedAt` is the time of day: what an earlier process counted is smaller. */
  constructor(startedAt: number) {
    this.#epoch = digits(startedAt);
  }

  /** Returns a function that removes the listener. */
  add(session: string, listener: HostListener): () => void {
    const all = this.#listeners.get(session) ?? new Set();
    // The same function may be given twice, and each is ended by itself.
    const own: HostListener = (event) => listener(event);
    all.add(own);
    this.#listeners.set(session, all);
    return () => {
      all.delete(own);
      if (all.size === 0 && this.#listeners.get(session) === all) this.#listeners.delete(session);
    };
  }

  emit(session: string, fact: SessionFact): void {
    this.#count += 1;
    const listeners = this.#listeners.get(session);
    if (listeners === undefined) return;
    const event = { ...fact, seq: `${this.#epoch}${digits(this.#count)}` };
    for (const listener of listeners) notify(() => listener(event));
  }
}

/** Compared as texts, these are in the order of the numbers. */
function digits(number: number): string {
  return Math.floor(number).toString(36).padStart(11, '0');
}
