import { assert } from './assert.ts';
import type { Lease, LeaseStore, Membership } from '@hexagent/ports';
import { hasCode } from './has-code.ts';
import type { LeaseStoreFixture } from './hosting-stores-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { runPromises, type KeepPromise } from './store-promises.ts';

/** What every `LeaseStore` promises: one holder at a time, fences that only grow, and workers that have all their leases or none. */
export function leaseStoreContract(runner: Runner, fixture: LeaseStoreFixture): void {
  const limited = limitedRunner('leaseStoreContract', runner, fixture);
  const { loseHolders } = fixture;
  limited.describe('LeaseStore contract', () => {
    runPromises(limited, fixture, { always, durable });
    const { it } = limited;
    for (const [name, keep] of Object.entries(withLoss))
      (loseHolders === undefined ? it.skip : it)(name, async () => {
        const { store, close } = await fixture.open();
        try {
          await keep(store, async () => await loseHolders?.(store));
        } finally {
          await close?.();
        }
      });
  });
}

async function acquired(store: LeaseStore, session: string, member: Membership): Promise<Lease> {
  const answer = await store.acquire(session, member);
  assert.ok(
    answer.kind === 'acquired',
    `${member.owner} did not get the lease of ${session}: ${JSON.stringify(answer)}`,
  );
  return answer.lease;
}

async function joined<Owner extends string>(
  store: LeaseStore,
  ...owners: readonly Owner[]
): Promise<Readonly<Record<Owner, Membership>>> {
  const members = await Promise.all(owners.map(async (owner) => [owner, await store.join({ owner })] as const));
  return Object.fromEntries(members) as Record<Owner, Membership>; // each owner is there
}

const fencesOf = (...leases: readonly Lease[]): ReadonlyMap<string, number> =>
  new Map(leases.map(({ session, fence }) => [session, fence]));

/** How many of many workers get a lease for which they ask at once. */
async function racing(store: LeaseStore): Promise<number> {
  const owners = Array.from({ length: 20 }, (_, number) => `racing ${number}`);
  const members = Object.values(await joined(store, ...owners));
  const answers = await Promise.all(members.map((member) => store.acquire('a', member)));
  return answers.filter(({ kind }) => kind === 'acquired').length;
}

