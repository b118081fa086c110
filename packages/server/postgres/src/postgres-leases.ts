import { SdkError } from '@hexagent/ports';
import type { Lease, LeaseAnswer, LeaseStore, Membership, Worker, WorkerState } from '@hexagent/ports';
import type { Database } from './database.ts';
import { restored, stored } from './texts.ts';

interface Holder {
  readonly worker: string;
  /** `null` for a worker without a row. */
  readonly owner: string | null;
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
    for (let gone: string | null = null; ;) {
      const [attempt]: readonly Attempt[] = await this.#database.query(this.#statements.acquire, [id, row, gone]);
      if (attempt?.lives !== true) throw new SdkError('LEASE_LOST', `The worker ${member.owner} has left, or is lost.`);
      if (attempt.fence !== null) {
        const fence = Number(attempt.fence);
        return { kind: 'acquired', lease: { session, owner: member.owner, fence, isTakenOver: gone !== null } };
      }
      const [holder]: readonly Holder[] = await this.#database.query(this.#statements.holder, [id]);
      if (holder?.lives === true) return { kind: 'held', owner: restored(holder.owner ?? '') };
      if (holder?.owner != null) await this.#database.query(this.#statements.bury, [holder.worker]);
      // Only a worker without a row is gone: one whose time has passed may have been kept at that very moment.
      gone = holder?.owner === null ? holder.worker : null;
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
    workers: `select owner, address, capacity, is_draining, (select count(*) from ${s}.sessions where worker = workers.id) as leases
      from ${s}.workers where ${lives}`,
    // Takes a lease that is free, that the worker itself has, or that the worker of parameter 3 has, which is gone for good. Whether that worker lives is not asked
    // here: one that joined and took the lease after this statement began could not be seen by it.
    acquire: `with member as (
        select id from ${s}.workers where id = $2 and ${lives}
      ), taken as (
        insert into ${s}.sessions as s (id, worker, fence)
        select $1, id, floor(extract(epoch from clock_timestamp()) * 1000) from member
        on conflict (id) do update set worker = excluded.worker, fence = greatest(s.fence + 1, excluded.fence)
        where s.worker is null or s.worker in ($3, excluded.worker)
        returning fence
      )
      select exists (select from member) as lives, (select fence from taken) as fence`,
    holder: `select s.worker, w.owner, coalesce(w.${lives}, false) as lives
      from ${s}.sessions s left join ${s}.workers w on w.id = s.worker where s.id = $1 and s.worker is not null`,
    bury: `delete from ${s}.workers where id = $1 and not ${lives}`,
    release: `update ${s}.sessions set worker = null where id = $1 and fence = $2`,
    // Not a join: where the statistics say that few have a lease, that would read all the sessions of each worker.
    where: `select owner, address, capacity from ${s}.workers
      where id = (select worker from ${s}.sessions where id = $1) and ${lives}`,
  } as const;
};
