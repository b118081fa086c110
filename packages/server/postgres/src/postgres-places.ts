import { SdkError, type Membership, type TenantPlace, type TenantPlaces } from '@hexagent/ports';
import type { Database } from './database.ts';
import { stored } from './texts.ts';

interface Attempt {
  readonly lives: boolean;
  /** The lowest number that seemed free. */
  readonly free: number | null;
  readonly number: number | null;
}

/** Places of tenants in PostgreSQL: a row for each that is taken, which goes with the row of its worker. */
export class PostgresPlaces implements TenantPlaces {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = statementsOf(database.quoted);
  }

  async take(tenant: string, most: number, { owner }: Membership): Promise<TenantPlace | undefined> {
    const values = [stored(tenant), most, stored(owner)];
    for (let isBuried = false; ;) {
      const [attempt]: readonly Attempt[] = await this.#database.query(this.#statements.take, values);
      if (attempt?.lives !== true) throw new SdkError('LEASE_LOST', `The worker ${owner} has left, or is lost.`);
      if (attempt.number !== null) return { tenant, number: attempt.number, owner };
      // Another call was faster where one seemed free.
      if (attempt.free === null && isBuried) return undefined;
      if (attempt.free === null) await this.#database.query(this.#statements.bury, []);
      isBuried ||= attempt.free === null;
    }
  }

  async give({ tenant, number, owner }: TenantPlace): Promise<void> {
    await this.#database.query(this.#statements.give, [stored(tenant), number, stored(owner)]);
  }
}

const statementsOf = (s: string) => {
  const lives = 'expires_at > clock_timestamp()';
  return {
    take: `with member as (
        select id from ${s}.workers where owner = $3 and ${lives}
      ), free as (
        select number from generate_series(1, $2::integer) as number
        where not exists (select from ${s}.places p where p.tenant = $1 and p.number = number.number) limit 1
      ), taken as (
        insert into ${s}.places (tenant, number, worker) select $1, number, id from free, member
        on conflict (tenant, number) do nothing
        returning number
      )
      select exists (select from member) as lives, (select number from free) as free, (select number from taken) as number`,
    // A worker whose time has passed may be kept at this very moment: then its row is not removed.
    bury: `delete from ${s}.workers where not ${lives}`,
    give: `delete from ${s}.places where tenant = $1 and number = $2 and worker = (select id from ${s}.workers where owner = $3)`,
  } as const;
};
