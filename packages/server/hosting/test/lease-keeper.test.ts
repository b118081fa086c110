import type { Lease, LeaseStore } from '@hexagent/ports';
import { CountedIds, HandClock, microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { MemoryLeases } from '../src/index.ts';
import { LeaseKeeper } from '../src/lease-keeper.ts';

interface Keeping {
  readonly clock: HandClock;
  readonly keeper: LeaseKeeper;
  readonly losses: readonly number[];
  /** The sessions of each loss. */
  readonly lost: readonly (readonly string[])[];
  /** When the store was asked to keep the worker. */
  readonly kept: readonly number[];
  readonly store: LeaseStore;
  take(session: string): Promise<Lease>;
  pass(ms: number): Promise<void>;
  /** The process was stopped until then: it is that time, and no timer has fired yet. */
  stopUntil(time: number): void;
}

function keeping(change: (store: LeaseStore) => Partial<LeaseStore> = () => ({}), renewWithinMs?: number): Keeping {
  const clock = new HandClock();
  const [losses, kept, lost]: [number[], number[], (readonly string[])[]] = [[], [], []];
  const memory = new MemoryLeases({ clock, renewWithinMs });
  const changed = change(memory);
  const store = new Proxy<LeaseStore>(memory, {
    get(target, name) {
      if (name === 'keep') kept.push(clock.now());
      const method: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
  const onLost = (sessions: readonly string[]): void => {
    losses.push(clock.now());
    lost.push(sessions);
  };
  const keeper = new LeaseKeeper({ leases: store, clock, ids: new CountedIds(), owner: 'me', onLost });
  return {
    clock,
    keeper,
    losses,
    kept,
    lost,
    store,
    async take(session) {
      let taken: Lease | undefined;
      await keeper.acquire(session, (lease) => void (taken = lease));
      return taken ?? expect.unreachable();
    },
    stopUntil: (time) => void Reflect.set(clock, 'now', () => time),
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 100) {
        clock.advance(100);
        await microtasks();
      }
    },
  };
}

const written = Promise.resolve();
/** Each join has another uuid. */
const [first, second] = ['me 1d000000-0000-4000-8000-000000000001', 'me 1d000000-0000-4000-8000-000000000002'];

describe('The leases of a host', () => {
  it('are those of one worker, which joins at the latest with the first', async () => {
    const { take, store } = keeping();
    expect(await store.workers()).toEqual([]);
    await Promise.all(['a', 'b', 'c'].map(take));
    expect(await store.workers()).toMatchObject([{ owner: first, leases: 3 }]);
  });

  it('are kept by one call for all, at least three times within their time', async () => {
    const { take, pass, kept, losses, store } = keeping(undefined, 4000);
    for (const session of ['a', 'b', 'c']) await take(session);
    await pass(6000);
    expect([kept, losses]).toEqual([[1000, 2000, 3000, 4000, 5000, 6000], []]);
    expect(await store.where('a')).toMatchObject({ owner: first });
  });

  it('are not kept where the store ends them with the process', async () => {
    const { take, clock } = keeping();
    await take('a');
    expect(clock.waiting).toBe(0);
  });

  it('are lost once, as soon as the store reports it, and the next is that of another worker', async () => {
    const { take, pass, losses, lost, keeper } = keeping(() => ({ keep: async () => 'lost' }), 4000);
    const lease = await take('a');
    await take('b');
    await pass(4000);
    expect([losses, lost]).toEqual([[1000], [['a', 'b']]]);
    // Its agent may still be ending: another worker has to wait for that.
    await keeper.release(lease, written);
    expect(await take('a')).toMatchObject({ owner: second, isTakenOver: true });
  });

  it.each([
    ['cannot be reached', (): Promise<never> => Promise.reject(new Error('no network'))],
    ['does not answer', (): Promise<never> => new Promise<never>(() => {})],
  ])('are given up well before their time is over where the store %s', async (_, keep) => {
    const { take, pass, losses } = keeping(() => ({ keep }), 4000);
    await take('a');
    await pass(4000);
    expect(losses).toEqual([2000]);
  });

  it('are kept where the store cannot be reached for a moment', async () => {
    let calls = 0;
    const keep = (store: LeaseStore): Partial<LeaseStore> => ({
      keep: async (member) => {
        calls += 1;
        if (calls % 2 === 1) throw new Error('no network');
        return await store.keep(member);
      },
    });
    const { take, pass, losses } = keeping(keep, 4000);
    await take('a');
    await pass(20_000);
    expect(losses).toEqual([]);
  });

  it('are lost where that is found when another is taken, which then succeeds', async () => {
    const { take, losses, stopUntil } = keeping(undefined, 4000);
    await take('a');
    stopUntil(9000);
    expect(await take('b')).toMatchObject({ owner: second, isTakenOver: false });
    expect(losses).toEqual([9000]);
  });

  it('are lost by the first use after a stop, whatever timer fires first', async () => {
    const { take, losses, keeper, stopUntil } = keeping(undefined, 4000);
    const lease = await take('a');
    stopUntil(1999);
    expect(keeper.holds(lease)).toBe(true);
    stopUntil(2000);
    expect([keeper.holds(lease), losses]).toEqual([false, [2000]]);
  });

  it('are lost after a stop, and not kept, where the timer for that fires first', async () => {
    const { take, losses, kept, clock, stopUntil } = keeping(undefined, 4000);
    await take('a');
    stopUntil(9000);
    clock.advance(1000);
    expect([kept, losses]).toEqual([[], [9000]]);
  });

  it('are lost where the answer that they are kept is read after a stop, before anything else happens', async () => {
    let answer = (): void => {};
    const keep: LeaseStore['keep'] = () => new Promise((resolve) => (answer = () => resolve(new Map())));
    const { take, pass, losses, kept, stopUntil } = keeping(() => ({ keep }), 4000);
    await take('a');
    await pass(1000);
    stopUntil(3000);
    answer();
    await microtasks();
    expect([kept, losses]).toEqual([[1000], [3000]]);
  });

  it('are lost one by one where the store does not have them any more, as one that was restored', async () => {
    const { take, pass, losses, lost, keeper, store } = keeping(undefined, 4000);
    const [a, b, c] = [await take('a'), await take('b'), await take('c')];
    await store.release(a);
    const again = await store.acquire('b', { owner: first, renewWithinMs: 4000 });
    expect(again).toMatchObject({ kind: 'acquired' });
    await pass(4000);
    expect([losses, lost]).toEqual([[1000], [['a', 'b']]]);
    expect([a, b, c].map((lease) => keeper.holds(lease))).toEqual([false, false, true]);
    // The worker is there, and takes them anew.
    expect(await take('a')).toMatchObject({ owner: first });
    await pass(4000);
    expect(losses).toEqual([1000]);
  });

  it('are not lost where they were taken, or given back, while the store answered', async () => {
    let answer = (): void => {};
    const keep = (store: LeaseStore): Partial<LeaseStore> => ({
      keep: async (member) => {
        const found = await store.keep(member);
        await new Promise<void>((resolve) => (answer = resolve));
        return found;
      },
    });
    const { take, pass, losses, keeper } = keeping(keep, 4000);
    const before = await take('a');
    await keeper.release(await take('b'), written);
    await pass(1000);
    await keeper.release(before, written);
    await take('a');
    await take('c');
    answer();
    await pass(900);
    expect(losses).toEqual([]);
  });

  it('have none that was granted to a worker that is lost', async () => {
    let answer = (): void => {};
    const change = (store: LeaseStore): Partial<LeaseStore> => ({
      keep: async () => 'lost',
      acquire: async (...args) => {
        const found = await store.acquire(...args);
        await new Promise<void>((resolve) => (answer = resolve));
        return found;
      },
    });
    const { take, pass, losses } = keeping(change, 4000);
    const refused = expect(take('a')).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await microtasks();
    await pass(1000);
    answer();
    await refused;
    expect(losses).toEqual([1000]);
  });

  it('are all given back when the host leaves, and not kept any more', async () => {
    const { take, pass, keeper, kept, losses, clock, store } = keeping(undefined, 4000);
    await take('a');
    await take('b');
    await keeper.leave();
    await pass(4000);
    expect([kept, losses, clock.waiting]).toEqual([[], [], 0]);
    const other = await store.join({ owner: 'other' });
    expect(await store.acquire('a', other)).toMatchObject({ lease: { isTakenOver: false } });
  });

  it('are of no worker any more that joins while the host leaves', async () => {
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const { take, keeper, store } = keeping((memory) => ({
      join: async (worker) => {
        await answered;
        return await memory.join(worker);
      },
    }));
    const joining = keeper.join();
    await microtasks();
    const left = keeper.leave();
    answer();
    expect(await joining).toBe(first);
    await left;
    await expect(take('a')).rejects.toMatchObject({ code: 'HOST_CLOSED' });
    expect(await store.workers()).toEqual([]);
  });

  it('are given back again where that failed: later, and before the same one is taken', async () => {
    let isFull = true;
    let calls = 0;
    const { take, pass, keeper, clock, store } = keeping((kept) => ({
      release: async (lease) => {
        calls += 1;
        if (isFull) throw new Error('disk full');
        await kept.release(lease);
      },
    }));
    for (const session of ['a', 'b']) await keeper.release(await take(session), written);
    await pass(12_000);
    expect(calls).toBe(6);
    await expect(take('a')).rejects.toThrow('disk full');
    isFull = false;
    expect(await take('a')).toMatchObject({ isTakenOver: false });
    await pass(10_000);
    expect(clock.waiting).toBe(0);
    expect(await store.where('a')).toMatchObject({ owner: first });
  });
});
