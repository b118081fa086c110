import type { Lease, LeaseStore } from '@hexagent/ports';
import { leaseStoreContract, plantedFaults } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { createLeases, loseHolders, overlapping, stores, type Fault, type Planted } from './faulty-stores.ts';

/** Changes the leases that a store gives. */
const given =
  (change: (lease: Lease) => Partial<Lease>) =>
  (kept: LeaseStore): Partial<LeaseStore> => ({
    async acquire(session, member) {
      const answer = await kept.acquire(session, member);
      return answer.kind === 'held' ? answer : { ...answer, lease: { ...answer.lease, ...change(answer.lease) } };
    },
  });

const faults: readonly Fault<LeaseStore>[] = [
  [
    'takes each lease over',
    given(() => ({ isTakenOver: true })),
    [
      'gives a lease that is not held',
      'gives a lease again once it was given back, under a higher fence',
      'releases all that a worker has when it leaves, and nothing of another',
    ],
  ],
  [
    'does not name the worker that has a lease',
    (kept) => ({
      async acquire(session, member) {
        const answer = await kept.acquire(session, member);
        return answer.kind === 'held' ? { ...answer, owner: '' } : answer;
      },
    }),
    'gives a lease to one worker at a time, and names it to the others',
  ],
  [
    'gives a lease to each that asks for it',
    () => {
      let fence = Date.now();
      return {
        acquire: async (session, { owner }) => ({
          kind: 'acquired',
          lease: { session, owner, fence: (fence += 1), isTakenOver: false },
        }),
      };
    },
    [
      'gives a lease to one worker at a time, and names it to the others',
      'gives a lease anew to the worker that has it, under a higher fence: the answer before may have been lost',
      'gives a lease to one of many that ask at once',
      'leaves the lease of another alone when an old one is given back',
      'reports the fences of a worker where it is kept: of what it has, and of that alone',
      'releases all that a worker has when it leaves, and nothing of another',
      'gives no lease to a worker that has left',
      'finds the worker that has a lease, its address and its capacity',
      'lists the workers, how many leases they have, and which are drained',
      'holds a lease also against another store over the same place',
      'gives the lease of a worker that has exited to another, and reports the takeover',
      'gives the lease of a worker that has exited to one of many that ask at once',
      'leaves out a worker that has exited, which can neither be kept nor take a lease',
    ],
  ],
  [
    'does not report that the worker may have taken the lease over',
    (kept) => {
      const owners = new Map<string, string>();
      const change = ({ session, owner }: Lease): Partial<Lease> => {
        const isOwn = owners.get(session) === owner;
        owners.set(session, owner);
        return isOwn ? { isTakenOver: false } : {};
      };
      return given(change)(kept);
    },
    'gives a lease anew to the worker that has it, under a higher fence: the answer before may have been lost',
  ],
  [
    'gives a lease to all that ask at once',
    (kept) => {
      const acquire = overlapping(kept.acquire.bind(kept), (session) => session);
      return {
        async acquire(session, member) {
          const { value, isAlone } = await acquire(session, member);
          const lease = { session, owner: member.owner, fence: Date.now(), isTakenOver: false };
          return isAlone ? value : { kind: 'acquired', lease };
        },
      };
    },
    [
      'gives a lease to one of many that ask at once',
      'gives the lease of a worker that has exited to one of many that ask at once',
    ],
  ],
  [
    'forgets the fence of a lease that was given back',
    (kept) => {
      const released = new Set<string>();
      return {
        ...given(({ session, fence }) => (released.has(session) ? { fence: fence - 60_000 } : {}))(kept),
        async release(lease) {
          await kept.release(lease);
          released.add(lease.session);
        },
      };
    },
    'gives a lease again once it was given back, under a higher fence',
  ],
  [
    'counts its fences from 1',
    given(() => ({ fence: 1 })),
    [
      'gives a lease anew to the worker that has it, under a higher fence: the answer before may have been lost',
      'gives a lease again once it was given back, under a higher fence',
      'begins fences with the time of day, so that a store that lost them does not repeat one',
      'leaves the lease of another alone when an old one is given back',
      'reports the fences of a worker where it is kept: of what it has, and of that alone',
      'releases all that a worker has when it leaves, and nothing of another',
      'finds the worker that has a lease, its address and its capacity',
      'holds a lease also against another store over the same place',
      'gives the lease of a worker that has exited to another, and reports the takeover',
    ],
  ],
  [
    'gives back whatever lease there is of a session',
    (kept) => {
      const last = new Map<string, Lease>();
      return {
        ...given((lease) => (last.set(lease.session, lease), {}))(kept),
        release: (lease) => kept.release(last.get(lease.session) ?? lease),
      };
    },
    [
      'gives a lease anew to the worker that has it, under a higher fence: the answer before may have been lost',
      'leaves the lease of another alone when an old one is given back',
      'gives the lease of a worker that has exited to another, and reports the takeover',
    ],
  ],
  [
    'never gives one back',
    () => ({ release: async () => {} }),
    [
      'gives a lease anew to the worker that has it, under a higher fence: the answer before may have been lost',
      'gives a lease again once it was given back, under a higher fence',
      'leaves the lease of another alone when an old one is given back',
      'reports the fences of a worker where it is kept: of what it has, and of that alone',
      'finds the worker that has a lease, its address and its capacity',
      'holds a lease also against another store over the same place',
    ],
  ],
  [
    'keeps a worker that has left',
    (kept) => ({
      keep: async (member) => {
        const found = await kept.keep(member);
        return found === 'lost' ? new Map() : found;
      },
    }),
    [
      'keeps a worker until it leaves',
      'leaves out a worker that has exited, which can neither be kept nor take a lease',
    ],
  ],
  [
    'reports leases that were given back',
    (kept) => {
      const all = new Map<string, number>();
      return {
        keep: async (member) => {
          const found = await kept.keep(member);
          if (found === 'lost') return found;
          for (const [session, fence] of found) all.set(session, fence);
          return all;
        },
      };
    },
    'reports the fences of a worker where it is kept: of what it has, and of that alone',
  ],
  [
    'reports no leases',
    (kept) => ({
      keep: async (member) => ((await kept.keep(member)) === 'lost' ? 'lost' : new Map()),
    }),
    'reports the fences of a worker where it is kept: of what it has, and of that alone',
  ],
  [
    'gives nothing back when a worker leaves',
    () => ({ leave: async () => {} }),
    [
      'keeps a worker until it leaves',
      'releases all that a worker has when it leaves, and nothing of another',
      'gives no lease to a worker that has left',
      'lists the workers, how many leases they have, and which are drained',
    ],
  ],
  [
    'releases what a worker has that is drained',
    (kept) => ({ drain: (member) => kept.leave(member) }),
    [
      'lists the workers, how many leases they have, and which are drained',
      'holds a lease also against another store over the same place',
    ],
  ],
  [
    'gives a lease to a worker that has left',
    (kept) => ({
      acquire: async (session, member) => {
        if ((await kept.keep(member)) === 'lost') await kept.join(member);
        return await kept.acquire(session, member);
      },
    }),
    [
      'gives no lease to a worker that has left',
      'leaves out a worker that has exited, which can neither be kept nor take a lease',
    ],
  ],
  [
    'forgets who has a lease',
    () => ({ where: async () => undefined }),
    [
      'finds the worker that has a lease, its address and its capacity',
      'holds a lease also against another store over the same place',
    ],
  ],
  [
    'forgets the address',
    (kept) => ({ join: ({ owner, capacity }) => kept.join({ owner, capacity }) }),
    [
      'finds the worker that has a lease, its address and its capacity',
      'holds a lease also against another store over the same place',
    ],
  ],
  [
    'forgets the capacity',
    (kept) => ({ join: ({ owner, address }) => kept.join({ owner, address }) }),
    'finds the worker that has a lease, its address and its capacity',
  ],
  [
    'counts no leases',
    (kept) => ({
      workers: async () => (await kept.workers()).map((worker) => ({ ...worker, leases: 0 })),
    }),
    [
      'releases all that a worker has when it leaves, and nothing of another',
      'lists the workers, how many leases they have, and which are drained',
      'holds a lease also against another store over the same place',
    ],
  ],
  [
    'ignores that a worker is drained',
    () => ({ drain: async () => {} }),
    [
      'lists the workers, how many leases they have, and which are drained',
      'holds a lease also against another store over the same place',
    ],
  ],
  [
    'does not find who has a lease of another process',
    { restarted: () => ({ where: async () => undefined }) },
    'holds a lease also against another store over the same place',
  ],
  [
    'takes no lease over',
    given(() => ({ isTakenOver: false })),
    [
      'gives a lease anew to the worker that has it, under a higher fence: the answer before may have been lost',
      'gives the lease of a worker that has exited to another, and reports the takeover',
    ],
  ],
  [
    'finds a worker that has exited',
    (kept) => {
      const last = new Map<string, Lease>();
      return {
        ...given((lease) => (last.set(lease.session, lease), {}))(kept),
        async release(lease) {
          last.delete(lease.session);
          await kept.release(lease);
        },
        async where(session) {
          const owner = last.get(session)?.owner;
          return (await kept.where(session)) ?? (owner === undefined ? undefined : { owner });
        },
      };
    },
    'leaves out a worker that has exited, which can neither be kept nor take a lease',
  ],
];

describe('The contract of leases', () => {
  plantedFaults<Planted<LeaseStore>>(
    { it },
    {
      suite: (runner, planted) =>
        leaseStoreContract(runner, { ...stores<LeaseStore>(createLeases, planted), loseHolders }),
      kept: {},
      faults,
    },
  );
});
