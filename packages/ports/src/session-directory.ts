import type { SessionFacts } from './hosted-sessions.ts';

/** What is stored of a session beside its transcript. */
export interface SessionRecord {
  /** The application's id. */
  readonly id: string;
  /** The agent's id, a uuid. */
  readonly sessionId: string;
  /** Whose session it is. */
  readonly tenant?: string | undefined;
  /**
   * Whether the agent has stored anything of it, and so can resume it: `perhaps` once an agent may have been given its
   * first message, `yes` once one has finished a message.
   */
  readonly begun: 'no' | 'perhaps' | 'yes';
  /** When it was made and last written: milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What the application stored with it. */
  readonly facts: SessionFacts;
}

/**
 * Which sessions there are: the application's ids and what is needed to continue with each. Durable: what `put()` resolved
 * for is there after a kill -9. Only who holds the lease of a session writes it; anybody reads.
 */
export interface SessionDirectory {
  /** `undefined` for an id that is not there. */
  get(id: string): Promise<SessionRecord | undefined>;
  /**
   * Adds a record, or replaces that of the same id.
   * @throws {SdkError} `LEASE_LOST` where the session was written or deleted under a higher `fence`; nothing is stored then.
   */
  put(record: SessionRecord, fence: number): Promise<void>;
  /** All records, or those of one tenant, in any order. */
  list(query?: { readonly tenant?: string | undefined }): Promise<readonly SessionRecord[]>;
  /**
   * Takes a record away. What is not there is no error.
   * @throws {SdkError} `LEASE_LOST` as `put()` does.
   */
  delete(id: string, fence: number): Promise<void>;
}
