import { SdkError, type TenantPlaces } from '@hexagent/ports';
import { plantedFaults, tenantPlacesContract, withFault, type PlacesAndWorkers } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { MemoryPlaces } from '../src/index.ts';
import { createLeases, loseHolders, overlapping, stores, type Fault, type Planted } from './faulty-stores.ts';

const faults: readonly Fault<TenantPlaces>[] = [
  [
    'gives a place more',
    (kept) => ({ take: (tenant, most, member) => kept.take(tenant, most + 1, member) }),
    [
      'gives a tenant as many places as it may have, to any worker',
      'gives a place again that was given back',
      'leaves a place to the worker that has it by now',
      'gives no place twice to many that ask at once',
      'counts the places that another process has',
      'frees the places of a worker that is lost',
    ],
  ],
  [
    'counts all tenants together',
    (kept) => ({ take: (_, most, member) => kept.take('all', most, member) }),
    [
      'gives a tenant as many places as it may have, to any worker',
      'gives a place again that was given back',
      'leaves a place to the worker that has it by now',
      'frees the places of a worker that leaves',
      'keeps tenants apart whose names are odd',
      'counts the places that another process has',
      'frees the places of a worker that is lost',
    ],
  ],
  [
    'gives none',
    () => ({ take: async () => undefined }),
    [
      'gives a tenant as many places as it may have, to any worker',
      'gives a place again that was given back',
      'leaves a place to the worker that has it by now',
      'frees the places of a worker that leaves',
      'gives no place twice to many that ask at once',
      'keeps tenants apart whose names are odd',
      'counts the places that another process has',
      'frees the places of a worker that is lost',
    ],
  ],
  [
    'takes none back',
    () => ({ give: async () => {} }),
    [
      'gives a place again that was given back',
      'leaves a place to the worker that has it by now',
      'counts the places that another process has',
    ],
  ],
  [
    'takes one back from another worker',
    (kept) => ({
      give: async (place) => {
        for (const owner of ['one', 'two']) await kept.give({ ...place, owner });
      },
    }),
    'leaves a place to the worker that has it by now',
  ],
  [
    'gives a worker none that has left',
    (kept) => ({
      take: (...asked) =>
        kept.take(...asked).catch((error: unknown) => {
          if (!SdkError.is(error)) throw error;
          return undefined;
        }),
    }),
    ['frees the places of a worker that leaves', 'frees the places of a worker that is lost'],
  ],
  [
    'gives one place to all that ask at once',
    (kept) => {
      const take = overlapping(kept.take.bind(kept), (tenant) => tenant);
      return {
        async take(tenant, most, member) {
          const { value, isAlone } = await take(tenant, most, member);
          return isAlone ? value : { tenant, owner: member.owner, number: 1 };
        },
      };
    },
    ['gives no place twice to many that ask at once', 'frees the places of a worker that is lost'],
  ],
  [
    'does not take each name for a tenant',
    (kept) => ({
      take: (tenant, ...asked) => kept.take(tenant.replaceAll('\0', ''), ...asked),
    }),
    'keeps tenants apart whose names are odd',
  ],
  [
    'does not count what another process has',
    { restarted: () => ({ take: async (tenant, _, { owner }) => ({ tenant, owner, number: 1 }) }) },
    'counts the places that another process has',
  ],
];

describe('The contract of places', () => {
  plantedFaults<Planted<TenantPlaces>>(
    { it },
    {
      suite(runner, planted) {
        const change = typeof planted === 'function' ? planted : planted.restarted;
        const spoilt = ({ leases: own, places: kept }: PlacesAndWorkers): Partial<PlacesAndWorkers> => ({
          leases: own,
          places: withFault(kept, change ?? (() => ({}))),
        });
        const made = stores<PlacesAndWorkers>(
          () => {
            const own = createLeases();
            return { leases: own, places: new MemoryPlaces({ leases: own }) };
          },
          typeof planted === 'function' ? spoilt : { restarted: spoilt },
        );
        tenantPlacesContract(runner, { ...made, loseHolders: (store) => loseHolders(store.leases) });
      },
      kept: {},
      faults,
    },
  );
});
