import { SdkError } from '@hexagent/ports';
import type { Lease, LeaseAnswer, LeaseStore, Membership, Worker, WorkerState } from '@hexagent/ports';
import type { Database } from './database.ts';
import { restored, stored } from './texts.ts';

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
 * whose time has passed is removed before anybody takes a lease from it, so that it cannot be kept again.
 */
export class PostgresLeases implements LeaseStore {
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #statements: ReturnType<typeof statementsOf>;
  /** The row of each worker that joined here. A worker that is lost never gets another one. */
  readonly #rows = new Map<string, string>();

  constructor(database: Database, { leaseMs }: { readonly leaseMs: number }) {
    this.#database = database;
    this.#leaseMs = leaseMs;
    this.#statements = statementsOf(database.quoted);
  }

  async join({ owner, address, capacity }: Worker): Promise<Membership> {
    const values = [stored(owner), address === undefined ? null : stored(address), capacity ?? null, this.#leaseMs];
    const [row] = await this.#database.query<{ id: string }>(this.#statements.join, values);
    if (row === undefined)
      throw new TypeError(`There is a worker ${owner} already: each join needs an owner of its own.`);
    this.#rows.set(owner, row.id);
    return { owner, address, capacity, renewWithinMs: this.#leaseMs };
  }

  async keep(member: Membership): Promise<'kept' | 'lost'> {
    const values = [this.#rowOf(member), this.#leaseMs];
    return (await this.#database.query(this.#statements.keep, values)).length === 1 ? 'kept' : 'lost';
  }

  async drain(member: Membership): Promise<void> {
    await this.#database.query(this.#statements.drain, [this.#rowOf(member)]);
  }

  async leave(member: Membership): Promise<void> {
    await this.#database.query(this.#statements.leave, [this.#rowOf(member)]);
    this.#rows.delete(member.owner);
  }

  async workers(): Promise<readonly WorkerState[]> {
    const rows = await this.#database.query<WorkerRow & { is_draining: boolean; leases: string }>(
      this.#statements.workers,
      [],
    );
    return rows.map((row) => ({ ...toWorker(row), isDraining: row.is_draining, leases: Number(row.leases) }));
  }

  async acquire(session: string, member: Membership): Promise<LeaseAnswer> {
    const [id, row] = [stored(session), this.#rowOf(member)];
    for (;;) {
      const [attempt]: readonly Attempt[] = await this.#database.query(this.#statements.acquire, [id, row]);
      if (attempt?.lives !== true) throw new SdkError('LEASE_LOST', `The worker ${member.owner} has left, or is lost.`);
      if (attempt.fence !== null) {
        const fence = Number(attempt.fence);
        return { kind: 'acquired', lease: { session, owner: member.owner, fence, isTakenOver: attempt.is_taken_over } };
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

  /** No worker has the row 0. */
  #rowOf({ owner }: Membership): string {
    return this.#rows.get(owner) ?? '0';
  }
}

const toWorker = ({ owner, address, capacity }: WorkerRow): Worker => ({
  owner: restored(owner),
  address: address === null ? undefined : restored(address),
  capacity: capacity ?? undefined,
});

const statementsOf = (s: string) => {
  const until = (ms: string): string => `clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;
  const lives = 'expires_at > clock_timestamp()';
  return {
    join: `with gone as (delete from ${s}.workers where not ${lives})
      insert into ${s}.workers (owner, address, capacity, expires_at) values ($1, $2, $3, ${until('$4')})
      on conflict (owner) do nothing returning id`,
    keep: `update ${s}.workers set expires_at = ${until('$2')} where id = $1 and ${lives} returning true`,
    drain: `update ${s}.workers set is_draining = true where id = $1`,
    leave: `with released as (update ${s}.sessions set worker = null where worker = $1)
      delete from ${s}.workers where id = $1`,
    // Those whose time has passed are removed: what they had, thousands of sessions perhaps, is then taken with one statement each.
    workers: `with gone as (delete from ${s}.workers where not ${lives})
      select owner, address, capacity, is_draining, (select count(*) from ${s}.sessions where worker = workers.id) as leases
      from ${s}.workers where ${lives}`,
    // Takes a lease that is free, that the worker itself has, or that a worker without a row has, which is gone for good. Which one that is, is
    // read as of the beginning: of a worker that takes the lease later, the row could not be seen.
    acquire: `with member as (
        select id from ${s}.workers where id = $2 and ${lives}
      ), gone as (
        select worker from ${s}.sessions
        where id = $1 and worker is not null and not exists (select from ${s}.workers where workers.id = sessions.worker)
      ), taken as (
        insert into ${s}.sessions as s (id, worker, fence)
        select $1, id, floor(extract(epoch from clock_timestamp()) * 1000) from member
        on conflict (id) do update set worker = excluded.worker, fence = greatest(s.fence + 1, excluded.fence)
        where s.worker is null or s.worker in (excluded.worker, (select worker from gone))
        returning fence
      )
      select exists (select from member) as lives, (select fence from taken) as fence,
        exists (select from ${s}.sessions where id = $1 and worker is not null) as is_taken_over`,
    holder: `select s.worker, w.owner, w.${lives} as lives
      from ${s}.sessions s join ${s}.workers w on w.id = s.worker where s.id = $1`,
    bury: `delete from ${s}.workers where id = $1 and not ${lives}`,
    release: `update ${s}.sessions set worker = null where id = $1 and fence = $2`,
    // Not a join: where the statistics say that few have a lease, that would read all the sessions of each worker.
    where: `select owner, address, capacity from ${s}.workers
      where id = (select worker from ${s}.sessions where id = $1) and ${lives}`,
  } as const;
};
