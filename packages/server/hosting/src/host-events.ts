import { notify } from '@hexagent/async';
import type { AgentMessage, OutboxState, TurnOutcome } from '@hexagent/ports';
import type { SessionState } from './session-state.ts';

/** What happens in a hosted session. */
export type HostEvent =
  | { readonly kind: 'state'; readonly state: SessionState }
  /** The state of a message of the program has changed. */
  | { readonly kind: 'outbox'; readonly uuid: string; readonly state: OutboxState }
  /** What the agent sent; `turn` is `undefined` for what belongs to none. */
  | { readonly kind: 'message'; readonly turn: string | undefined; readonly message: AgentMessage }
  /** `turn` is the uuid of the message that began it; an unsolicited turn has one of its own. */
  | { readonly kind: 'turn_started'; readonly turn: string; readonly isUnsolicited: boolean }
  | { readonly kind: 'turn_ended'; readonly turn: string; readonly outcome: TurnOutcome }
  /** The agent died before the turn ended, or was ended. */
  | { readonly kind: 'turn_cut'; readonly turn: string; readonly error: unknown }
  /** The agent ended by itself. It is started again after `restartsInMs`; with `undefined` only on request. */
  | { readonly kind: 'crashed'; readonly error: unknown; readonly restartsInMs: number | undefined };

/** Called with each event of a session, in order. What it throws is caught, and delays no other listener. */
export type HostListener = (event: HostEvent) => void;

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

  emit(session: string, event: HostEvent): void {
    for (const listener of this.#listeners.get(session) ?? []) notify(() => listener(event));
  }
}
