import type { ListedSession, SessionKey, SessionStore, SessionStoreEntry, TranscriptsOf } from '@hexagent/ports';
import type { Database, Value } from './database.ts';
import { fenced, leaseLost, unfenced } from './fenced.ts';
import { parsed, restored, stored } from './texts.ts';

/** The transcripts of one lease, in PostgreSQL: what is written under an older lease of its session is refused. */
export class PostgresTranscripts implements Required<Omit<SessionStore, 'listSessionSummaries'>> {
  readonly #database: Database;
  readonly #lease: Parameters<TranscriptsOf>[0];
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(database: Database, lease: Parameters<TranscriptsOf>[0]) {
    this.#database = database;
    this.#lease = lease;
    const { quoted } = database;
    this.#statements = statementsOf(quoted, lease.fence === undefined ? unfenced : fenced(quoted));
  }

  async append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void> {
    const uuids = entries.map(({ uuid }) => (uuid === undefined ? null : stored(uuid)));
    const texts = entries.map((entry) => JSON.stringify(entry));
    await this.#write(this.#statements.append, [...columnsOf(key), uuids, texts]);
  }

  async load(key: SessionKey): Promise<readonly SessionStoreEntry[] | null> {
    // A statement of its own: it waits for what an older lease appends, which the next one then finds. What comes later is refused.
    const { session, fence } = this.#lease;
    if (fence !== undefined) await this.#database.query(this.#statements.see, [stored(session), fence]);
    const rows = await this.#database.query<{ entry: string }>(this.#statements.load, columnsOf(key));
    return rows.length === 0 ? null : rows.map(({ entry }) => parsed(entry));
  }

  async listSessions(projectKey: string): Promise<readonly ListedSession[]> {
    const rows = await this.#database.query<{ session: string; mtime: string }>(this.#statements.sessions, [
      stored(projectKey),
    ]);
    return rows.map(({ session, mtime }) => ({ sessionId: restored(session), mtime: Number(mtime) }));
  }

  async listSubkeys({
    projectKey,
    sessionId,
  }: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<readonly string[]> {
    const names = [stored(projectKey), stored(sessionId)];
    const rows = await this.#database.query<{ subpath: string }>(this.#statements.subpaths, names);
    return rows.map(({ subpath }) => restored(subpath));
  }

  async delete(key: SessionKey): Promise<void> {
    const [project, session, subpath] = columnsOf(key);
    await this.#write(this.#statements.delete, [project, session, key.subpath === undefined ? null : subpath]);
  }

  async #write(statement: string, values: readonly Value[]): Promise<void> {
    const { session, fence = 0 } = this.#lease;
    const rows = await this.#database.query(statement, [stored(session), fence, ...values]);
    if (rows.length === 0) throw leaseLost(session, fence);
  }
}

/** A session's own transcript has an empty subpath, which no other one has. */
const columnsOf = ({ projectKey, sessionId, subpath = '' }: SessionKey): readonly [string, string, string] => [
  stored(projectKey),
  stored(sessionId),
  stored(subpath),
];

const statementsOf = (s: string, lease: string) =>
  ({
    // The row of the transcript is locked until its entries are stored: of calls at the same time one is behind the other.
    append: `with ${lease}, transcript as (
        insert into ${s}.transcripts (project, session, subpath, written_at)
        select $3, $4, $5, clock_timestamp() from fenced where cardinality($7::text[]) > 0
        on conflict (project, session, subpath) do update set written_at = excluded.written_at
        returning id
      ), added as (
        insert into ${s}.entries (transcript, uuid, entry)
        select transcript.id, given.uuid, given.entry
        from transcript, unnest($6::text[], $7::text[]) with ordinality as given (uuid, entry, place)
        order by given.place
        on conflict (transcript, uuid) where uuid is not null do nothing
      )
      select from fenced`,
    see: `with ${lease} select from fenced`,
    load: `select e.entry from ${s}.transcripts t join ${s}.entries e on e.transcript = t.id
      where t.project = $1 and t.session = $2 and t.subpath = $3 order by e.number`,
    sessions: `select session, floor(extract(epoch from written_at) * 1000) as mtime
      from ${s}.transcripts where project = $1 and subpath = ''`,
    subpaths: `select subpath from ${s}.transcripts where project = $1 and session = $2 and subpath <> ''`,
    delete: `with ${lease}, gone as (
        delete from ${s}.transcripts using fenced
        where project = $3 and session = $4 and ($5::text is null or subpath = $5)
      )
      select from fenced`,
  }) as const;
