import type { LeaseStore, OutboxStore, SessionDirectory, SessionLog } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../src/index.ts';
import { MemoryDirectory, MemoryLeases, MemoryLog, MemoryOutbox } from '../src/index.ts';
import { fakeHost, follow, type FakeHost } from './fake-agents.ts';

interface Stores {
  readonly outbox: OutboxStore;
  readonly directory: SessionDirectory;
  readonly leases: LeaseStore;
  readonly log: SessionLog;
}

const methods = ['enqueue', 'mark', 'pending', 'get', 'put', 'delete', 'join', 'acquire', 'release', 'append'] as const;
type Method = (typeof methods)[number];

interface Failures {
  /** The calls that fail, counted from 1. */
  readonly fails: (call: number) => boolean;
  /** Whether they do what they are to do, and fail then. */
  readonly isLate?: boolean;
}

/** A store whose method fails; one without that method is as it was. */
function failing<Store extends object>(store: Store, method: Method, { fails, isLate = false }: Failures): Store {
  let calls = 0;
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== method) return value.bind(target);
      return async (...args: readonly unknown[]): Promise<unknown> => {
        calls += 1;
        const isFailing = fails(calls);
        const result: unknown = isFailing && !isLate ? undefined : await Reflect.apply(value, target, args);
        if (isFailing) throw new Error('disk full');
        return result;
      };
    },
  });
}

function storesWith(method: Method, failures: Failures): Stores {
  return {
    outbox: failing(new MemoryOutbox(), method, failures),
    directory: failing(new MemoryDirectory(), method, failures),
    leases: failing(new MemoryLeases(), method, failures),
    log: failing(new MemoryLog(), method, failures),
  };
}

describe('A store that does not answer', () => {
  it.each(['mark', 'put', 'release', 'append'] as const)('does not keep a host that shuts down: %s', async (method) => {
    let isAway = false;
    const stores = storesWith(method, { fails: () => false });
    const away = <Store extends object>(store: Store): Store =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function' || name === 'read') return value;
          return (...args: readonly unknown[]): unknown =>
            isAway && (name === method || name === 'leave')
              ? new Promise(() => {})
              : Reflect.apply(value, target, args);
        },
      });
    const fake = fakeHost({
      outbox: away(stores.outbox),
      directory: away(stores.directory),
      leases: away(stores.leases),
      log: away(stores.log),
    });
    const { done } = await fake.send('a');
    const ended = done.catch((error: unknown) => error);
    isAway = true;
    fake.agents[0]?.begin();
    await fake.settle();
    const closed = fake.host.close();
    for (let second = 0; second < 25; second += 1) await fake.pass(1000);
    await closed;
    expect(fake.agents[0]?.isAlive).toBe(false);
    expect(await ended).toMatchObject({ code: 'HOST_CLOSED' });
  });
});

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

const cases = methods.flatMap((method) =>
  [1, 2, 3, 4, 5, 6].flatMap((call) => [false, true].map((isLate) => ({ method, call, isLate }))),
);

describe('A store that fails once', () => {
  it.each(cases)(
    'loses no message: $method, call $call, stored all the same: $isLate',
    async ({ method, call, isLate }) => {
      const stores = storesWith(method, { fails: (count) => count === call, isLate });
      await using fake = fakeHost({ ...stores, autoResume: 'continue' });
      const crashes: string[] = [];
      void follow(fake, 'chat', (event) => event.kind === 'crashed' && crashes.push(String(event.error)));
      const ends: unknown[] = [];
      for (const uuid of ['first', 'second']) {
        const { done } = await sendUntilStored(fake, uuid);
        void done.then((end) => ends.push(end));
        await play(fake, 4);
      }
      expect(ends).toMatchObject([{ state: 'completed' }, { state: 'completed' }]);
      expect(crashes.filter((error) => !error.includes('disk full'))).toEqual([]);
    },
  );
});

