import type { SessionEvent, SessionFact } from './session-facts.ts';

/**
 * Where reading begins.
 * - `now`: with the next fact.
 * - `turn`: with the first fact since nothing was open: no unfinished message, no turn, no question to a person, and nothing held. A
 *   fold that begins there has what one has that read everything.
 * - `after`: behind the fact with this `seq`.
 */
export type LogPlace = 'now' | 'turn' | { readonly after: string };

/**
 * The facts of hosted sessions, for readers in any process. It is a transport of what is shown, and no history: what is behind the
 * current turn may be dropped at any time. Only who holds the lease of a session appends; anybody reads.
 */
export interface SessionLog {
  /**
   * Appends facts, in their order, and resolves with the `seq` of the last one when all can be read. A host awaits one call before
   * the next. Rejects with `LEASE_LOST` where the session was appended to under a higher fence; nothing is appended then.
   */
  append(session: string, facts: readonly SessionFact[], fence: number): Promise<string>;
  /**
   * Reads from the call on, also before the first `next()`, and ends when the signal aborts or the session is deleted. A reader never
   * delays what appends: `next()` rejects with `MESSAGES_DISCARDED` where what it would read next is not kept, as for a `seq` that the
   * log does not have. Such a reader begins again with `turn`.
   */
  read(session: string, from: LogPlace, signal?: AbortSignal): AsyncIterable<SessionEvent>;
  /** Forgets the facts of a session, and ends its readers. Rejects with `LEASE_LOST` as `append()` does. */
  delete(session: string, fence: number): Promise<void>;
}
