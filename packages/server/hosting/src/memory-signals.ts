import { notify } from '@hexagent/async';
import type { SessionSignal, SessionSignals } from '@hexagent/ports';

/** Signals among the hosts of one process that share this object. */
export class MemorySignals implements SessionSignals {
  readonly #listeners = new Set<{ readonly call: (signal: SessionSignal) => void }>();

  send(signal: SessionSignal): void {
    for (const { call } of [...this.#listeners]) notify(() => call(signal));
  }

  subscribe(listener: (signal: SessionSignal) => void): () => void {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }
}
