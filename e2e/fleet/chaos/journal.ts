import type { Pool } from 'pg';

/** What the database stored, and when, by its clock. */
export interface JournalLine {
  readonly at: number;
  readonly session: string;
  /** Of a message, or `null` for a lease. */
  readonly uuid: string | null;
  readonly state: string | null;
  readonly fence: number | null;
}

/** Has the database write down each state of a message, and each lease, in the transaction that stores it. */
export async function keepJournal(pool: Pool, schema: string): Promise<void> {
  const s = `"${schema}"`;
  await pool.query(`create table ${s}.journal (
      number bigint generated always as identity primary key, at float8 not null default extract(epoch from clock_timestamp()) * 1000,
      session text not null, uuid text, state text, fence bigint);
    create function ${s}.of_message() returns trigger language plpgsql as $$ begin
      insert into ${s}.journal (session, uuid, state) values (new.session, new.uuid, new.state); return null; end $$;
    create function ${s}.of_lease() returns trigger language plpgsql as $$ begin
      insert into ${s}.journal (session, fence) values (new.id, new.fence); return null; end $$;
    create trigger journal after insert or update of state on ${s}.messages for each row execute function ${s}.of_message();
    create trigger taken after insert on ${s}.sessions for each row when (new.worker is not null) execute function ${s}.of_lease();
    create trigger retaken after update of worker on ${s}.sessions for each row
      when (new.worker is not null and new.fence is distinct from old.fence) execute function ${s}.of_lease();`);
}

export async function readJournal(pool: Pool, schema: string): Promise<readonly JournalLine[]> {
  const { rows } = await pool.query<{
    at: number;
    session: string;
    uuid: string | null;
    state: string | null;
    fence: string | null;
  }>(`select at, session, uuid, state, fence from "${schema}".journal order by number`);
  return rows.map((row) => ({ ...row, fence: row.fence === null ? null : Number(row.fence) }));
}

/** What was confirmed, and is not on the replica that took the place of the database. */
export interface Loss {
  /** When the replica was there, by the monotonic clock. */
  readonly at: number;
  readonly journal: readonly JournalLine[];
  readonly audit: readonly string[];
}

/** Keeps what is stored as it is, until the database is stopped, and reads it: what is confirmed is all in there. */
export async function freezeJournal(pool: Pool, schema: string): Promise<Omit<Loss, 'at'>> {
  const client = await pool.connect();
  // It breaks when the database is stopped.
  client.on('error', () => {}).once('end', () => client.release(true));
  await client.query(
    `begin; lock table "${schema}".messages, "${schema}".sessions, "${schema}".audit in exclusive mode`,
  );
  return { journal: await readJournal(pool, schema), audit: await readAudit(pool, schema) };
}

/** What of that the replica lacks. */
export async function readLoss(pool: Pool, schema: string, before: Omit<Loss, 'at'>, at: number): Promise<Loss> {
  const kept = new Set((await readJournal(pool, schema)).map((line) => JSON.stringify(line)));
  const audit = new Set(await readAudit(pool, schema));
  return {
    at,
    journal: before.journal.filter((line) => !kept.has(JSON.stringify(line))),
    audit: before.audit.filter((entry) => !audit.has(entry)),
  };
}

/** The states of all messages, by their uuids. */
export async function readStates(pool: Pool, schema: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ uuid: string; state: string }>(`select uuid, state from "${schema}".messages`);
  return new Map(rows.map(({ uuid, state }) => [uuid, state]));
}

/** What agents wrote to each transcript, in its order. */
export async function readTranscripts(
  pool: Pool,
  schema: string,
): Promise<readonly { readonly session: string; readonly entry: string }[]> {
  const statement = `select t.session, e.entry from "${schema}".entries e join "${schema}".transcripts t on t.id = e.transcript order by e.number`;
  return (await pool.query<{ session: string; entry: string }>(statement)).rows;
}

/** How often each approval was settled, by the audit. */
export async function readAudit(pool: Pool, schema: string): Promise<readonly string[]> {
  return (await pool.query<{ entry: string }>(`select entry from "${schema}".audit`)).rows.map(({ entry }) => entry);
}