describe('A message whose storing was reported as failed', () => {
  it('is run when it is sent again, also while the agent runs another one', async () => {
    const stores = storesWith('enqueue', { fails: (call) => call === 2, isLate: true });
    await using fake = fakeHost(stores);
    await fake.send('chat', 'first');
    await expect(fake.host.send('chat', { uuid: 'second', content: 'second' })).rejects.toThrow('disk full');
    const again = await fake.host.send('chat', { uuid: 'second', content: 'second' });
    expect(again).toMatchObject({ kind: 'duplicate', state: 'queued' });
    fake.agents[0]?.answer();
    await fake.settle();
    fake.agents[0]?.answer();
    expect(await again.done).toMatchObject({ state: 'completed', outcome: { text: 'ok' } });
    expect(fake.agents.map(({ received }) => received.map(({ content }) => content))).toEqual([['first', 'second']]);
  });
});

describe('A store that does not answer', () => {
  it.each([
    ['close', (fake: FakeHost) => fake.host.close(), 1000],
    ['drain', (fake: FakeHost) => fake.host.drain({ withinMs: 5000 }), 5000],
  ] as const)('keeps no agent alive beyond the bound: %s', async (_, end, ms) => {
    const outbox = new MemoryOutbox();
    const fake = fakeHost({ outbox });
    await fake.send('chat', 'first');
    outbox.enqueue = () => new Promise(() => {});
    void fake.host.send('chat', 'second');
    await fake.settle();
    void end(fake);
    await fake.pass(ms - 1);
    expect(fake.agents.map(({ isAlive }) => isAlive)).toEqual([true]);
    await fake.pass(1);
    await fake.pass(0);
    expect(fake.agents.map(({ isAlive }) => isAlive)).toEqual([false]);
  });
});

describe('A store that lost its last writes', () => {
  it('is given the end of a message again that the agent has finished, also where it has lost the message', async () => {
    await using of = fakeHost();
    const { uuid } = await of.send('a');
    of.agents[0]?.answer();
    await of.settle();
    await of.outbox.delete('a', of.agents[0]?.request.fence ?? 0);
    const again = await of.host.send('a', { uuid, content: 'go' });
    expect(await again.done).toEqual({ state: 'completed', outcome: undefined });
    expect(await of.outbox.stateOf({ session: 'a', uuid })).toBe('completed');
    expect(of.agents.map(({ received }) => received.length)).toEqual([1]);
  });

  it('has the record of a session again with the next message, which another process would not find otherwise', async () => {
    await using of = fakeHost();
    await of.send('a');
    const { fence = 0 } = of.agents[0]?.request ?? {};
    await of.outbox.delete('a', fence);
    await of.stores.directory.delete('a', fence);
    await of.host.send('a', 'another');
    expect(await of.stores.directory.get('a')).toMatchObject({ id: 'a' });
  });
});

describe('A session that could not be deleted', () => {
  it.each(['wait', 'continue'] as const)('continues, and takes messages: %s', async (autoResume) => {
    let isFull = true;
    await using fake = fakeHost({ ...storesWith('delete', { fails: () => isFull }), autoResume });
    await fake.send('chat', 'first');
    fake.agents[0]?.begin();
    await fake.settle();
    await expect(fake.host.delete('chat')).rejects.toThrow('disk full');
    await fake.settle();
    // What was cut off by it is not begun again unless the host does that by itself.
    expect(fake.agents.length).toBe(autoResume === 'wait' ? 1 : 2);
    const { done } = await fake.host.send('chat', 'second');
    await play(fake, 4);
    expect(await done).toMatchObject({ state: 'completed' });
    isFull = false;
    await fake.host.delete('chat');
    expect(await fake.host.get('chat')).toBeUndefined();
  });
});

describe('A lease that cannot be given back', () => {
  it('is given back later, so that another process may drive the session', async () => {
    let isFull = true;
    const stores = storesWith('release', { fails: () => isFull });
    await using fake = fakeHost({ ...stores, owner: 'one' });
    await fake.host.create('chat');
    await fake.pass(60_000);
    const other = fakeHost({ ...stores, owner: 'two' });
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
        ...storesWith(method, { fails: (count) => isFull && !(method === 'put' && count === 1) }),
        autoResume: 'continue',
      });
      const crashes: unknown[] = [];
      void follow(fake, 'chat', (event) => event.kind === 'crashed' && crashes.push(event.error));
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
