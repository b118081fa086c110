/** Which transcript is meant: a session's own, or with `subpath` one that belongs to it. */
export interface SessionKey {
  /** Whose sessions these are: the folder that the agent works in, as the agent spells it in names of folders. */
  readonly projectKey: string;
  readonly sessionId: string;
  /** Such as `subagents/agent-1`, to be taken as it is. Left out for the session's own transcript, and never empty. */
  readonly subpath?: string;
}

/** One line of a transcript, as the agent wrote it. Nothing in it is promised but its type. */
export interface SessionStoreEntry {
  readonly type: string;
  /** Names the entry. Titles, tags and other bookkeeping have none. */
  readonly uuid?: string;
  /** When the agent wrote it, in the form of ISO 8601. */
  readonly timestamp?: string;
  readonly [field: string]: unknown;
}

/** A summary of a session that a store returns without reading its entries: made by `foldSessionSummary` of what is appended. */
export interface SessionSummaryEntry {
  readonly sessionId: string;
  /** When the store last wrote the session, by the clock of `listSessions`. */
  readonly mtime: number;
  /** Stored and returned as it is. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ListedSession {
  readonly sessionId: string;
  /** When it was last written: whole milliseconds since 1970, by the clock of the store. */
  readonly mtime: number;
}

/**
 * A place for transcripts of one's own: a database, an object store. The official type, so that stores written for the
 * official package fit, and the other way round.
 *
 * Who calls: while an agent runs, `append()` is called with what the agent has just stored itself, before a program
 * receives the result of a turn. To resume a session, `load()` and `listSubkeys()` are called before an agent is
 * started. Functions over stored sessions call what they need. Calls for one session come one after another from one
 * conversation; several conversations and processes may write to one store at once.
 *
 * Nothing is ever deleted unless a program asks for it.
 */
export interface SessionStore {
  /**
   * Adds entries at the end of a transcript, in this order. Called with what was appended before where a call failed or
   * a session is imported again: an entry whose `uuid` the transcript has is left out, one without a `uuid` is added.
   * The entries are in the store, for every reader, once the promise has resolved.
   *
   * When it throws or rejects, the entries count as not stored. It is called again with the same
   * entries, twice at most; after that the entries are given up and the program receives `mirror_error`. The agent works
   * on. A call that has not settled within a minute is given up at once, since it may still succeed. Where it rejects
   * with an `SdkError` of the code `LEASE_LOST`, it is not called again, and the agent is ended.
   */
  append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void>;
  /**
   * All entries of a transcript, in the order in which they were appended, each equal to what was appended; the order of
   * their fields may change. `null` for one that was never written. What it throws, or rejects with, is the caller's
   * error: no session is taken for empty because a store failed.
   */
  load(key: SessionKey): Promise<readonly SessionStoreEntry[] | null>;
  /** The sessions of a project, in any order. A transcript with a `subpath` is none. Without it nothing can be listed or continued. */
  listSessions?(projectKey: string): Promise<readonly ListedSession[]>;
  /** What `foldSessionSummary` made of each session of a project. Without it each session is loaded to be listed. */
  listSessionSummaries?(projectKey: string): Promise<readonly SessionSummaryEntry[]>;
  /**
   * Deletes a transcript; without a `subpath` everything that belongs to the session. What does not exist is no error.
   * Without it nothing is ever deleted.
   */
  delete?(key: SessionKey): Promise<void>;
  /** The subpaths of a session's transcripts, in any order. Without it a resumed session has lost its subagents. */
  listSubkeys?(key: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<readonly string[]>;
}

/**
 * Makes the store of one session for each lease, where several processes may drive it. Of a session no line is stored under a lower
 * fence than one that was seen, and none deleted: `append()` and `delete()` reject with `LEASE_LOST` then, whichever transcript is
 * meant. A fence is seen by the first call of these, and of `load()`: what an agent resumes from is not added to by the agent before
 * it. Reading is open to all. Without a fence nothing is refused: that is for a caller who reads, renames or deletes.
 */
export type TranscriptsOf = (lease: {
  /** The application's id of the session. */
  readonly session: string;
  readonly fence?: number | undefined;
}) => SessionStore;
