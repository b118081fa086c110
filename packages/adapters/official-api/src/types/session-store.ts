/** Which transcript: a session's own, or with `subpath` one of its subagents'. */
export type SessionKey = { projectKey: string; sessionId: string; subpath?: string };

/** One line of a transcript. */
export type SessionStoreEntry = { type: string; uuid?: string; timestamp?: string; [k: string]: unknown };

export type SessionStoreFlush = 'batched' | 'eager';

/** What a store keeps to list sessions without reading them. */
export type SessionSummaryEntry = { sessionId: string; mtime: number; data: Record<string, unknown> };

/** A place for transcripts besides the CLI's own folder. */
export type SessionStore = {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions?(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  delete?(key: SessionKey): Promise<void>;
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
};
