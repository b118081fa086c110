import { randomUUID } from 'node:crypto';
import type { LeaseStore, Membership } from '@hexagent/ports';
import type { PostgresPool, PostgresStatement } from '@hexagent/postgres';
import { escapeIdentifier, type Pool } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { placeIn, type Place } from './places.ts';

const message = (session: string) => ({ session, uuid: randomUUID(), input: { content: 'hello' } });

/** Lets the time of workers pass. */
async function pass({ pool, schema }: Place, owner = '%'): Promise<void> {
  const statement = `update ${escapeIdentifier(schema)}.workers set expires_at = now() - interval '1 ms'`;
  await pool.query(`${statement} where owner like $1`, [owner]);
}

/** Changes the schema `$` in a transaction that stays open. */
async function changing({ pool, schema }: Place, ...statements: readonly string[]) {
  const client = await pool.connect();
  const pid = Number((await client.query('select pg_backend_pid() as pid')).rows[0].pid);
  await client.query('begin');
  for (const statement of statements) await client.query(statement.replace('$', () => escapeIdentifier(schema)));
  return {
    /** Resolves when another connection waits for it. */
    async isAwaited() {
      const waiting = 'select count(*) from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      await expect.poll(async () => Number((await pool.query(waiting, [pid])).rows[0].count)).toBe(1);
    },
    async commit() {
      await client.query('commit');
      client.release();
    },
  };
}

async function taken(leases: LeaseStore, session: string, member: Membership): Promise<number> {
  const answer = await leases.acquire(session, member);
  if (answer.kind === 'held') throw new Error(`${session} is held by ${answer.owner}.`);
  return answer.lease.fence;
}

/** The pool, which keeps its statements. */
function watched(pool: Pool, statements: PostgresStatement[]): PostgresPool {
  return {
    options: pool.options,
    connect: () => pool.connect(),
    on: (event, listener) => pool.on(event, listener),
    off: (event, listener) => pool.off(event, listener),
    query(statement) {
      statements.push(statement);
      return pool.query({ ...statement });
    },
  };
}

async function all<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

