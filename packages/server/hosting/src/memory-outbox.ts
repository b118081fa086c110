import type { OutboxAnswer, OutboxEntry, OutboxMessage, OutboxState, OutboxStore } from '@hexagent/ports';
import { Fences } from './fences.ts';

interface Kept {
  entry: OutboxEntry;
  /** Of all messages that were stored, the how many-th it is. */
  readonly place: number;
}

interface SessionMessages {
  /** The number of the last one. */
  last: number;
  /** In the order in which they were stored. */
  readonly pending: Map<string, Kept>;
  /** The state of finished messages, whose text is not kept. */
  readonly finished: Map<string, OutboxState>;
}

const order: readonly OutboxState[] = ['queued', 'sent', 'started', 'completed', 'cancelled'];

export interface MemoryOutboxOptions {
  /** How many uuids of finished messages are kept of each session. Default 1000. */
  readonly keepFinished?: number | undefined;
}

/** Keeps messages for as long as the program runs: for tests, and where a restart may lose them. */
export class MemoryOutbox implements OutboxStore {
  readonly #keepFinished: number;
  readonly #fences = new Fences();
  readonly #sessions = new Map<string, SessionMessages>();
  #stored = 0;

  constructor({ keepFinished = 1000 }: MemoryOutboxOptions = {}) {
    this.#keepFinished = keepFinished;
  }

  async enqueue({ session, uuid, input }: OutboxMessage): Promise<OutboxAnswer> {
    const state = this.#stateOf(session, uuid);
    if (state !== undefined) return { kind: 'duplicate', state };
    const messages = this.#sessions.get(session) ?? { last: 0, pending: new Map(), finished: new Map() };
    this.#sessions.set(session, messages);
    messages.last += 1;
    this.#stored += 1;
    const { last: number } = messages;
    // A copy, so that callers cannot change what is stored.
    const entry = { session, uuid, input: structuredClone(input), state: 'queued', number } as const;
    messages.pending.set(uuid, { entry, place: this.#stored });
    return { kind: 'accepted', number };
  }

  async mark(
    { session, uuid }: Pick<OutboxEntry, 'session' | 'uuid'>,
    state: OutboxState,
    fence: number,
  ): Promise<void> {
    this.#fences.pass(session, fence);
    const messages = this.#sessions.get(session);
    const kept = messages?.pending.get(uuid);
    if (messages === undefined || kept === undefined || order.indexOf(state) <= order.indexOf(kept.entry.state)) return;
    if (state !== 'completed' && state !== 'cancelled') {
      kept.entry = { ...kept.entry, state };
      return;
    }
    messages.pending.delete(uuid);
    messages.finished.set(uuid, state);
    const [oldest] = messages.finished.keys();
    if (messages.finished.size > this.#keepFinished && oldest !== undefined) messages.finished.delete(oldest);
  }

  async stateOf({ session, uuid }: Pick<OutboxEntry, 'session' | 'uuid'>): Promise<OutboxState | undefined> {
    return this.#stateOf(session, uuid);
  }

  async pending(session: string): Promise<readonly OutboxEntry[]> {
    return [...(this.#sessions.get(session)?.pending.values() ?? [])].map(({ entry }) => structuredClone(entry));
  }

  async *claimable(): AsyncIterable<string> {
    const waiting = [...this.#sessions].flatMap(([session, { pending }]) => {
      const [first] = pending.values();
      return first === undefined ? [] : [{ session, place: first.place }];
    });
    for (const { session } of waiting.toSorted((one, other) => one.place - other.place)) yield session;
  }

  async delete(session: string, fence: number): Promise<void> {
    this.#fences.pass(session, fence);
    this.#sessions.delete(session);
  }

  #stateOf(session: string, uuid: string): OutboxState | undefined {
    const messages = this.#sessions.get(session);
    return messages?.pending.get(uuid)?.entry.state ?? messages?.finished.get(uuid);
  }
}
