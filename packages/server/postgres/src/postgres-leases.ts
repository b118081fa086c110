import { SdkError } from '@hexagent/ports';
import type { Lease, LeaseAnswer, LeaseStore, Membership, Worker, WorkerState } from '@hexagent/ports';
import type { Database } from './database.ts';
import { restored, stored } from './texts.ts';
import { Together } from './together.ts';

interface Holder {
  readonly worker: string;
  readonly owner: string;
  readonly lives: boolean;
}

interface WorkerRow {
  readonly owner: string;
  readonly address: string | null;
  readonly capacity: number | null;
}

interface Attempt {
  readonly lives: boolean;
  readonly fence: string | null;
  /** Whether a worker had it: one that is gone, or this one. */
  readonly is_taken_over: boolean;
}

/**
 * Leases in PostgreSQL. A worker has its leases until its row is gone or its time has passed, by the clock of the database. A worker
 * whose time has passed is removed before anybody takes a lease from it, so that it cannot be kept again. Workers are found by their
 * owners: a standby that is promoted without the last ones gives their numbers to others.
 */
export class PostgresLeases implements LeaseStore {
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #attempts: Together<{ readonly id: string; readonly owner: string }, Attempt>;

  constructor(database: Database, { leaseMs }: { readonly leaseMs: number }) {
    this.#database = database;
    this.#leaseMs = leaseMs;
    this.#statements = statementsOf(database.quoted);
    this.#attempts = new Together((asked) =>
      database.query(this.#statements.acquire, [asked.map(({ id }) => id), asked.map(({ owner }) => owner)]),
    );
  }

