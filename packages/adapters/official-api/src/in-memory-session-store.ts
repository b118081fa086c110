import { notYet } from './not-yet.ts';
import type { SessionKey, SessionStore, SessionStoreEntry, SessionSummaryEntry } from './types/session-store.ts';

/** Not supported yet: making one throws `NOT_SUPPORTED_YET`, because no option takes a store. */
export class InMemorySessionStore implements SessionStore {
  declare append: (key: SessionKey, entries: SessionStoreEntry[]) => Promise<void>;
  declare load: (key: SessionKey) => Promise<SessionStoreEntry[] | null>;
  declare listSessions: (projectKey: string) => Promise<Array<{ sessionId: string; mtime: number }>>;
  declare listSessionSummaries: (projectKey: string) => Promise<SessionSummaryEntry[]>;
  declare delete: (key: SessionKey) => Promise<void>;
  declare listSubkeys: (key: { projectKey: string; sessionId: string }) => Promise<string[]>;
  declare getEntries: (key: SessionKey) => SessionStoreEntry[];
  declare readonly size: number;
  declare clear: () => void;

  constructor() {
    throw notYet('`InMemorySessionStore`');
  }
}
