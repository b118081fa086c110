import assert from 'node:assert/strict';
import type { Lease, LeaseStore } from '@hexagent/ports';
import type { LeaseStoreFixture } from './hosting-stores-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { runPromises, type KeepPromise } from './store-promises.ts';

/** What every `LeaseStore` promises: one owner at a time, and fences that only grow. */
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

async function acquired(store: LeaseStore, session: string, owner: string): Promise<Lease> {
  const answer = await store.acquire(session, { owner });
  assert.ok(answer.kind === 'acquired', `${owner} did not get the lease of ${session}: ${JSON.stringify(answer)}`);
  return answer.lease;
}

const always: Readonly<Record<string, KeepPromise<LeaseStore>>> = {
  async 'gives a lease that is not held'(store) {
    const lease = await acquired(store, 'a / .. 😀', 'one');
    assert.equal(lease.session, 'a / .. 😀');
    assert.equal(lease.owner, 'one');
    assert.ok(Number.isSafeInteger(lease.fence) && lease.fence > 0, `${lease.fence} is no fence`);
    assert.equal(lease.isTakenOver, false);
  },

  async 'gives a lease to one owner at a time, and names it to the others'(store) {
    await acquired(store, 'a', 'one');
    assert.deepEqual(await store.acquire('a', { owner: 'two' }), { kind: 'held', owner: 'one' });
    assert.equal((await store.acquire('a', { owner: 'one' })).kind, 'held');
    await acquired(store, 'b', 'two');
  },

  async 'gives a lease to one of many that ask at once'(store) {
    const owners = Array.from({ length: 20 }, (_, number) => `owner ${number}`);
    const answers = await Promise.all(owners.map((owner) => store.acquire('a', { owner })));
    assert.equal(answers.filter(({ kind }) => kind === 'acquired').length, 1);
  },

  async 'gives a lease again once it was given back, under a higher fence'(store) {
    const first = await acquired(store, 'a', 'one');
    await store.release(first);
    const second = await acquired(store, 'a', 'two');
    assert.ok(second.fence > first.fence, `${second.fence} is not above ${first.fence}`);
    assert.equal(second.isTakenOver, false);
  },

  async 'leaves the lease of another alone when an old one is given back'(store) {
    const first = await acquired(store, 'a', 'one');
    await store.release(first);
    await store.release(first);
    await acquired(store, 'a', 'two');
    await store.release(first);
    assert.equal((await store.acquire('a', { owner: 'three' })).kind, 'held');
  },

  async 'keeps a lease that is renewed, and not one that was given back'(store) {
    const lease = await acquired(store, 'a', 'one');
    assert.equal(await store.renew(lease), 'kept');
    await store.release(lease);
    assert.equal(await store.renew(lease), 'lost');
  },
};

const durable: Readonly<Record<string, KeepPromise<LeaseStore>>> = {
  async 'holds a lease also against another store over the same place'(store, reopen) {
    const lease = await acquired(store, 'a', 'one');
    const again = await reopen();
    assert.equal((await again.acquire('a', { owner: 'two' })).kind, 'held');
    await store.release(lease);
    assert.ok((await acquired(again, 'a', 'two')).fence > lease.fence);
  },
};

type KeepWithLoss = (store: LeaseStore, loseHolders: () => Promise<void>) => Promise<void>;

const withLoss: Readonly<Record<string, KeepWithLoss>> = {
  async 'gives the lease of an owner that has exited to another, and reports the takeover'(store, loseHolders) {
    const first = await acquired(store, 'a', 'one');
    await loseHolders();
    const second = await acquired(store, 'a', 'two');
    assert.ok(second.fence > first.fence, `${second.fence} is not above ${first.fence}`);
    assert.equal(second.isTakenOver, true);
    assert.equal(await store.renew(first), 'lost');
  },

  async 'gives the lease of an owner that has exited to one of many that ask at once'(store, loseHolders) {
    await acquired(store, 'a', 'one');
    await loseHolders();
    const owners = Array.from({ length: 20 }, (_, number) => `owner ${number}`);
    const answers = await Promise.all(owners.map((owner) => store.acquire('a', { owner })));
    assert.equal(answers.filter(({ kind }) => kind === 'acquired').length, 1);
  },
};
