import type {
  LeaseStore,
  OutboxStore,
  SessionDirectory,
  SessionLog,
  SessionSignal,
  SessionSignals,
  TenantPlaces,
} from '@hexagent/ports';
import {
  brokenPromises,
  leaseStoreContract,
  outboxStoreContract,
  sessionDirectoryContract,
  sessionLogContract,
  sessionSignalsContract,
  tenantPlacesContract,
  withFault,
  type PlacesAndWorkers,
  type Runner,
} from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { MemoryDirectory, MemoryLeases, MemoryLog, MemoryOutbox, MemoryPlaces, MemorySignals } from '../src/index.ts';

// In memory, what takes longer never ends.
const failuresOf = (run: (runner: Runner) => void): Promise<readonly string[]> => brokenPromises(run, { rounds: 500 });

const outboxes: Readonly<Record<string, (kept: OutboxStore) => Partial<OutboxStore>>> = {
  'stores a uuid twice': (kept) => ({
    enqueue: async (message) => {
      await kept.enqueue(message);
      return { kind: 'accepted', number: 1 };
    },
  }),
  'counts duplicates': (kept) => {
    let number = 0;
    return {
      enqueue: async (message) => {
        number += 1;
        const answer = await kept.enqueue(message);
        return answer.kind === 'accepted' ? { ...answer, number } : answer;
      },
    };
  },
  'counts what is pending': (kept) => ({
    enqueue: async (message) => {
      const answer = await kept.enqueue(message);
      const { length } = await kept.pending(message.session);
      return answer.kind === 'accepted' ? { ...answer, number: length } : answer;
    },
  }),
  'ignores the fence': (kept) => ({ mark: (message, state) => kept.mark(message, state, 1e9) }),
  'loses the order': (kept) => ({ pending: async (session) => (await kept.pending(session)).toReversed() }),
  'lists first what was stored last': (kept) => ({
    async *claimable() {
      const sessions: string[] = [];
      for await (const session of kept.claimable()) sessions.unshift(session);
      yield* sessions;
    },
  }),
  'lists what is finished': (kept) => ({
    async *claimable() {
      yield* kept.claimable();
      yield 'c';
    },
  }),
  'forgets what is done with': () => ({ stateOf: async () => undefined }),
  'marks nothing': () => ({ mark: async () => {} }),
  'deletes nothing': () => ({ delete: async () => {} }),
};

describe('The contract of an outbox', () => {
  it('finds one that keeps fewer finished messages than it says', async () => {
    const open = (): { store: OutboxStore } => ({ store: new MemoryOutbox({ keepFinished: 2 }) });
    const fixture = { isDurable: false, open, keepsFinished: 3 };
    expect(await failuresOf((runner) => outboxStoreContract(runner, fixture))).toEqual([
      expect.stringContaining('finished last'),
    ]);
  });

  it.each(Object.entries(outboxes))('finds one that %s', async (_, change) => {
    const open = (): { store: OutboxStore } => ({ store: withFault<OutboxStore>(new MemoryOutbox(), change) });
    const fixture = { isDurable: false, open, keepsFinished: 3 };
    expect(await failuresOf((runner) => outboxStoreContract(runner, fixture))).not.toEqual([]);
  });
});

const directories: Readonly<Record<string, (kept: SessionDirectory) => Partial<SessionDirectory>>> = {
  'ignores the tenant': (kept) => ({ list: (query) => kept.list({ ...query, tenant: undefined }) }),
  'ignores the length of a page': (kept) => ({ list: (query) => kept.list({ ...query, limit: undefined }) }),
  'begins each page with the first record': (kept) => ({ list: (query) => kept.list({ ...query, before: undefined }) }),
  'lists the last used last': (kept) => ({ list: async (query) => (await kept.list(query)).toReversed() }),
  'ignores the fence': (kept) => ({ put: (record) => kept.put(record, 1e9) }),
  'ignores the case of ids': (kept) => ({ get: (id) => kept.get(id.toLowerCase()) }),
  'deletes nothing': () => ({ delete: async () => {} }),
};

describe('The contract of a directory', () => {
  it.each(Object.entries(directories))('finds one that %s', async (_, change) => {
    const open = (): { store: SessionDirectory } => ({
      store: withFault<SessionDirectory>(new MemoryDirectory(), change),
    });
    expect(await failuresOf((runner) => sessionDirectoryContract(runner, { isDurable: false, open }))).not.toEqual([]);
  });
});