describe.each(inject('servers'))('Leases, on the server of $kind', (server) => {
  it('that are taken over end every write under the one before, in each store, before the new holder writes', async () => {
    await using place = placeIn(server);
    const { leases, outbox, directory, approvals, transcriptsOf } = place.open();
    const queued = message('a');
    await outbox.enqueue(queued);
    const old = await taken(leases, 'a', await leases.join({ owner: 'old' }));
    await outbox.mark(queued, 'sent', old);
    await pass(place);
    const fence = await taken(leases, 'a', await leases.join({ owner: 'new' }));
    expect(fence).toBeGreaterThan(old);
    const session = { id: 'a', sessionId: randomUUID(), begun: 'no', createdAt: 1, updatedAt: 1, facts: {} } as const;
    const asked = { id: 'one', session: 'a', kind: 'permission', toolUseId: 'call', tool: 'Bash', input: {} } as const;
    const key = { projectKey: 'project', sessionId: session.sessionId };
    const writes: readonly ((under: number) => Promise<void>)[] = [
      (under) => outbox.mark(queued, 'started', under),
      (under) => directory.put(session, under),
      (under) => approvals.add({ ...asked, suggestions: [], createdAt: 1, state: 'open' }, under),
      (under) => transcriptsOf({ session: 'a', fence: under }).append(key, [{ type: 'user' }]),
      (under) => transcriptsOf({ session: 'a', fence: under }).delete!(key),
      (under) => outbox.delete('a', under),
      (under) => directory.delete('a', under),
    ];
    for (const write of writes) await expect(write(old)).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await outbox.stateOf(queued)).toBe('sent');
    for (const write of writes) await expect(write(fence)).resolves.toBeUndefined();
  });

  it('of a worker that is gone are each taken once by many that try at the same time', async () => {
    await using place = placeIn(server);
    const sessions = Array.from({ length: 60 }, (_, number) => `chat ${number}`);
    const first = place.open();
    const dead = await first.leases.join({ owner: 'dead' });
    const before = await Promise.all(sessions.map((session) => taken(first.leases, session, dead)));
    await pass(place);
    const others = Array.from({ length: 4 }, () => place.open().leases);
    const answers = await Promise.all(
      others.map(async (leases, number) => {
        const member = await leases.join({ owner: `worker ${number}` });
        return await Promise.all(sessions.map((session) => leases.acquire(session, member)));
      }),
    );
    for (const [at, session] of sessions.entries()) {
      const got = answers.flatMap((of) => (of[at]?.kind === 'acquired' ? [of[at].lease] : []));
      expect(got).toEqual([expect.objectContaining({ session, isTakenOver: true })]);
      expect(got[0]?.fence).toBeGreaterThan(before[at]!);
    }
    expect(await first.leases.keep(dead)).toBe('lost');
  });

  it('are taken with few statements, where many are asked for at once', async () => {
    await using place = placeIn(server);
    const sessions = Array.from({ length: 1000 }, (_, number) => `chat ${number}`);
    const statements: PostgresStatement[] = [];
    const { leases, outbox, directory } = place.open({ pool: watched(place.pool, statements) });
    const dead = await leases.join({ owner: 'dead' });
    await Promise.all(sessions.map((session) => taken(leases, session, dead)));
    await pass(place);
    const [one, two] = [await leases.join({ owner: 'one' }), await leases.join({ owner: 'two' })];
    statements.length = 0;
    const answers = await Promise.all(
      [...sessions, ...sessions.toReversed()].map((session, at) => leases.acquire(session, at < 1000 ? one : two)),
    );
    expect(answers.filter(({ kind }) => kind === 'acquired').length).toBe(1000);
    // Each of the others takes a statement more, for the name of the worker that has it.
    expect(statements.length).toBeLessThan(1010);
    statements.length = 0;
    await Promise.all(sessions.flatMap((session) => [directory.get(session), outbox.pending(session)]));
    expect(statements.length).toBe(4);
  });

  it('are kept where the statements of the pool wait', async () => {
    await using place = placeIn(server);
    const { leases } = place.open({ pool: place.pool });
    const member = await leases.join({ owner: 'one' });
    const fence = await taken(leases, 'a', member);
    const { max } = place.pool.options;
    const clients = await Promise.all(Array.from({ length: max }, () => place.pool.connect()));
    expect(await leases.keep(member)).toEqual(new Map([['a', fence]]));
    for (const client of clients) client.release();
  });

  it('are kept by the pool where no connection beside it can be made', async () => {
    await using place = placeIn(server);
    const pool = { ...watched(place.pool, []), options: { host: '127.0.0.1', port: 1 } };
    const { leases } = place.open({ pool });
    const member = await leases.join({ owner: 'one' });
    const fence = await taken(leases, 'a', member);
    expect(await leases.keep(member)).toEqual(new Map([['a', fence]]));
  });

  it('are not taken from a worker that is being kept at that moment', async () => {
    await using place = placeIn(server);
    const [{ leases }, other] = [place.open(), place.open()];
    const held = await leases.join({ owner: 'held' });
    await taken(leases, 'a', held);
    const thief = await other.leases.join({ owner: 'thief' });
    await pass(place, 'held');
    const change = await changing(
      place,
      `update $.workers set expires_at = now() + interval '1 hour' where owner = 'held'`,
    );
    const answer = other.leases.acquire('a', thief);
    await change.isAwaited();
    await change.commit();
    expect(await answer).toEqual({ kind: 'held', owner: 'held' });
    expect(await leases.keep(held)).not.toBe('lost');
  });

  it('are lost where a worker is kept while another one takes them', async () => {
    await using place = placeIn(server);
    const { leases } = place.open();
    const held = await leases.join({ owner: 'held' });
    // What another process does to a worker whose time has passed, before it takes a lease from it.
    const change = await changing(place, `delete from $.workers where owner = 'held'`);
    const kept = leases.keep(held);
    await change.isAwaited();
    await change.commit();
    expect(await kept).toBe('lost');
  });

  it('are not those of a worker that a promoted standby gave the same number', async () => {
    await using place = placeIn(server);
    const { leases } = place.open();
    const before = await leases.join({ owner: 'before' });
    const table = `${escapeIdentifier(place.schema)}.workers`;
    const { rows } = await place.pool.query(`delete from ${table} returning id`);
    await place.pool.query(`alter table ${table} alter column id restart with ${rows[0].id}`);
    const after = await leases.join({ owner: 'after' });
    const fence = await taken(leases, 'a', after);
    expect(await leases.keep(before)).toBe('lost');
    await expect(leases.acquire('b', before)).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await leases.drain(before);
    await leases.leave(before);
    expect(await leases.workers()).toMatchObject([{ owner: 'after', isDraining: false, leases: 1 }]);
    expect(await leases.keep(after)).toEqual(new Map([['a', fence]]));
  });

  it('wait, where a session is resumed, for the last lines of the lease before', async () => {
    await using place = placeIn(server);
    const { transcriptsOf } = place.open();
    const key = { projectKey: 'project', sessionId: randomUUID() };
    await transcriptsOf({ session: 'a', fence: 1 }).append(key, [{ type: 'first' }]);
    // What an append under the older lease does.
    const change = await changing(
      place,
      `update $.sessions set fence = 1 where id = 'a'`,
      `insert into $.entries (transcript, entry) values (1, '{"type":"last"}')`,
    );
    const resumed = transcriptsOf({ session: 'a', fence: 2 }).load(key);
    await change.isAwaited();
    await change.commit();
    expect(await resumed).toEqual([{ type: 'first' }, { type: 'last' }]);
  });

  it('decide which sessions can be claimed, in pages, the longest waiting first', async () => {
    await using place = placeIn(server);
    const { leases, outbox } = place.open();
    const sessions = Array.from({ length: 1100 }, (_, number) => `chat ${number}`);
    for (const session of sessions) await outbox.enqueue(message(session));
    await outbox.enqueue(message('chat 0'));
    expect(await all(outbox.claimable())).toEqual(sessions);
    const worker = await leases.join({ owner: 'one' });
    await taken(leases, 'chat 0', worker);
    await taken(leases, 'chat 1099', worker);
    expect(await all(outbox.claimable())).toEqual(sessions.slice(1, -1));
    // What the worker drives itself may have messages that no signal reported.
    expect(await all(outbox.claimable('one'))).toEqual(sessions);
    expect(await all(outbox.claimable('two'))).toEqual(sessions.slice(1, -1));
    await pass(place);
    expect(await all(outbox.claimable())).toEqual(sessions);
  });

  it('are looked up by the session, whatever the server knows of the table: not among all that the worker has', async () => {
    await using place = placeIn(server);
    const { leases } = place.open();
    const worker = await leases.join({ owner: 'one' });
    const statements: PostgresStatement[] = [];
    const looking = place.open({ pool: watched(place.pool, statements) }).leases;
    // The statistics are of a table in which no session has a lease.
    const many = `insert into ${escapeIdentifier(place.schema)}.sessions (id) select 'chat ' || number from generate_series(1, 3000) as number`;
    await place.pool.query(many);
    await place.pool.query('analyze');
    const held = `update ${escapeIdentifier(place.schema)}.sessions set worker = (select id from ${escapeIdentifier(place.schema)}.workers)`;
    await place.pool.query(held);
    expect(await looking.where('chat 7')).toMatchObject({ owner: worker.owner });
    const { text = '', values = [] } = statements.at(-1) ?? {};
    const plan = await place.pool.query(`explain (analyze, format json) ${text}`, values);
    const read = JSON.stringify(plan.rows).matchAll(/"(?:Actual Rows|Rows Removed by [^"]+)": ?([\d.]+)/g);
    expect(Math.max(...[...read].map(([, rows]) => Number(rows)))).toBeLessThanOrEqual(2);
  });
});

