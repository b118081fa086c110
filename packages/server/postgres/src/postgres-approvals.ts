import type {
  ApprovalAuditEntry,
  ApprovalFilter,
  ApprovalRecord,
  ApprovalStore,
  SettleOutcome,
  Settlement,
} from '@hexagent/ports';
import type { Database, Value } from './database.ts';
import { fenced, leaseLost, unfenced } from './fenced.ts';
import { parsed, stored } from './texts.ts';

interface Row {
  readonly record: string;
  readonly settlement: string | null;
}

const pageSize = 500;

/** What people were asked and what they answered, in PostgreSQL, with the audit. */
export class PostgresApprovals implements ApprovalStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(record: ApprovalRecord, fence?: number): Promise<void> {
    const { id, session, tool, state } = record;
    const { quoted } = this.#database;
    const statement = `with ${fence === undefined ? unfenced : fenced(quoted)}, added as (
        insert into ${quoted}.approvals (session, id, tool, state, record) select $1, $3, $4, $5, $6 from fenced
        on conflict (id) do nothing
        returning id
      )
      select exists (select from added) as added from fenced`;
    const values = [stored(session), fence ?? 0, stored(id), stored(tool), state, JSON.stringify(record)];
    const [row] = await this.#database.query<{ added: boolean }>(statement, values);
    if (row === undefined) throw leaseLost(session, fence ?? 0);
    if (!row.added) throw new TypeError(`There is an approval with the id ${id} already.`);
  }

  async get(id: string): Promise<ApprovalRecord | undefined> {
    const statement = `select record, settlement from ${this.#database.quoted}.approvals where id = $1`;
    return (await this.#records(statement, [stored(id)]))[0];
  }

  async list({ session, state, tool }: ApprovalFilter = {}): Promise<readonly ApprovalRecord[]> {
    const values: Value[] = [];
    const conditions: string[] = [];
    for (const [column, value] of Object.entries({ session, state, tool }))
      if (value !== undefined) conditions.push(`${column} = $${values.push(stored(value))}`);
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    const statement = `select record, settlement from ${this.#database.quoted}.approvals ${where} order by number`;
    return await this.#records(statement, values);
  }

  async settle(id: string, settlement: Settlement, entry: ApprovalAuditEntry): Promise<SettleOutcome> {
    const { quoted } = this.#database;
    const statement = `with settled as (
        update ${quoted}.approvals set state = $2, settlement = $3 where id = $1 and state = 'open'
        returning record, settlement
      ), audited as (
        insert into ${quoted}.audit (session, entry) select $4, $5 from settled
      )
      select record, settlement from settled`;
    const values = [stored(id), settlement.state, JSON.stringify(settlement), stored(entry.session)];
    const [record] = await this.#records(statement, [...values, JSON.stringify(entry)]);
    if (record !== undefined) return { outcome: 'settled', record };
    const first = await this.get(id);
    return first === undefined ? { outcome: 'unknown' } : { outcome: 'already', record: first };
  }

  async *audit({ session }: Pick<ApprovalFilter, 'session'> = {}): AsyncIterable<ApprovalAuditEntry> {
    const own = session === undefined ? [] : [stored(session)];
    const condition = session === undefined ? '' : 'and session = $3';
    const statement = `select number, entry from ${this.#database.quoted}.audit
      where number > $1 ${condition} order by number limit $2`;
    for (let after: string | undefined = '0'; after !== undefined;) {
      const values = [after, pageSize, ...own];
      const page: readonly { number: string; entry: string }[] = await this.#database.query(statement, values);
      for (const { entry } of page) yield parsed(entry);
      after = page.length < pageSize ? undefined : page.at(-1)?.number;
    }
  }

  async #records(statement: string, values: readonly Value[]): Promise<readonly ApprovalRecord[]> {
    const rows = await this.#database.query<Row>(statement, values);
    return rows.map(({ record, settlement }) => ({
      ...parsed<ApprovalRecord>(record),
      ...(settlement !== null && parsed<Settlement>(settlement)),
    }));
  }
}
