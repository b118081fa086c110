import { notify } from '@hexagent/async';
import type { SessionFact } from '@hexagent/ports';

/** Called with each event of a session, in order. What it throws is caught, and delays no other listener. */
export type HostListener = (event: SessionFact) => void;

/** The listeners of each session. */
export class HostListeners {
  readonly #listeners = new Map<string, Set<HostListener>>();

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

  emit(session: string, event: SessionFact): void {
    for (const listener of this.#listeners.get(session) ?? []) notify(() => listener(event));
  }
}
