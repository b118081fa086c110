import type { SessionDirectory, SessionQuery, SessionRecord } from '@hexagent/ports';
import type { Database, Value } from './database.ts';
import { fenced, leaseLost } from './fenced.ts';
import { parsed, stored } from './texts.ts';
import { Together } from './together.ts';

/** The list of sessions, in PostgreSQL. */
export class PostgresDirectory implements SessionDirectory {
  readonly #database: Database;
  readonly #gets: Together<string, SessionRecord>;

  constructor(database: Database) {
    this.#database = database;
    this.#gets = new Together(async (ids) => {
      const found = new Map((await this.list({ ids })).map((record) => [record.id, record]));
      return ids.map((id) => found.get(id));
    });
  }

  async get(id: string): Promise<SessionRecord | undefined> {
    return await this.#gets.call(id);
  }

  async put(record: SessionRecord, fence: number): Promise<void> {
    const { id, tenant, updatedAt } = record;
    const { quoted } = this.#database;
    const statement = `with ${fenced(quoted)}
      insert into ${quoted}.directory (id, tenant, updated_at, record) select $1, $3, $4::float8, $5 from fenced
      on conflict (id) do update
      set tenant = excluded.tenant, updated_at = excluded.updated_at, record = excluded.record
      returning true`;
    const storedTenant = tenant === undefined ? null : stored(tenant);
    const values = [stored(id), fence, storedTenant, updatedAt, JSON.stringify(record)];
    if ((await this.#database.query(statement, values)).length === 0) throw leaseLost(id, fence);
  }

  async list({ tenant, ids, limit, before }: SessionQuery = {}): Promise<readonly SessionRecord[]> {
    const values: Value[] = [];
    const conditions: string[] = [];
    const parameter = (value: Value): string => `$${values.push(value)}`;
    if (tenant !== undefined) conditions.push(`tenant = ${parameter(stored(tenant))}`);
    if (ids !== undefined) conditions.push(`id = any(${parameter(ids.map(stored))}::text[])`);
    if (before !== undefined) {
      const [time, id] = [`${parameter(before.updatedAt)}::float8`, parameter(stored(before.id))];
      conditions.push(`updated_at <= ${time} and (updated_at < ${time} or id > ${id})`);
    }
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    const bound = limit === undefined ? '' : `limit ${parameter(limit)}`;
    const statement = `select record from ${this.#database.quoted}.directory ${where} order by updated_at desc, id ${bound}`;
    return await this.#records(statement, values);
  }

  async delete(id: string, fence: number): Promise<void> {
    const { quoted } = this.#database;
    const statement = `with ${fenced(quoted)}, gone as (delete from ${quoted}.directory using fenced where directory.id = $1)
      select from fenced`;
    if ((await this.#database.query(statement, [stored(id), fence])).length === 0) throw leaseLost(id, fence);
  }

  async #records(statement: string, values: readonly Value[]): Promise<readonly SessionRecord[]> {
    const rows = await this.#database.query<{ record: string }>(statement, values);
    return rows.map(({ record }) => parsed(record));
  }
}
