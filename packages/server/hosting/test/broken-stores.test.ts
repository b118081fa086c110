import type { LeaseStore, OutboxStore, SessionDirectory } from '@hexagent/ports';
import {
  leaseStoreContract,
  outboxStoreContract,
  sessionDirectoryContract,
  type Case,
  type Runner,
} from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { MemoryDirectory, MemoryLeases, MemoryOutbox } from '../src/index.ts';

/** The titles of the tests that fail. */
async function failuresOf(run: (runner: Runner) => void): Promise<readonly string[]> {
  const cases: [string, () => Promise<void>][] = [];
  const collect: Case = (name, body) => cases.push([name, body]);
  run({ describe: (_, body) => body(), it: Object.assign(collect, { skip: () => {} }) });
  const failed = await Promise.all(
    cases.map(([name, body]) =>
      body().then(
        () => [],
        () => [name],
      ),
    ),
  );
  return failed.flat();
}

/** The same object, with some methods replaced. */
function spoiled<Store extends object>(store: Store, change: (kept: Store) => Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(change(target), name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const outboxes: Readonly<Record<string, (kept: OutboxStore) => Partial<OutboxStore>>> = {
  'stores a uuid twice': (kept) => ({
    enqueue: async (message, fence) => {
      await kept.enqueue(message, fence);
      return { kind: 'accepted' };
    },
  }),
  'ignores the fence': (kept) => ({ enqueue: (message) => kept.enqueue(message, 1e9) }),
  'loses the order': (kept) => ({ pending: async (session) => (await kept.pending(session)).toReversed() }),
  'forgets what is done with': () => ({ stateOf: async () => undefined }),
  'marks nothing': () => ({ mark: async () => {} }),
  'deletes nothing': () => ({ delete: async () => {} }),
};

describe('The contract of an outbox', () => {
  it.each(Object.entries(outboxes))('finds one that %s', async (_, change) => {
    const open = (): { store: OutboxStore } => ({ store: spoiled<OutboxStore>(new MemoryOutbox(), change) });
    expect(await failuresOf((runner) => outboxStoreContract(runner, { isDurable: false, open }))).not.toEqual([]);
  });
});

const directories: Readonly<Record<string, (kept: SessionDirectory) => Partial<SessionDirectory>>> = {
  'ignores the tenant': (kept) => ({ list: () => kept.list() }),
  'ignores the fence': (kept) => ({ put: (record) => kept.put(record, 1e9) }),
  'ignores the case of ids': (kept) => ({ get: (id) => kept.get(id.toLowerCase()) }),
  'deletes nothing': () => ({ delete: async () => {} }),
};

describe('The contract of a directory', () => {
  it.each(Object.entries(directories))('finds one that %s', async (_, change) => {
    const open = (): { store: SessionDirectory } => ({
      store: spoiled<SessionDirectory>(new MemoryDirectory(), change),
    });
    expect(await failuresOf((runner) => sessionDirectoryContract(runner, { isDurable: false, open }))).not.toEqual([]);
  });
});

const leases: Readonly<Record<string, (kept: LeaseStore) => Partial<LeaseStore>>> = {
  'gives a lease to everybody': () => ({
    acquire: async (session, { owner }) => ({
      kind: 'acquired',
      lease: { session, owner, fence: 1, isTakenOver: false, renewWithinMs: undefined },
    }),
  }),
  'never gives one back': () => ({ release: async () => {} }),
  'keeps what was given back': () => ({ renew: async () => 'kept' }),
};

describe('The contract of leases', () => {
  it.each(Object.entries(leases))('finds one that %s', async (_, change) => {
    const open = (): { store: LeaseStore } => ({ store: spoiled<LeaseStore>(new MemoryLeases(), change) });
    expect(await failuresOf((runner) => leaseStoreContract(runner, { isDurable: false, open }))).not.toEqual([]);
  });
});
