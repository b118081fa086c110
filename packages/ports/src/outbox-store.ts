import type { UserInput } from './vocabulary/user-input.ts';

/**
 * Where a message of a program stands.
 * - `queued`: it is stored. No agent was given it.
 * - `sent`: an agent may have been given it.
 * - `started`: an agent began with it.
 * - `completed`: an agent has finished it, with any outcome.
 * - `cancelled`: it will not be run, or not be run again.
 */
export type OutboxState = 'queued' | 'sent' | 'started' | 'completed' | 'cancelled';

/** An unfinished message of a session. */
export interface OutboxEntry {
  /** The application's id of the session. */
  readonly session: string;
  /** Names the message; the agent runs no uuid twice. */
  readonly uuid: string;
  /** What is sent, plain JSON. */
  readonly input: Omit<UserInput, 'uuid'>;
  readonly state: 'queued' | 'sent' | 'started';
  /** The place of the message in its session: 1 for the first one, and 1 more for each that is stored behind it. */
  readonly number: number;
}

/** A message that is to be stored. */
export type OutboxMessage = Omit<OutboxEntry, 'state' | 'number'>;

export type OutboxAnswer =
  | { readonly kind: 'accepted'; readonly number: number }
  /** The session has a message of this uuid. Nothing was stored. */
  | { readonly kind: 'duplicate'; readonly state: OutboxState };

/**
 * The messages that a program was promised will be run. Durable: what a call has resolved for is there after a kill -9,
 * and what it has not resolved for is there whole or not at all. Any process stores messages and reads; only the holder of the
 * lease of a session moves its messages on.
 *
 * `mark()` and `delete()` take the `fence` of the lease, and reject with `LEASE_LOST` where one of them was called for the session
 * under a higher one; nothing is stored then.
 */
export interface OutboxStore {
  /**
   * Stores a message as `queued`, unless the session had one of this uuid. Of the finished messages of a session, at least the last 1000
   * are recognized, or as many as an option of the store says.
   */
  enqueue(message: OutboxMessage): Promise<OutboxAnswer>;
  /**
   * Moves a message on. States only go forward, in the order in which `OutboxState` lists them; `completed` and
   * `cancelled` are final. What would go back, or names no message, changes nothing and is no error.
   */
  mark(message: { readonly session: string; readonly uuid: string }, state: OutboxState, fence: number): Promise<void>;
  /** `undefined` for a uuid that the session never had, or that is not kept any more. */
  stateOf(message: { readonly session: string; readonly uuid: string }): Promise<OutboxState | undefined>;
  /** The unfinished messages of a session, in the order in which they were stored. */
  pending(session: string): Promise<readonly OutboxEntry[]>;
  /**
   * The sessions that have anything pending, the longest waiting first, each once. A store that knows the leases may leave out those that
   * a living process holds, other than the worker with this owner: by it a host finds what came for the sessions that it drives.
   */
  claimable(owner?: string): AsyncIterable<string>;
  /** Forgets a session, the uuids of its messages included. Its numbers may begin again. */
  delete(session: string, fence: number): Promise<void>;
}