describe.each(inject('servers'))('Messages, on the server of $kind', (server) => {
  it('are numbered without a gap, and stored once, by processes that store the same ones', async () => {
    await using place = placeIn(server);
    const messages = Array.from({ length: 100 }, () => message('a'));
    const outboxes = Array.from({ length: 3 }, () => place.open().outbox);
    const answers = await Promise.all(outboxes.flatMap((outbox) => messages.map((each) => outbox.enqueue(each))));
    const numbers = answers.flatMap((answer) => (answer.kind === 'accepted' ? [answer.number] : []));
    const counted = messages.map((_, index) => index + 1);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(counted);
    expect((await outboxes[0]!.pending('a')).map(({ number }) => number)).toEqual(counted);
  });

  it('that are finished take no more room than their uuids, and those not for ever', async () => {
    await using place = placeIn(server);
    const { outbox } = place.open({ keepFinished: 5 });
    for (let count = 0; count < 250; count += 1) {
      const each = message('a');
      await outbox.enqueue(each);
      await outbox.mark(each, 'completed', 1);
    }
    const messages = `${escapeIdentifier(place.schema)}.messages`;
    const { rows } = await place.pool.query(`select count(*), max(length(input)) as longest from ${messages}`);
    expect(Number(rows[0].count)).toBeLessThan(110);
    expect(rows[0].longest).toBe(2);
  });
});
