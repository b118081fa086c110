/* Keeps the transcripts of sessions in a file of SQLite. Needs Node 22.13 or later, which has SQLite. */
import { DatabaseSync } from 'node:sqlite';
import {
  foldSessionSummary,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
  type SessionSummaryEntry,
} from '@hexagent/sdk/claude-agent-sdk';

/** The own transcript of a session has no subpath, and a key of a table is never null. */
const own = '';

const tables = `
  create table if not exists entries (
    place integer primary key,
    project text not null, session text not null, subpath text not null,
    uuid text, entry text not null
  );
  create unique index if not exists entry_once on entries (project, session, subpath, uuid) where uuid is not null;
  create index if not exists by_transcript on entries (project, session, subpath, place);
  create table if not exists sessions (
    project text not null, session text not null,
    written integer not null, summary text not null,
    primary key (project, session)
  );
`;

/**
 * A store in a file, or in memory for `:memory:`. SQLite answers at once, so each method is done when it returns. Several
 * processes may use one file: what is written together is one transaction, and the second waits for the first.
 */
export class SqliteSessionStore implements SessionStore, Disposable {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec('pragma busy_timeout = 10000');
    this.#database.exec('pragma journal_mode = wal');
    this.#database.exec(tables);
  }

  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const { projectKey, sessionId, subpath = own } = key;
    this.#atOnce(() => {
      // The index refuses a uuid that the transcript has.
      const insert = this.#database.prepare(
        'insert or ignore into entries (project, session, subpath, uuid, entry) values (?, ?, ?, ?, ?)',
      );
      const added = entries.filter((entry) => {
        const values = [projectKey, sessionId, subpath, entry.uuid ?? null, JSON.stringify(entry)];
        return insert.run(...values).changes > 0;
      });
      if (subpath === own) this.#summarise(key, added);
    });
  }

  async load({ projectKey, sessionId, subpath = own }: SessionKey): Promise<SessionStoreEntry[] | null> {
    const rows = this.#database
      .prepare('select entry from entries where project = ? and session = ? and subpath = ? order by place')
      .all(projectKey, sessionId, subpath);
    return rows.length === 0 ? null : rows.map(({ entry }) => JSON.parse(String(entry)));
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const rows = this.#database.prepare('select session, written from sessions where project = ?').all(projectKey);
    return rows.map(({ session, written }) => ({ sessionId: String(session), mtime: Number(written) }));
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    const rows = this.#database.prepare('select summary from sessions where project = ?').all(projectKey);
    return rows.map(({ summary }) => JSON.parse(String(summary)));
  }

  async listSubkeys({ projectKey, sessionId }: { projectKey: string; sessionId: string }): Promise<string[]> {
    const rows = this.#database
      .prepare('select distinct subpath from entries where project = ? and session = ? and subpath <> ?')
      .all(projectKey, sessionId, own);
    return rows.map(({ subpath }) => String(subpath));
  }

  async delete({ projectKey, sessionId, subpath }: SessionKey): Promise<void> {
    this.#atOnce(() => {
      if (subpath !== undefined) {
        const one = 'delete from entries where project = ? and session = ? and subpath = ?';
        this.#database.prepare(one).run(projectKey, sessionId, subpath);
        return;
      }
      for (const table of ['entries', 'sessions'])
        this.#database.prepare(`delete from ${table} where project = ? and session = ?`).run(projectKey, sessionId);
    });
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #summarise(key: SessionKey, added: SessionStoreEntry[]): void {
    const { projectKey, sessionId } = key;
    const row = this.#database
      .prepare('select summary from sessions where project = ? and session = ?')
      .get(projectKey, sessionId);
    const previous: SessionSummaryEntry | undefined = row && JSON.parse(String(row['summary']));
    const mtime = Date.now();
    const summary = foldSessionSummary(previous, key, added, { mtime });
    this.#database
      .prepare('insert or replace into sessions (project, session, written, summary) values (?, ?, ?, ?)')
      .run(projectKey, sessionId, mtime, JSON.stringify(summary));
  }

  /** All of it is stored, or nothing. It takes the file for itself at the beginning, so that it reads nothing old. */
  #atOnce(act: () => void): void {
    this.#database.exec('begin immediate');
    try {
      act();
      this.#database.exec('commit');
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }
}