async function workersOf(store: LeaseStore): Promise<readonly (readonly [string, number, boolean])[]> {
  const workers = await store.workers();
  const rows = workers.map(({ owner, leases, isDraining }) => [owner, leases, isDraining] as const);
  return rows.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const always: Readonly<Record<string, KeepPromise<LeaseStore>>> = {
  async 'gives a lease that is not held'(store) {
    const { one } = await joined(store, 'one');
    const lease = await acquired(store, 'a / .. 😀', one);
    assert.equal(lease.session, 'a / .. 😀');
    assert.equal(lease.owner, 'one');
    assert.equal(lease.isTakenOver, false);
  },

  async 'gives a lease to one worker at a time, and names it to the others'(store) {
    const { one, two } = await joined(store, 'one', 'two');
    await acquired(store, 'a', one);
    assert.deepEqual(await store.acquire('a', two), { kind: 'held', owner: 'one' });
    await acquired(store, 'b', two);
  },

  async 'gives a lease anew to the worker that has it, under a higher fence: the answer before may have been lost'(
    store,
  ) {
    const { one, two } = await joined(store, 'one', 'two');
    const lost = await acquired(store, 'a', one);
    const lease = await acquired(store, 'a', one);
    assert.ok(lease.fence > lost.fence, `${lease.fence} is not above ${lost.fence}`);
    // The lost answer may have been that of a takeover.
    assert.equal(lease.isTakenOver, true);
    await store.release(lost);
    assert.equal((await store.acquire('a', two)).kind, 'held');
    await store.release(lease);
    await acquired(store, 'a', two);
  },

  async 'gives a lease to one of many that ask at once'(store) {
    assert.equal(await racing(store), 1);
  },

  async 'gives a lease again once it was given back, under a higher fence'(store) {
    const { one, two } = await joined(store, 'one', 'two');
    const first = await acquired(store, 'a', one);
    await store.release(first);
    const second = await acquired(store, 'a', two);
    assert.ok(second.fence > first.fence, `${second.fence} is not above ${first.fence}`);
    assert.equal(second.isTakenOver, false);
  },

  async 'begins fences with the time of day, so that a store that lost them does not repeat one'(store) {
    const { one } = await joined(store, 'one');
    const { fence } = await acquired(store, 'a', one);
    assert.ok(Number.isSafeInteger(fence), `${fence} is not a whole number`);
    // The clock of the store may be that of another machine.
    assert.ok(Math.abs(fence - Date.now()) < 86_400_000, `${fence} is not about ${Date.now()}`);
  },

  async 'leaves the lease of another alone when an old one is given back'(store) {
    const { one, two, three } = await joined(store, 'one', 'two', 'three');
    const first = await acquired(store, 'a', one);
    await store.release(first);
    await store.release(first);
    await acquired(store, 'a', two);
    await store.release(first);
    assert.equal((await store.acquire('a', three)).kind, 'held');
  },

  async 'keeps a worker until it leaves'(store) {
    const { one, two } = await joined(store, 'one', 'two');
    assert.deepEqual(await store.keep(one), new Map());
    await store.leave(one);
    assert.equal(await store.keep(one), 'lost');
    assert.deepEqual(await store.keep(two), new Map());
  },

  async 'reports the fences of a worker where it is kept: of what it has, and of that alone'(store) {
    const { one, two } = await joined(store, 'one', 'two');
    const [a, b] = [await acquired(store, 'a / .. 😀', one), await acquired(store, 'b', one)];
    const c = await acquired(store, 'c', two);
    assert.deepEqual(await store.keep(one), fencesOf(a, b));
    await store.release(a);
    const again = await acquired(store, 'b', one);
    assert.deepEqual(await store.keep(one), fencesOf(again));
    assert.deepEqual(await store.keep(two), fencesOf(c));
  },

  async 'releases all that a worker has when it leaves, and nothing of another'(store) {
    const { one, two, three } = await joined(store, 'one', 'two', 'three');
    const before = await Promise.all(['a', 'b'].map((session) => acquired(store, session, one)));
    await acquired(store, 'c', two);
    await store.leave(one);
    for (const { session, fence } of before) {
      const lease = await acquired(store, session, three);
      assert.equal(lease.isTakenOver, false);
      assert.ok(lease.fence > fence, `${lease.fence} is not above ${fence}`);
    }
    await store.leave(one);
    assert.deepEqual(await workersOf(store), [
      ['three', 2, false],
      ['two', 1, false],
    ]);
  },

  async 'gives no lease to a worker that has left'(store) {
    const { one } = await joined(store, 'one');
    await store.leave(one);
    await assert.rejects(store.acquire('a', one), hasCode('LEASE_LOST'));
    assert.equal(await store.where('a'), undefined);
  },

  async 'finds the worker that has a lease, its address and its capacity'(store) {
    const one = await store.join({ owner: 'one', address: 'http://10.0.0.1:8080', capacity: 7 });
    assert.equal(await store.where('a'), undefined);
    const lease = await acquired(store, 'a', one);
    const worker = await store.where('a');
    assert.deepEqual([worker?.owner, worker?.address, worker?.capacity], ['one', 'http://10.0.0.1:8080', 7]);
    const [state] = await store.workers();
    assert.deepEqual([state?.address, state?.capacity], ['http://10.0.0.1:8080', 7]);
    await store.release(lease);
    assert.equal(await store.where('a'), undefined);
  },

  async 'lists the workers, how many leases they have, and which are drained'(store) {
    const { one, two } = await joined(store, 'one', 'two');
    await acquired(store, 'a', one);
    await acquired(store, 'b', one);
    await store.drain(one);
    assert.deepEqual(await workersOf(store), [
      ['one', 2, true],
      ['two', 0, false],
    ]);
    assert.equal((await store.acquire('a', two)).kind, 'held');
    assert.notEqual(await store.keep(one), 'lost');
    await store.leave(one);
    await store.drain(one);
    assert.deepEqual(await workersOf(store), [['two', 0, false]]);
  },
};

const durable: Readonly<Record<string, KeepPromise<LeaseStore>>> = {
  async 'holds a lease also against another store over the same place'(store, reopen) {
    const one = await store.join({ owner: 'one', address: 'there' });
    const lease = await acquired(store, 'a', one);
    await store.drain(one);
    const again = await reopen();
    const { two } = await joined(again, 'two');
    assert.equal((await again.acquire('a', two)).kind, 'held');
    assert.equal((await again.where('a'))?.address, 'there');
    assert.deepEqual(await workersOf(again), [
      ['one', 1, true],
      ['two', 0, false],
    ]);
    await store.release(lease);
    assert.ok((await acquired(again, 'a', two)).fence > lease.fence);
  },
};

type KeepWithLoss = (store: LeaseStore, loseHolders: () => Promise<void>) => Promise<void>;

const withLoss: Readonly<Record<string, KeepWithLoss>> = {
  async 'gives the lease of a worker that has exited to another, and reports the takeover'(store, loseHolders) {
    const { one } = await joined(store, 'one');
    const first = await acquired(store, 'a', one);
    await loseHolders();
    const { two, three } = await joined(store, 'two', 'three');
    const second = await acquired(store, 'a', two);
    assert.ok(second.fence > first.fence, `${second.fence} is not above ${first.fence}`);
    assert.equal(second.isTakenOver, true);
    await store.release(first);
    await store.leave(one);
    assert.equal((await store.acquire('a', three)).kind, 'held');
  },

  async 'gives the lease of a worker that has exited to one of many that ask at once'(store, loseHolders) {
    const { one } = await joined(store, 'one');
    await acquired(store, 'a', one);
    await loseHolders();
    assert.equal(await racing(store), 1);
  },

  async 'leaves out a worker that has exited, which can neither be kept nor take a lease'(store, loseHolders) {
    const { one } = await joined(store, 'one');
    await acquired(store, 'a', one);
    await loseHolders();
    assert.equal(await store.where('a'), undefined);
    assert.deepEqual(await store.workers(), []);
    assert.equal(await store.keep(one), 'lost');
    await assert.rejects(store.acquire('b', one), hasCode('LEASE_LOST'));
  },
};
