import type { Membership, SessionRecord, WorkerState } from '@hexagent/ports';
import { MemoryDirectory, MemoryLeases } from '@hexagent/hosting';
import { HandClock, seededRandom } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { createClaims, type Claims, type ClaimsOptions } from '../src/index.ts';

interface Fleet {
  readonly clock: HandClock;
  readonly leases: MemoryLeases;
  /** How many records were to be read by each call. */
  readonly reads: readonly number[];
  join(owner: string, capacity?: number): Promise<Membership>;
  claims(options?: Partial<ClaimsOptions>): Claims;
  store(id: string, record?: Partial<SessionRecord>): Promise<void>;
}

function fleet(): Fleet {
  const [clock, leases, directory] = [new HandClock(), new MemoryLeases(), new MemoryDirectory()];
  const reads: number[] = [];
  const list = directory.list.bind(directory);
  directory.list = async (query) => {
    reads.push(query?.ids?.length ?? Infinity);
    return await list(query);
  };
  return {
    clock,
    leases,
    reads,
    join: (owner, capacity = 20) => leases.join({ owner, address: `at ${owner}`, capacity }),
    claims: (options) => createClaims({ leases, directory, clock, ...options }),
    async store(id, record) {
      const made = { sessionId: 'x', begun: 'no', createdAt: 0, updatedAt: 0, facts: {} } as const;
      await directory.put({ id, ...made, ...record }, 0);
    },
  };
}

const sessionsOf = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `session ${at}`);

describe('What a worker leaves', () => {
  it('is shared: each session falls to one of the others, and those come as close to each other as they can', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = seededRandom(seed);
      const { join, claims, leases } = fleet();
      const members = await Promise.all(
        Array.from({ length: 2 + Math.floor(random() * 5) }, (_, at) => join(`worker ${at}`)),
      );
      for (const [at, member] of members.entries())
        for (let held = Math.floor(random() * 30); held > 0; held -= 1) await leases.acquire(`${at}/${held}`, member);
      const sessions = sessionsOf(600);
      const shares = await Promise.all(members.map(({ owner }) => claims()(sessions, owner)));
      expect(shares.flat().toSorted()).toEqual(sessions.toSorted());
      const held = new Map((await leases.workers()).map((worker) => [worker.owner, worker.leases]));
      const totals = members.map(({ owner }, at) => (held.get(owner) ?? 0) + (shares[at]?.length ?? 0));
      expect(Math.max(...totals) - Math.min(...totals), `seed ${seed}`).toBeLessThanOrEqual(1);
    }
  });

  it('is shared by capacity', async () => {
    const { join, claims } = fleet();
    const [small, large] = [await join('small', 10), await join('large', 30)];
    const sessions = sessionsOf(400);
    const shares = await Promise.all([small, large].map(({ owner }) => claims()(sessions, owner)));
    expect(shares.map(({ length }) => length)).toEqual([100, 300]);
  });

  it('is shared also among workers that find it one after the other, and take some of it meanwhile', async () => {
    const { join, claims, leases } = fleet();
    const members = await Promise.all(['a', 'b', 'c'].map((owner) => join(owner)));
    let left = sessionsOf(3000);
    const counts: number[] = [];
    for (const member of members) {
      const own = new Set(await claims()(left, member.owner));
      for (const id of own) await leases.acquire(id, member);
      left = left.filter((id) => !own.has(id));
      counts.push(own.size);
    }
    expect([left, counts]).toEqual([[], [1000, 1000, 1000]]);
  });

  it('falls to the worker at its last address, where that has room', async () => {
    const { join, claims, store } = fleet();
    const [one, two] = [await join('one', 3), await join('two', 100)];
    for (const id of sessionsOf(5)) await store(id, { address: 'at one' });
    expect(await claims()(sessionsOf(5), one.owner)).toEqual(sessionsOf(3));
    expect(await claims()(sessionsOf(5), two.owner)).toEqual(['session 3', 'session 4']);
  });

  it('is placed with its tenant, by the placement of the program', async () => {
    const { join, claims, store } = fleet();
    await join('north');
    await join('south');
    await store('a', { tenant: 'north' });
    await store('b', { tenant: 'south' });
    const place = (
      { tenant }: { tenant?: string | undefined },
      workers: readonly WorkerState[],
    ): WorkerState | undefined => workers.find(({ owner }) => owner === tenant);
    expect(await claims({ place })(['a', 'b', 'never made'], 'north')).toEqual(['a']);
    expect(await claims({ place })(['a', 'b', 'never made'], 'south')).toEqual(['b']);
  });
});

describe('A worker', () => {
  it('takes what is left over after a sweep, though it falls to another one', async () => {
    const { join, claims, clock } = fleet();
    await join('dead');
    await join('one');
    const claim = claims();
    const own = await claim(sessionsOf(10), 'one');
    expect(own.length).toBe(5);
    const left = sessionsOf(10).filter((id) => !own.includes(id));
    clock.advance(1999);
    const fresh = await claim([...left, 'new'], 'one');
    expect(fresh.length).toBeLessThan(left.length);
    clock.advance(1);
    expect(await claim(left, 'one')).toEqual(left);
  });

  it('counts the time of a session anew that was taken meanwhile', async () => {
    const { join, claims, clock, store } = fleet();
    await join('one');
    await join('two');
    await store('a', { address: 'at two' });
    const claim = claims();
    expect(await claim(['a'], 'one')).toEqual([]);
    clock.advance(1000);
    await claim([], 'one');
    clock.advance(1000);
    expect(await claim(['a'], 'one')).toEqual([]);
    clock.advance(2000);
    expect(await claim(['a'], 'one')).toEqual(['a']);
  });

  it('takes nothing while it drains, or is not joined', async () => {
    const { join, claims, leases, clock } = fleet();
    const member = await join('one');
    await leases.drain(member);
    const claim = claims();
    for (const owner of ['one', 'gone']) expect(await claim(['a'], owner)).toEqual([]);
    clock.advance(5000);
    for (const owner of ['one', 'gone']) expect(await claim(['a'], owner)).toEqual([]);
  });

  it('reads each record once for as long as its session waits, all that are new together', async () => {
    const { join, claims, reads } = fleet();
    await join('one');
    await join('two');
    const claim = claims();
    await claim(sessionsOf(3000), 'one');
    await claim([...sessionsOf(3000), 'new'], 'one');
    expect(reads).toEqual([3000, 1]);
    await claim([], 'one');
    await claim(['new'], 'one');
    expect(reads).toEqual([3000, 1, 1]);
  });
});
