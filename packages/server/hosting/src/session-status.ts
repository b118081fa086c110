import type { SessionFact, SessionState } from '@hexagent/ports';
import { isOpen, nextSessionState, type SessionChange } from './session-state.ts';

/** Where a session stands. Each change is reported once. */
export class SessionStatus {
  readonly #emit: (fact: SessionFact) => void;
  #state: SessionState = 'parked';
  #isHeld = false;

  constructor(emit: (fact: SessionFact) => void) {
    this.#emit = emit;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Whether an agent is there to be given messages. */
  get isOpen(): boolean {
    return isOpen(this.#state);
  }

  apply(change: SessionChange): void {
    const before = this.#state;
    this.#state = nextSessionState(before, change);
    if (this.#state !== before) this.#emit({ kind: 'state', state: this.#state });
  }

  /** Whether what is unfinished waits until the program continues the session. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#emit({ kind: 'held', isHeld });
  }
}
