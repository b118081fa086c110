import { assert } from './assert.ts';
import type { Membership, TenantPlace, TenantPlaces } from '@hexagent/ports';
import { hasCode } from './has-code.ts';
import type { PlacesAndWorkers, TenantPlacesFixture } from './hosting-stores-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { runPromises, type KeepPromise } from './store-promises.ts';

/** What every `TenantPlaces` promises: a tenant never has more places than it may, and all of them again when workers go. */
export function tenantPlacesContract(runner: Runner, fixture: TenantPlacesFixture): void {
  const limited = limitedRunner('tenantPlacesContract', runner, fixture);
  const { loseHolders } = fixture;
  limited.describe('TenantPlaces contract', () => {
    runPromises(limited, fixture, { always, durable });
    (loseHolders === undefined ? limited.it.skip : limited.it)(
      'frees the places of a worker that is lost',
      async () => {
        const opened = await fixture.open();
        const { places, leases } = opened.store;
        try {
          const one = await leases.join({ owner: 'one' });
          await taken(places, 'ada', 1, one);
          await loseHolders?.(opened.store);
          const two = await leases.join({ owner: 'two' });
          const place = await taken(places, 'ada', 1, two);
          await assert.rejects(places.take('ada', 1, one), hasCode('LEASE_LOST'));
          assert.equal(await places.take('ada', 1, two), undefined);
          await places.give(place);
        } finally {
          await opened.close?.();
        }
      },
    );
  });
}

async function taken(places: TenantPlaces, tenant: string, most: number, by: Membership): Promise<TenantPlace> {
  const place = await places.take(tenant, most, by);
  assert.ok(place, `${by.owner} did not get a place of ${tenant}`);
  assert.deepEqual([place.tenant, place.owner], [tenant, by.owner]);
  assert.ok(place.number >= 1 && place.number <= most, `${place.number} is not among ${most}`);
  return place;
}

const always: Readonly<Record<string, KeepPromise<PlacesAndWorkers>>> = {
  async 'gives a tenant as many places as it may have, to any worker'({ places, leases }) {
    const [one, two] = [await leases.join({ owner: 'one' }), await leases.join({ owner: 'two' })];
    const first = await taken(places, 'ada', 2, one);
    const second = await taken(places, 'ada', 2, two);
    assert.notEqual(first.number, second.number);
    assert.equal(await places.take('ada', 2, one), undefined);
    await taken(places, 'ben', 2, one);
  },

  async 'gives a place again that was given back'({ places, leases }) {
    const one = await leases.join({ owner: 'one' });
    const first = await taken(places, 'ada', 1, one);
    await places.give(first);
    await places.give(first);
    await taken(places, 'ada', 1, one);
    assert.equal(await places.take('ada', 1, one), undefined);
  },

  async 'leaves a place to the worker that has it by now'({ places, leases }) {
    const [one, two] = [await leases.join({ owner: 'one' }), await leases.join({ owner: 'two' })];
    const first = await taken(places, 'ada', 1, one);
    await places.give(first);
    await taken(places, 'ada', 1, two);
    await places.give(first);
    assert.equal(await places.take('ada', 1, one), undefined);
  },

  async 'frees the places of a worker that leaves'({ places, leases }) {
    const [one, two] = [await leases.join({ owner: 'one' }), await leases.join({ owner: 'two' })];
    await taken(places, 'ada', 1, one);
    await leases.leave(one);
    await assert.rejects(places.take('ada', 1, one), hasCode('LEASE_LOST'));
    await taken(places, 'ada', 1, two);
  },

  async 'gives no place twice to many that ask at once'({ places, leases }) {
    const members = await Promise.all(Array.from({ length: 20 }, (_, at) => leases.join({ owner: `worker ${at}` })));
    const found = await Promise.all(members.map((member) => places.take('ada', 7, member)));
    const numbers = found.flatMap((place) => place?.number ?? []);
    assert.deepEqual(numbers.toSorted(), [1, 2, 3, 4, 5, 6, 7]);
  },

  async 'keeps tenants apart whose names are odd'({ places, leases }) {
    const one = await leases.join({ owner: 'one' });
    for (const tenant of ['', '\0', "'); drop table places; --", '__proto__', 'a.b'])
      await taken(places, tenant, 1, one);
  },
};

const durable: Readonly<Record<string, KeepPromise<PlacesAndWorkers>>> = {
  async 'counts the places that another process has'({ places, leases }, reopen) {
    const one = await leases.join({ owner: 'one' });
    const first = await taken(places, 'ada', 1, one);
    const again = await reopen();
    const two = await again.leases.join({ owner: 'two' });
    assert.equal(await again.places.take('ada', 1, two), undefined);
    await places.give(first);
    await taken(again.places, 'ada', 1, two);
  },
};
