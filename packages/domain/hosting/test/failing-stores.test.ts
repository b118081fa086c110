import type { LeaseStore, OutboxStore, SessionDirectory } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../src/index.ts';
import { MemoryDirectory, MemoryLeases, MemoryOutbox } from '../src/index.ts';
import { fakeHost, type FakeHost } from './fake-agents.ts';

interface Stores {
  readonly outbox: OutboxStore;
  readonly directory: SessionDirectory;
  readonly leases: LeaseStore;
}

/** A store whose method fails in the calls that `fails` names, counted from 1. */
function failing<Store extends object>(store: Store, method: keyof Store, fails: (call: number) => boolean): Store {
  let calls = 0;
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== method) return value.bind(target);
      return (...args: readonly unknown[]): unknown => {
        calls += 1;
        return fails(calls) ? Promise.reject(new Error('disk full')) : Reflect.apply(value, target, args);
      };
    },
  });
}

const methods = {
  enqueue: 'outbox',
  mark: 'outbox',
  pending: 'outbox',
  get: 'directory',
  put: 'directory',
  acquire: 'leases',
  release: 'leases',
} as const;
type Method = keyof typeof methods;

function storesWith(method: Method, fails: (call: number) => boolean): Stores {
  const stores: Record<string, object> = {
    outbox: new MemoryOutbox(),
    directory: new MemoryDirectory(),
    leases: new MemoryLeases(),
  };
  const name = methods[method];
  stores[name] = failing(stores[name] ?? {}, method as never, fails); // of the store named in the table
  return stores as unknown as Stores; // as made above
}

/** Answers whatever the agents receive, for as long as `passes` of time. */
async function play(fake: FakeHost, passes: number): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) {
    for (const agent of fake.agents) {
      agent.begin();
      await fake.settle();
      agent.answer();
    }
    await fake.pass(10_000);
  }
}

/** Sends the message again where its storing failed, as a program does that was shown the error. */
async function sendUntilStored(fake: FakeHost, uuid: string): Promise<Receipt> {
  for (let attempt = 0; ; attempt += 1)
    try {
      await fake.host.create('chat');
      return await fake.host.send('chat', { uuid, content: uuid });
    } catch (error) {
      if (attempt === 3 || !String(error).includes('disk full')) throw error;
    }
}

const cases = Object.keys(methods).flatMap((method) =>
  [1, 2, 3, 4, 5, 6].map((call) => ({ method: method as Method, call })),
);

describe('A store that fails once', () => {
  it.each(cases)('loses no message: $method, call $call', async ({ method, call }) => {
    await using fake = fakeHost({ ...storesWith(method, (count) => count === call), autoResume: 'continue' });
    const crashes: string[] = [];
    fake.host.observe('chat', (event) => void (event.kind === 'crashed' && crashes.push(String(event.error))));
    const ends: unknown[] = [];
    for (const uuid of ['first', 'second']) {
      const { done } = await sendUntilStored(fake, uuid);
      void done.then((end) => ends.push(end));
      await play(fake, 4);
    }
    expect(ends).toMatchObject([{ state: 'completed' }, { state: 'completed' }]);
    expect(crashes.filter((error) => !error.includes('disk full'))).toEqual([]);
  });
});

describe('A lease that cannot be given back', () => {
  it('is given back later, so that another process may drive the session', async () => {
    let isFull = true;
    const stores = storesWith('release', () => isFull);
    await using fake = fakeHost(stores);
    await fake.host.create('chat');
    await fake.pass(60_000);
    const other = fakeHost(stores);
    await expect(other.host.send('chat', 'go')).rejects.toMatchObject({ code: 'SESSION_HELD' });
    isFull = false;
    await fake.pass(60_000);
    await expect(other.host.send('chat', 'go')).resolves.toMatchObject({ kind: 'accepted' });
    await other.host.close();
  });
});

describe('A store that keeps failing', () => {
  it.each(['mark', 'put'] as const)(
    'is named by the crash that it causes, and by what is refused then: %s',
    async (method) => {
      let isFull = true;
      // The session itself can be made.
      await using fake = fakeHost({
        ...storesWith(method, (count) => isFull && !(method === 'put' && count === 1)),
        autoResume: 'continue',
      });
      const crashes: unknown[] = [];
      fake.host.observe('chat', (event) => void (event.kind === 'crashed' && crashes.push(event.error)));
      const { done } = await sendUntilStored(fake, 'first');
      await play(fake, 30);
      expect(crashes.length).toBeGreaterThan(1);
      for (const error of crashes) expect(String(error)).toContain('disk full');
      await expect(fake.host.send('chat', 'more')).rejects.toMatchObject({
        code: 'SESSION_CRASHING',
        message: expect.stringContaining('disk full'),
      });
      isFull = false;
      await fake.host.restart('chat');
      await play(fake, 4);
      expect(await done).toMatchObject({ state: 'completed' });
    },
  );
});
