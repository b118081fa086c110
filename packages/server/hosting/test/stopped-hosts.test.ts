import { Deferred } from '@hexagent/async';
import type { LeaseStore, OutboxStore } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { MemoryLeases, MemoryOutbox } from '../src/index.ts';
import { fakeHost, type FakeHost } from './fake-agents.ts';

/** The same store, with some methods replaced. */
function withMethods<Store extends object>(store: Store, changed: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

const leaseMs = 4000;
const leases = (changed: Partial<LeaseStore> = {}): LeaseStore =>
  withMethods<LeaseStore>(new MemoryLeases({ renewWithinMs: leaseMs }), changed);

/** The process is stopped for so long: no timer has fired yet. */
function stop({ clock }: FakeHost, ms: number): void {
  const now = clock.now() + ms;
  Reflect.set(clock, 'now', () => now);
}

describe('A host whose leases cannot be kept', () => {
  it.each([
    ['the store cannot be reached', (): Promise<never> => Promise.reject(new Error('no network'))],
    ['the store does not answer', (): Promise<never> => new Promise<never>(() => {})],
  ])('has ended all its agents when half of their time is over, where %s', async (_, keep) => {
    await using of = fakeHost({ leases: leases({ keep }), maxStarting: 10 });
    const sent = [await of.send('a'), await of.send('b')];
    const lost = sent.map(({ done }) => expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' }));
    await of.pass(leaseMs / 2 - 1);
    expect(of.agents.map(({ isAlive }) => isAlive)).toEqual([true, true]);
    await of.pass(1);
    expect(of.agents.map(({ endings }) => endings)).toEqual([['suspend'], ['suspend']]);
    await Promise.all(lost);
    expect(await of.outbox.pending('a')).toMatchObject([{ state: 'sent' }]);
  });

  it('ends them although nothing that it stores is answered either', async () => {
    const hangs = (): Promise<never> => new Promise<never>(() => {});
    const outbox = withMethods<OutboxStore>(new MemoryOutbox(), {});
    await using of = fakeHost({ leases: leases({ keep: hangs }), outbox });
    const { done } = await of.send('a');
    const lost = expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    outbox.mark = hangs;
    of.agents[0]?.begin();
    await of.pass(leaseMs / 2);
    expect(of.agents[0]?.isAlive).toBe(false);
    await lost;
  });
});

describe('A host whose store has lost a lease', () => {
  it('ends that agent alone, and takes the session up again where no other one does', async () => {
    const store = leases();
    await using of = fakeHost({ leases: store, maxStarting: 10, autoResume: 'continue' });
    const [one, other] = [await of.send('a'), await of.send('b')];
    const lost = expect(one.done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    const { fence = 0 } = of.agents[0]?.request ?? {};
    await store.release({ session: 'a', fence, owner: '', isTakenOver: false });
    await of.pass(leaseMs / 4);
    await lost;
    expect(of.agents.map(({ endings }) => endings)).toEqual([['suspend'], []]);
    expect(await of.host.recover()).toEqual(expect.arrayContaining(['a']));
    await of.settle();
    expect(of.agents[2]?.request.fence).toBeGreaterThan(fence);
    for (const agent of of.agents.slice(1)) agent.answer();
    expect(await other.done).toMatchObject({ state: 'completed' });
  });
});

describe('A host whose leases are lost while it reads a session', () => {
  it('has nothing of that later: another process may have finished it', async () => {
    const read = new Deferred<void>();
    const outbox = new MemoryOutbox();
    let isFirst = true;
    const slow = withMethods<OutboxStore>(outbox, {
      pending: async (id) => {
        const found = await outbox.pending(id);
        if (isFirst) await read.promise;
        isFirst = false;
        return found;
      },
    });
    const store = leases({ keep: async () => 'lost' });
    await using of = fakeHost({ leases: store, outbox: slow });
    await of.host.create('a');
    await outbox.enqueue({ session: 'a', uuid: 'first', input: { content: 'first' } });
    const reading = of.host.isElsewhere('a').catch(() => {});
    await of.settle();
    const [worker] = await store.workers();
    await of.pass(leaseMs / 4);
    await store.leave({ owner: worker?.owner ?? '', renewWithinMs: undefined });
    await outbox.mark({ session: 'a', uuid: 'first' }, 'completed', Date.now());
    read.resolve();
    await reading;
    await of.host.send('a', 'second');
    await of.settle();
    expect(of.agents.flatMap(({ received }) => received.map(({ content }) => content))).toEqual(['second']);
  });
});

describe('A host that was stopped for longer than its leases hold', () => {
  it('ends all its agents before it sends a message, although no timer has fired', async () => {
    await using of = fakeHost({ leases: leases(), maxStarting: 10 });
    for (const id of ['a', 'b']) await of.send(id);
    for (const agent of of.agents) agent.answer();
    await of.settle();
    stop(of, 2 * leaseMs);
    const { uuid, done } = await of.host.send('a', 'another');
    await expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(of.agents.map(({ received, endings }) => [received.length, endings])).toEqual([
      [1, ['suspend']],
      [1, ['suspend']],
    ]);
    expect(await of.outbox.pending('a')).toMatchObject([{ uuid, state: 'queued' }]);
  });

  it('sends no message that it was storing as sent', async () => {
    let answer = (): void => {};
    const outbox = new MemoryOutbox();
    const slow = withMethods<OutboxStore>(outbox, {
      mark: async (...args) => {
        await outbox.mark(...args);
        await new Promise<void>((resolve) => (answer = resolve));
      },
    });
    await using of = fakeHost({ leases: leases(), outbox: slow });
    const { done } = await of.send('a');
    const lost = expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    stop(of, 2 * leaseMs);
    answer();
    await lost;
    expect(of.agents.map(({ received, endings }) => [received, endings])).toEqual([[[], ['suspend']]]);
    expect(await outbox.pending('a')).toMatchObject([{ state: 'sent' }]);
  });

  it('stores nothing of what its agents have reported meanwhile', async () => {
    await using of = fakeHost({ leases: leases() });
    const { done } = await of.send('a');
    const lost = expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    stop(of, 2 * leaseMs);
    of.agents[0]?.begin();
    of.agents[0]?.answer();
    await lost;
    expect(of.agents[0]?.endings).toEqual(['suspend']);
    expect(await of.outbox.pending('a')).toMatchObject([{ state: 'sent' }]);
  });

  it('opens no agent under the lease that it had', async () => {
    const fences: number[] = [];
    await using of = fakeHost({
      leases: leases(),
      open: ({ fence }) => {
        fences.push(fence);
        return Promise.reject(new Error('not yet'));
      },
      autoResume: 'continue',
    });
    const { done } = await of.send('a');
    const lost = expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(fences).toHaveLength(1);
    stop(of, 2 * leaseMs);
    // What fires first is the next start.
    await of.host.restart('a').catch(() => {});
    await lost;
    expect(fences).toHaveLength(1);
  });
});
