import type { OutboxAnswer, OutboxEntry, OutboxState, OutboxStore } from '@hexagent/ports';
import { Fences } from './fences.ts';

interface Kept {
  readonly message: Omit<OutboxEntry, 'state'>;
  state: OutboxState;
}

const order: readonly OutboxState[] = ['queued', 'sent', 'started', 'completed', 'cancelled'];

/** Whether a message may move from one state to the other. */
function movesOn(from: OutboxState, to: OutboxState): boolean {
  return !isFinal(from) && order.indexOf(to) > order.indexOf(from);
}

function isFinal(state: OutboxState): state is 'completed' | 'cancelled' {
  return state === 'completed' || state === 'cancelled';
}

/** Keeps messages for as long as the program runs: for tests, and where a restart may lose them. */
export class MemoryOutbox implements OutboxStore {
  readonly #fences = new Fences();
  readonly #sessions = new Map<string, Map<string, Kept>>();
  /** The state of finished messages, whose text is not kept. */
  readonly #done = new Map<string, Map<string, OutboxState>>();

  async enqueue({ session, uuid, input }: Omit<OutboxEntry, 'state'>, fence: number): Promise<OutboxAnswer> {
    this.#fences.pass(session, fence);
    const state = this.#stateOf(session, uuid);
    if (state !== undefined) return { kind: 'duplicate', state };
    // A copy, so that callers cannot change what is stored.
    within(this.#sessions, session).set(uuid, {
      message: { session, uuid, input: structuredClone(input) },
      state: 'queued',
    });
    return { kind: 'accepted' };
  }

  async mark(
    { session, uuid }: Pick<OutboxEntry, 'session' | 'uuid'>,
    state: OutboxState,
    fence: number,
  ): Promise<void> {
    this.#fences.pass(session, fence);
    const kept = this.#sessions.get(session)?.get(uuid);
    if (kept === undefined || !movesOn(kept.state, state)) return;
    kept.state = state;
    if (!isFinal(state)) return;
    this.#sessions.get(session)?.delete(uuid);
    within(this.#done, session).set(uuid, state);
  }

  async stateOf({ session, uuid }: Pick<OutboxEntry, 'session' | 'uuid'>): Promise<OutboxState | undefined> {
    return this.#stateOf(session, uuid);
  }

  async pending(session: string): Promise<readonly OutboxEntry[]> {
    return [...(this.#sessions.get(session)?.values() ?? [])].flatMap(({ message, state }) =>
      isFinal(state) ? [] : [{ ...structuredClone(message), state }],
    );
  }

  async unfinished(): Promise<readonly string[]> {
    return [...this.#sessions].filter(([, messages]) => messages.size > 0).map(([session]) => session);
  }

  async delete(session: string, fence: number): Promise<void> {
    this.#fences.pass(session, fence);
    this.#sessions.delete(session);
    this.#done.delete(session);
  }

  #stateOf(session: string, uuid: string): OutboxState | undefined {
    return this.#sessions.get(session)?.get(uuid)?.state ?? this.#done.get(session)?.get(uuid);
  }
}

function within<T>(all: Map<string, Map<string, T>>, session: string): Map<string, T> {
  const found = all.get(session) ?? new Map<string, T>();
  all.set(session, found);
  return found;
}