const leases: Readonly<Record<string, (kept: LeaseStore) => Partial<LeaseStore>>> = {
  'gives a lease to everybody': () => ({
    acquire: async (session, { owner }) => ({
      kind: 'acquired',
      lease: { session, owner, fence: Date.now(), isTakenOver: false },
    }),
  }),
  'gives a lease to a worker that has left': (kept) => ({
    acquire: async (session, member) => {
      if ((await kept.keep(member)) === 'lost') await kept.join(member);
      return await kept.acquire(session, member);
    },
  }),
  'counts its fences from 1': (kept) => ({
    acquire: async (session, member) => {
      const answer = await kept.acquire(session, member);
      return answer.kind === 'held' ? answer : { ...answer, lease: { ...answer.lease, fence: 1 } };
    },
  }),
  'never gives one back': () => ({ release: async () => {} }),
  'keeps a worker that has left': (kept) => ({
    keep: async (member) => {
      const found = await kept.keep(member);
      return found === 'lost' ? new Map() : found;
    },
  }),
  'reports leases that were given back': (kept) => {
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
  'reports no leases': (kept) => ({
    keep: async (member) => ((await kept.keep(member)) === 'lost' ? 'lost' : new Map()),
  }),
  'gives nothing back when a worker leaves': () => ({ leave: async () => {} }),
  'ignores that a worker is drained': () => ({ drain: async () => {} }),
  'releases what a worker has that is drained': (kept) => ({ drain: (member) => kept.leave(member) }),
  'forgets who has a lease': () => ({ where: async () => undefined }),
  'forgets the address': (kept) => ({ join: ({ owner }) => kept.join({ owner }) }),
  'counts no leases': (kept) => ({
    workers: async () => (await kept.workers()).map((worker) => ({ ...worker, leases: 0 })),
  }),
};

describe('The contract of leases', () => {
  it.each(Object.entries(leases))('finds one that %s', async (_, change) => {
    const open = (): { store: LeaseStore } => ({ store: withFault<LeaseStore>(new MemoryLeases(), change) });
    expect(await failuresOf((runner) => leaseStoreContract(runner, { isDurable: false, open }))).not.toEqual([]);
  });
});

const places: Readonly<Record<string, (kept: TenantPlaces) => Partial<TenantPlaces>>> = {
  'gives a place more': (kept) => ({ take: (tenant, most, member) => kept.take(tenant, most + 1, member) }),
  'counts all tenants together': (kept) => ({ take: (_, most, member) => kept.take('all', most, member) }),
  'takes none back': () => ({ give: async () => {} }),
  'takes one back from another worker': (kept) => ({
    give: async (place) => {
      for (const owner of ['one', 'two']) await kept.give({ ...place, owner });
    },
  }),
  'gives none': () => ({ take: async () => undefined }),
};

describe('The contract of places', () => {
  it.each(Object.entries(places))('finds one that %s', async (_, change) => {
    const open = (): { store: PlacesAndWorkers } => {
      const leases = new MemoryLeases();
      return { store: { leases, places: withFault<TenantPlaces>(new MemoryPlaces({ leases }), change) } };
    };
    expect(await failuresOf((runner) => tenantPlacesContract(runner, { isDurable: false, open }))).not.toEqual([]);
  });
});

const logs: Readonly<Record<string, (kept: SessionLog) => Partial<SessionLog>>> = {
  'ignores the fence': (kept) => ({ append: (session, facts) => kept.append(session, facts, 1e9) }),
  'begins each turn with the next fact': (kept) => ({
    read: (session, from, signal) => kept.read(session, from === 'turn' ? 'now' : from, signal),
  }),
  'loses the order': (kept) => ({ append: (session, facts, fence) => kept.append(session, facts.toReversed(), fence) }),
  'mixes the sessions': (kept) => ({ append: (_, facts, fence) => kept.append('a', facts, fence) }),
  'begins with the first read': (kept) => ({
    async *read(session, from, signal) {
      yield* kept.read(session, from, signal);
    },
  }),
  'gives what a reader missed to none': (kept) => ({
    read: (session, from, signal) => kept.read(session, typeof from === 'object' ? 'now' : from, signal),
  }),
  'deletes nothing': () => ({ delete: async () => {} }),
};

describe('The contract of a log', () => {
  it.each(Object.entries(logs))('finds one that %s', async (_, change) => {
    const open = (): { store: SessionLog } => ({ store: withFault<SessionLog>(new MemoryLog(), change) });
    const contract = (runner: Runner): void => sessionLogContract(runner, { isDurable: false, open });
    expect(await failuresOf(contract)).not.toEqual([]);
  });
});

const signals: Readonly<Record<string, (kept: SessionSignals) => Partial<SessionSignals>>> = {
  'changes what is sent': (kept) => ({
    send: (signal) => kept.send({ ...signal, session: signal.session.toUpperCase() }),
  }),
  'mixes up the kinds': (kept) => ({ send: (signal) => kept.send({ ...signal, kind: 'wake' }) }),
  'leaves no listener': (kept) => ({
    subscribe: (listener) => {
      kept.subscribe(listener);
      return () => {};
    },
  }),
  'gives a signal to the last listener alone': (kept) => {
    let last = (): void => {};
    return {
      subscribe: (listener) => {
        last();
        last = kept.subscribe(listener);
        return last;
      },
    };
  },
  'throws what a listener throws': () => {
    const listeners = new Set<(signal: SessionSignal) => void>();
    return {
      send: (signal) => listeners.forEach((listener) => listener(signal)),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
  },
};

describe('The contract of signals', () => {
  it.each(Object.entries(signals))('finds one that %s', async (_, change) => {
    const open = (): { store: SessionSignals } => ({ store: withFault<SessionSignals>(new MemorySignals(), change) });
    expect(await failuresOf((runner) => sessionSignalsContract(runner, { isDurable: false, open }))).not.toEqual([]);
  });
});