  async join({ owner, address, capacity }: Worker): Promise<Membership> {
    const values = [stored(owner), address === undefined ? null : stored(address), capacity ?? null, this.#leaseMs];
    const rows = await this.#database.query(this.#statements.join, values);
    if (rows.length === 0)
      throw new TypeError(`There is a worker ${owner} already: each join needs an owner of its own.`);
    return { owner, address, capacity, renewWithinMs: this.#leaseMs };
  }

  async keep({ owner }: Membership): Promise<ReadonlyMap<string, number> | 'lost'> {
    const rows = await this.#database.queryApart<{ session: string | null; fence: string }>(
      this.#statements.keep,
      [stored(owner), this.#leaseMs],
      // A host gives its leases up then. The heartbeat of the worker that follows would wait behind this one.
      this.#leaseMs / 2,
    );
    if (rows.length === 0) return 'lost';
    return new Map(
      rows.flatMap(({ session, fence }) => (session === null ? [] : [[restored(session), Number(fence)]])),
    );
  }

  async drain({ owner }: Membership): Promise<void> {
    await this.#database.query(this.#statements.drain, [stored(owner)]);
  }

  async leave({ owner }: Membership): Promise<void> {
    await this.#database.query(this.#statements.leave, [stored(owner)]);
  }

  async workers(): Promise<readonly WorkerState[]> {
    const rows = await this.#database.query<WorkerRow & { is_draining: boolean; leases: string }>(
      this.#statements.workers,
      [],
    );
    return rows.map((row) => ({ ...toWorker(row), isDraining: row.is_draining, leases: Number(row.leases) }));
  }

  async acquire(session: string, { owner }: Membership): Promise<LeaseAnswer> {
    const id = stored(session);
    for (;;) {
      const attempt = await this.#attempts.call({ id, owner: stored(owner) });
      if (attempt?.lives !== true) throw new SdkError('LEASE_LOST', `The worker ${owner} has left, or is lost.`);
      if (attempt.fence !== null) {
        const fence = Number(attempt.fence);
        return { kind: 'acquired', lease: { session, owner, fence, isTakenOver: attempt.is_taken_over } };
      }
      const [holder]: readonly Holder[] = await this.#database.query(this.#statements.holder, [id]);
      if (holder?.lives === true) return { kind: 'held', owner: restored(holder.owner) };
      // Otherwise the lease is free by now: its worker is gone, or has given it back.
      if (holder !== undefined) await this.#database.query(this.#statements.bury, [holder.worker]);
    }
  }

  async release({ session, fence }: Lease): Promise<void> {
    await this.#database.query(this.#statements.release, [stored(session), fence]);
  }

  async where(session: string): Promise<Worker | undefined> {
    const [row] = await this.#database.query<WorkerRow>(this.#statements.where, [stored(session)]);
    return row === undefined ? undefined : toWorker(row);
  }
}

const toWorker = ({ owner, address, capacity }: WorkerRow): Worker => ({
  owner: restored(owner),
  address: address === null ? undefined : restored(address),
  capacity: capacity ?? undefined,
});

/* oxlint-disable-next-line max-lines-per-function -- a list of statements */
const statementsOf = (s: string) => {
  const until = (ms: string): string => `clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;
  const lives = 'expires_at > clock_timestamp()';
  return {
    join: `with gone as (delete from ${s}.workers where not ${lives})
      insert into ${s}.workers (owner, address, capacity, expires_at) values ($1, $2, $3, ${until('$4')})
      on conflict (owner) do nothing returning true`,
    keep: `with kept as (update ${s}.workers set expires_at = ${until('$2')} where owner = $1 and ${lives} returning id)
      select s.id as session, s.fence from kept left join ${s}.sessions s on s.worker = kept.id`,
    drain: `update ${s}.workers set is_draining = true where owner = $1`,
    leave: `with gone as (
        delete from ${s}.workers where owner = $1 returning id
      ), locked as (
        select s.id from ${s}.sessions s join gone on s.worker = gone.id order by s.id for update of s
      )
      update ${s}.sessions set worker = null from locked where sessions.id = locked.id`,
    // Those whose time has passed are removed: what they had, thousands of sessions perhaps, is then taken with one statement each.
    workers: `with gone as (delete from ${s}.workers where not ${lives})
      select owner, address, capacity, is_draining, (select count(*) from ${s}.sessions where worker = workers.id) as leases
      from ${s}.workers where ${lives}`,
    // Takes a lease that is free, that the worker itself has, or that a worker without a row has, which is gone for good. Which one that is, is
    // read as of the beginning: of a worker that takes the lease later, the row could not be seen.
    // All processes lock the rows in one order, so that none waits for another that waits for it.
    acquire: `with asked as (
        select a.id, a.place, w.id as worker from unnest($1::text[], $2::text[]) with ordinality as a (id, owner, place)
        left join ${s}.workers w on w.owner = a.owner and w.${lives}
      ), gone as (
        select id, worker from ${s}.sessions where id = any($1::text[]) and worker is not null
        and not exists (select from ${s}.workers where workers.id = sessions.worker)
      ), taken as (
        insert into ${s}.sessions as s (id, worker, fence)
        select distinct on (id) id, worker, floor(extract(epoch from clock_timestamp()) * 1000)
        from asked where worker is not null order by id
        on conflict (id) do update set worker = excluded.worker, fence = greatest(s.fence + 1, excluded.fence)
        where s.worker is null or s.worker = excluded.worker or (s.id, s.worker) in (select id, worker from gone)
        returning id, worker, fence
      )
      select a.worker is not null as lives, t.fence, before.worker is not null as is_taken_over
      from asked a left join taken t on t.id = a.id and t.worker = a.worker left join ${s}.sessions before on before.id = a.id
      order by a.place`,
    holder: `select s.worker, w.owner, w.${lives} as lives
      from ${s}.sessions s join ${s}.workers w on w.id = s.worker where s.id = $1`,
    bury: `delete from ${s}.workers where id = $1 and not ${lives}`,
    release: `update ${s}.sessions set worker = null where id = $1 and fence = $2`,
    // Not a join: where the statistics say that few have a lease, that would read all the sessions of each worker.
    where: `select owner, address, capacity from ${s}.workers
      where id = (select worker from ${s}.sessions where id = $1) and ${lives}`,
  } as const;
};
