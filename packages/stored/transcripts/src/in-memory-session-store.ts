import { isRecord } from '@hexagent/checks';
import type { Clock, SessionKey, SessionStore, SessionStoreEntry, SessionSummaryEntry } from '@hexagent/ports';
import { foldSessionSummary } from './fold-session-summary.ts';

interface StoredTranscript {
  readonly entries: SessionStoreEntry[];
  readonly uuids: Set<string>;
}

interface StoredSession {
  readonly projectKey: string;
  readonly sessionId: string;
  /** By subpath; the session's own transcript has none, and so the empty one. */
  readonly transcripts: Map<string, StoredTranscript>;
  summary: SessionSummaryEntry | undefined;
}

const own = '';

/** Keeps transcripts for as long as the program runs: for tests, and to try something out. */
export class InMemorySessionStore implements SessionStore {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #sessions = new Map<string, StoredSession>();
  #lastWrite = 0;

  /** `clock` returns the time for what is written. Default: the clock of the system. */
  constructor({ clock = Date }: { readonly clock?: Pick<Clock, 'now'> | undefined } = {}) {
    this.#clock = clock;
  }

  async append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void> {
    if (!Array.isArray(entries)) throw new TypeError('`entries` must be a list.');
    const session = this.#sessions.get(nameOf(key)) ?? { ...key, transcripts: new Map(), summary: undefined };
    const subpath = key.subpath ?? own;
    const { entries: stored, uuids } = session.transcripts.get(subpath) ?? { entries: [], uuids: new Set() };
    // A copy, so that nothing is stored of a call that fails, and callers cannot change what is stored.
    const added = structuredClone(entries).filter((entry) => isNew(uuids, entry));
    for (const entry of added) stored.push(entry);
    session.transcripts.set(subpath, { entries: stored, uuids });
    this.#sessions.set(nameOf(key), session);
    if (subpath === own)
      session.summary = foldSessionSummary(session.summary, key, added, { mtime: this.#writeTime() });
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const stored = this.#entriesOf(key);
    return stored === undefined ? null : structuredClone(stored);
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    return this.#summariesOf(projectKey).map(({ sessionId, mtime }) => ({ sessionId, mtime }));
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return structuredClone(this.#summariesOf(projectKey));
  }

  async delete(key: SessionKey): Promise<void> {
    const { subpath = own } = key;
    if (subpath === own) this.#sessions.delete(nameOf(key));
    else this.#sessions.get(nameOf(key))?.transcripts.delete(subpath);
  }

  async listSubkeys(key: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<string[]> {
    const subpaths = this.#sessions.get(nameOf(key))?.transcripts.keys() ?? [];
    return [...subpaths].filter((subpath) => subpath !== own);
  }

  /** For tests: the entries of a transcript; none if it was never written. */
  getEntries(key: SessionKey): SessionStoreEntry[] {
    return structuredClone(this.#entriesOf(key) ?? []);
  }

  /** For tests: how many sessions have a transcript of their own. */
  get size(): number {
    return [...this.#sessions.values()].filter(({ summary }) => summary !== undefined).length;
  }

  /** For tests: deletes everything. */
  clear(): void {
    this.#sessions.clear();
  }

  #entriesOf(key: SessionKey): SessionStoreEntry[] | undefined {
    return this.#sessions.get(nameOf(key))?.transcripts.get(key.subpath ?? own)?.entries;
  }

  #summariesOf(projectKey: string): SessionSummaryEntry[] {
    return [...this.#sessions.values()].flatMap(({ projectKey: project, summary }) =>
      project === projectKey && summary !== undefined ? [summary] : [],
    );
  }

  /** Grows with each write, so that the order of writes can be read from it. */
  #writeTime(): number {
    this.#lastWrite = Math.max(Math.floor(this.#clock.now()), this.#lastWrite + 1);
    return this.#lastWrite;
  }
}

/** Two keys never have one name, whatever is in them. */
function nameOf({ projectKey, sessionId }: Pick<SessionKey, 'projectKey' | 'sessionId'>): string {
  return JSON.stringify([projectKey, sessionId]);
}

function isNew(uuids: Set<string>, entry: unknown): boolean {
  // What a store is given comes from files: an entry that is not an object has no uuid, and is an entry all the same.
  const uuid = isRecord(entry) ? entry['uuid'] : undefined;
  if (typeof uuid !== 'string') return true;
  const isKnown = uuids.has(uuid);
  uuids.add(uuid);
  return !isKnown;
}
