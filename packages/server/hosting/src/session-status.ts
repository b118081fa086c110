import type { SessionState } from '@hexagent/ports';
import type { FactWriter } from './fact-writer.ts';
import { isOpen, nextSessionState, type SessionChange } from './session-state.ts';

/** Where a session stands. Each change is reported once. */
export class SessionStatus {
  readonly #facts: Pick<FactWriter, 'add'>;
  #state: SessionState = 'parked';
  #isHeld = false;

  constructor(facts: Pick<FactWriter, 'add'>) {
    this.#facts = facts;
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
    if (this.#state !== before) this.#facts.add({ kind: 'state', state: this.#state });
  }

  /** Whether what is unfinished waits until the program continues the session. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#facts.add({ kind: 'held', isHeld });
  }
}
