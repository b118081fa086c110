import type { LeaseStore } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { MemoryLeases } from '../src/index.ts';
import { fakeHost, type FakeHost } from './fake-agents.ts';

function withMethods(leases: LeaseStore, changed: Partial<LeaseStore>): LeaseStore {
  return new Proxy(leases, {
    get(target, name) {
      const method: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

/** Reports a loss each time that a worker is to be kept. */
const losing = (): LeaseStore => withMethods(new MemoryLeases({ renewWithinMs: 4000 }), { keep: async () => 'lost' });

describe('The lease of a session', () => {
  it('keeps a second host from it until the first has nothing to do', async () => {
    await using one = fakeHost({ owner: 'the first process' });
    const receipt = await one.send('a');
    await using two = fakeHost(one.stores);
    await expect(two.host.send('a', 'x')).rejects.toMatchObject({
      code: 'SESSION_HELD',
      message: expect.stringContaining('the first process'),
    });
    expect([await one.host.isElsewhere('a'), await two.host.isElsewhere('a')]).toEqual([false, true]);
    one.agents[0]?.answer();
    await receipt.done;
    await one.host.close();
    expect([await two.host.isElsewhere('a'), await two.host.isElsewhere('never made')]).toEqual([false, false]);
    expect((await two.host.send('a', { content: 'x', uuid: 'of the second' })).kind).toBe('accepted');
  });

  it('is never in the way of its own host, whenever a message comes and however slow the store is', async () => {
    const kept = new MemoryLeases();
    const leases = withMethods(kept, {
      async acquire(...args) {
        const answer = await kept.acquire(...args);
        await microtasks(20);
        return answer;
      },
      async release(lease) {
        await microtasks(20);
        await kept.release(lease);
      },
    });
    for (let wait = 0; wait < 60; wait += 1) {
      const id = `waited ${wait}`;
      await using of = fakeHost({ idleMs: 1000, leases });
      await of.send(id);
      of.agents[0]?.answer();
      await of.settle();
      of.clock.advance(1000);
      await microtasks(wait);
      const first = of.host.send(id, 'while it is parked');
      await microtasks(10);
      const second = of.host.send(id, 'a moment later');
      expect([(await first).kind, (await second).kind], id).toEqual(['accepted', 'accepted']);
      await of.host.close();
      expect(of.agents.filter(({ isAlive }) => isAlive)).toEqual([]);
    }
  });

  it('ends the agent at once when it is lost, and what was unfinished continues elsewhere', async () => {
    await using of = fakeHost({ leases: losing() });
    const { done } = await of.send('a');
    await of.pass(1000);
    expect(of.agents[0]?.isAlive).toBe(false);
    await expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await of.outbox.pending('a')).toMatchObject([{ state: 'sent' }]);
  });

  it('is lost with those of all sessions of the host, which takes them again as another worker', async () => {
    const leases = losing();
    await using of = fakeHost({ leases, owner: 'the process', autoResume: 'continue' });
    const sent = [await of.send('a'), await of.send('b')];
    const before = await leases.workers();
    expect(before).toMatchObject([{ leases: 2 }]);
    const failed = sent.map(({ done }) => expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' }));
    await of.pass(1000);
    await Promise.all(failed);
    expect(of.agents.map(({ endings }) => endings)).toEqual([['suspend'], ['suspend']]);
    await leases.leave({ ...before[0]!, renewWithinMs: 4000 });
    expect(await of.host.recover()).toEqual(['a', 'b']);
    const [now] = await leases.workers();
    expect(now?.owner).toContain('the process');
    expect(now?.owner).not.toBe(before[0]?.owner);
  });

  it('is that of a worker with the address of the host, which is drained and leaves with it', async () => {
    const of = fakeHost({ maxStarting: 10, address: 'http://10.0.0.1:8080' });
    const { leases } = of.stores;
    const { done } = await of.send('a');
    expect(await leases.where('a')).toMatchObject({ address: 'http://10.0.0.1:8080' });
    const drained = of.host.drain();
    await of.settle();
    expect(await leases.workers()).toMatchObject([{ isDraining: true, leases: 1 }]);
    of.agents[0]?.answer();
    await done;
    await drained;
    expect(await leases.workers()).toEqual([]);
  });

  it('is given back with the host where it could not be given back alone', async () => {
    const kept = new MemoryLeases();
    const leases = withMethods(kept, { release: () => Promise.reject(new Error('no network')) });
    const one = fakeHost({ leases, owner: 'one' });
    await one.host.create('a');
    await using two = fakeHost({ ...one.stores, leases, owner: 'two' });
    await expect(two.host.send('a', 'x')).rejects.toMatchObject({ code: 'SESSION_HELD' });
    await one.host.close();
    expect((await two.host.send('a', 'x')).kind).toBe('accepted');
  });
});

describe('A host that is drained', () => {
  it('waits for turns, ends every agent within the bound, and leaves the rest to the next process', async () => {
    const of = fakeHost({ maxStarting: 10 });
    const [short, long] = [await of.send('short'), await of.send('long')];
    const behind = await of.send('long', 'behind');
    const drained = of.host.drain({ withinMs: 5000 });
    await of.settle();
    await expect(of.host.send('short', 'late')).rejects.toMatchObject({ code: 'HOST_CLOSED' });
    of.agents[0]?.answer();
    await of.settle();
    expect(of.agents.map(({ isAlive }) => isAlive)).toEqual([false, true]);
    await of.pass(5000);
    await drained;
    expect(of.agents.map(({ isAlive }) => isAlive)).toEqual([false, false]);
    expect(await short.done).toMatchObject({ state: 'completed' });
    for (const { done } of [long, behind]) await expect(done).rejects.toMatchObject({ code: 'HOST_CLOSED' });
    expect(await of.outbox.pending('long')).toHaveLength(2);
    expect(of.clock.waiting).toBe(0);
  });

  it('still stops a turn for which it waits', async () => {
    const of = fakeHost();
    const { uuid } = await of.send('a');
    const drained = of.host.drain();
    await of.settle();
    expect(await of.host.cancel('a', uuid)).toBe('interrupted');
    of.agents[0]?.answer();
    await drained;
  });
});

describe('An agent with a turn that runs', () => {
  it.each<[string, (of: FakeHost) => Promise<unknown>]>([
    ['the host is closed', ({ host }) => host.close()],
    ['a drain takes too long', ({ host }) => host.drain({ withinMs: 1000 })],
    ['the lease is lost', (of) => of.pass(1000)],
  ])('is suspended when %s, so that the next one continues with the turn', async (why, end) => {
    const of = fakeHost(why === 'the lease is lost' ? { leases: losing() } : {});
    await of.send('a');
    of.agents[0]?.begin();
    of.agents[0]?.ask('request');
    await of.settle();
    const ended = end(of);
    await of.settle();
    await of.pass(1000);
    await ended;
    expect(of.agents[0]?.endings).toEqual(['suspend']);
    expect(await of.outbox.pending('a')).toMatchObject([{ state: 'started' }]);
  });

  it('that waits for a person is suspended by a drain that interrupts turns; the others are interrupted', async () => {
    const of = fakeHost({ maxStarting: 10 });
    await of.send('waits');
    const { done } = await of.send('streams');
    of.agents[0]?.ask('request');
    await of.host.drain({ turns: 'interrupt' });
    expect(of.agents.map(({ endings }) => endings)).toEqual([['suspend'], ['interrupt']]);
    expect(await done).toMatchObject({ state: 'completed', outcome: { kind: 'interrupted' } });
    expect(await of.outbox.pending('waits')).toHaveLength(1);
  });

  it('is closed for good when its session is deleted', async () => {
    await using of = fakeHost();
    await of.send('a');
    await of.host.delete('a');
    expect(of.agents[0]?.endings).toEqual(['close']);
  });

  it('is closed where it cannot be suspended', async () => {
    const of = fakeHost();
    await of.send('a');
    const [agent] = of.agents;
    if (agent !== undefined) Reflect.set(agent, 'suspend', undefined);
    await of.host.close();
    expect(agent?.endings).toEqual(['close']);
    expect(await of.outbox.pending('a')).toHaveLength(1);
  });
});

describe('A session that is deleted', () => {
  it('takes its agent, its messages and its id with it', async () => {
    await using of = fakeHost();
    const { done } = await of.send('a');
    await of.host.delete('a');
    expect(await done).toEqual({ state: 'cancelled' });
    expect(of.agents[0]?.isAlive).toBe(false);
    expect(await of.host.list()).toEqual([]);
    await expect(of.host.send('a', 'x')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it('is there until what belongs to it elsewhere was deleted', async () => {
    await using of = fakeHost();
    const { done } = await of.send('a');
    let isAlive: boolean | undefined;
    const fails = async (): Promise<void> => {
      isAlive = of.agents[0]?.isAlive;
      throw new Error('busy');
    };
    await expect(of.host.delete('a', { alsoDelete: fails })).rejects.toThrow('busy');
    expect([isAlive, await done]).toEqual([false, { state: 'cancelled' }]);
    expect((await of.host.list()).map(({ id, pending }) => [id, pending])).toEqual([['a', 0]]);
    let deleted = 0;
    await of.host.delete('a', { alsoDelete: async () => void (deleted += 1) });
    expect([deleted, await of.host.list()]).toEqual([1, []]);
  });
});
