import type * as ports from '@hexagent/ports';
import type { StoredMessage, StoredSession } from '@hexagent/ports';
import type { Official } from './mutable.ts';

/** Which transcript: a session's own, or with `subpath` one of its subagents'. */
export type SessionKey = Official<ports.SessionKey>;

/** One line of a transcript. */
export type SessionStoreEntry = { type: string; uuid?: string; timestamp?: string; [k: string]: unknown };

/** When a store is given what the agent wrote: together before a result, or each part at once. */
export type SessionStoreFlush = 'batched' | 'eager';

/** What a store keeps to list sessions without reading them. */
export type SessionSummaryEntry = { sessionId: string; mtime: number; data: Record<string, unknown> };

/** A place for transcripts besides the CLI's own folder. What each method promises: see `SessionStore` of `@hexagent/ports`. */
export type SessionStore = {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions?(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  delete?(key: SessionKey): Promise<void>;
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
};

/** A store that keeps transcripts for as long as the program runs, with what tests need to inspect it. */
export type InMemorySessionStore = Required<SessionStore> & {
  /** The entries of a transcript; none if it was never written. */
  getEntries(key: SessionKey): SessionStoreEntry[];
  /** How many sessions have their own transcript. */
  readonly size: number;
  /** Forgets everything. */
  clear(): void;
};

/** The facts about a stored session that can be read without its messages. */
export type SDKSessionInfo = Official<StoredSession>;

/** A message of a stored session. */
export type SessionMessage = Official<StoredMessage, {}, SessionMessageField>;

type SessionMessageField = 'type' | 'uuid' | 'session_id' | 'message' | 'parent_tool_use_id' | 'parent_agent_id';

/** Where sessions are stored: in the CLI's folder for `dir`, or in a store. */
export type SessionMutationOptions = { dir?: string; sessionStore?: SessionStore };

export type GetSessionInfoOptions = { dir?: string; sessionStore?: SessionStore };

export type ListSubagentsOptions = { dir?: string; sessionStore?: SessionStore };

export type ListSessionsOptions = {
  dir?: string;
  limit?: number;
  offset?: number;
  includeWorktrees?: boolean;
  includeProgrammatic?: boolean;
  sessionStore?: SessionStore;
};

export type GetSessionMessagesOptions = {
  dir?: string;
  limit?: number;
  offset?: number;
  includeSystemMessages?: boolean;
  sessionStore?: SessionStore;
};

export type GetSubagentMessagesOptions = { dir?: string; limit?: number; offset?: number; sessionStore?: SessionStore };

export type ForkSessionOptions = SessionMutationOptions & {
  /** The last message that the copy has. */
  upToMessageId?: string;
  title?: string;
};

export type ForkSessionResult = { sessionId: string };

export type ImportSessionToStoreOptions = { dir?: string; includeSubagents?: boolean; batchSize?: number };
