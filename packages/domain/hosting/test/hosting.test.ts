import { SdkError, type LeaseStore } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { MemoryLeases, type SessionHostOptions } from '../src/index.ts';
import { FakeAgent, fakeHost } from './fake-agents.ts';

describe('#16 The agents of a host', () => {
  it('are at most as many as `maxLive`: the one that was idle longest makes room', async () => {
    await using of = fakeHost({ maxLive: 2 });
    for (const id of ['a', 'b']) {
      await of.send(id);
      of.agents.at(-1)?.answer();
      await of.pass(10);
    }
    await of.send('a');
    of.agents[0]?.answer();
    await of.pass(10);
    await of.send('c');
    expect(of.agents.map(({ request, isAlive }) => [request.session, isAlive])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ]);
    expect(await of.host.get('b')).toMatchObject({ state: 'parked' });
  });

  it('are not ended to make room while a turn runs or a person is asked', async () => {
    await using of = fakeHost({ maxLive: 1 });
    await of.send('a');
    of.agents[0]?.ask('request 1');
    await of.settle();
    expect(await of.host.get('a')).toMatchObject({ state: 'awaiting-approval' });
    const waiting = await of.send('b');
    expect(of.agents).toHaveLength(1);
    of.agents[0]?.ask();
    of.agents[0]?.answer();
    await of.settle();
    expect(of.agents.map(({ request }) => request.session)).toEqual(['a', 'b']);
    of.agents[1]?.answer();
    expect(await waiting.done).toMatchObject({ state: 'completed' });
  });

  it('are ended after they were idle for `idleMs`, and not while they work', async () => {
    await using of = fakeHost({ idleMs: 1000 });
    await of.send('a');
    await of.pass(5000);
    expect(of.agents[0]?.isAlive).toBe(true);
    of.agents[0]?.answer();
    await of.settle();
    await of.pass(900);
    expect(of.agents[0]?.isAlive).toBe(true);
    await of.pass(100);
    expect(of.agents[0]?.isAlive).toBe(false);
    expect(await of.host.get('a')).toMatchObject({ state: 'parked' });
    await of.send('a');
    expect(of.agents[1]?.request.options.resume).toBe(of.agents[0]?.request.options.sessionId);
  });
});

describe('A list of sessions', () => {
  it('has the one first that was given a message last', async () => {
    await using of = fakeHost();
    for (const id of ['a', 'b', 'c', 'a']) {
      await of.send(id);
      of.agents.findLast(({ request }) => request.session === id)?.answer();
      await of.pass(10);
    }
    expect((await of.host.list()).map(({ id }) => id)).toEqual(['a', 'c', 'b']);
  });
});

describe('A host that is full', () => {
  it.each([
    ['maxWaiting', { maxLive: 1, maxWaiting: 1 }, ['a', 'b', 'c']],
    ['maxWaitingPerTenant', { maxLive: 1, maxWaitingPerTenant: 1 }, ['t/a', 't/b', 't/c']],
    ['maxPending', { maxPending: 2 }, ['a', 'a', 'a']],
  ] as const)(
    'refuses a message by the limit `%s`, and stores nothing of it',
    async (name, limits, [one, two, three]) => {
      await using of = fakeHost(limits);
      await of.send(one);
      await of.send(two);
      await expect(of.send(three)).rejects.toMatchObject({ code: 'HOST_FULL', message: expect.stringContaining(name) });
      const stored = await Promise.all([...new Set([one, two, three])].map((id) => of.outbox.pending(id)));
      expect(stored.flat()).toHaveLength(2);
    },
  );
});

describe('A session that begins with a message', () => {
  it('is not made where the host is full, and is left as it is where it is there', async () => {
    await using of = fakeHost({ maxLive: 1, maxWaiting: 1 });
    await of.send('a');
    await of.send('b');
    await expect(of.host.create('c', { unlessFull: true })).rejects.toMatchObject({ code: 'HOST_FULL' });
    expect(await of.host.create('a', { unlessFull: true })).toMatchObject({ id: 'a' });
    expect(await of.host.create('d')).toMatchObject({ id: 'd' });
    expect((await of.host.list()).map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'd']);
  });
});

describe('An agent that dies', () => {
  it('is reported with why it could not start up', async () => {
    const refusal = new SdkError('INITIALIZE_FAILED', 'It does not support `onFailure`.');
    const open: SessionHostOptions['open'] = async (request) => {
      const agent = new FakeAgent(request);
      agent.ready = Promise.reject(refusal);
      agent.ready.catch(() => agent.die({ code: 0, signal: null }));
      return agent;
    };
    await using of = fakeHost({ open });
    const errors: unknown[] = [];
    await of.host.create('a');
    of.host.observe('a', (event) => event.kind === 'crashed' && errors.push(event.error));
    await of.host.send('a', 'hi');
    await of.settle();
    expect(errors).toMatchObject([{ code: 'AGENT_EXITED', cause: refusal }]);
    expect(errors).toMatchObject([{ message: expect.stringContaining('It does not support `onFailure`.') }]);
  });

  it('is replaced after a delay that grows, and no more after too many deaths', async () => {
    await using of = fakeHost({ autoResume: 'continue', crashes: { firstDelayMs: 100, maxCrashes: 3 } });
    await of.send('a');
    for (const [index, delay] of [100, 200].entries()) {
      of.agents[index]?.die();
      await of.settle();
      await of.pass(delay - 1);
      expect(of.agents).toHaveLength(index + 1);
      await of.pass(1);
      expect(of.agents).toHaveLength(index + 2);
    }
    of.agents[2]?.die();
    await of.settle();
    await of.pass(100_000);
    expect(of.agents).toHaveLength(3);
    await expect(of.send('a', 'more')).rejects.toMatchObject({
      code: 'SESSION_CRASHING',
      cause: { code: 'AGENT_EXITED' },
    });
    await of.host.restart('a');
    await of.settle();
    expect(of.agents).toHaveLength(4);
    expect(of.agents[3]?.received).toMatchObject([{ content: 'go' }]);
  });

  it('is asked to go on only where a turn was cut off', async () => {
    await using of = fakeHost({ autoResume: 'continue', crashes: { firstDelayMs: 1 } });
    const first = await of.send('a');
    of.agents[0]?.answer();
    await first.done;
    of.agents[0]?.die();
    await of.settle();
    await of.pass(10);
    await of.send('a');
    of.agents[1]?.begin();
    await of.settle();
    of.agents[1]?.die();
    await of.settle();
    await of.pass(10);
    expect(of.agents.map(({ request: { options } }) => options.interruptedTurn)).toEqual([
      undefined,
      undefined,
      'continue',
    ]);
  });

  it('leaves a turn that had begun to `restart()` or `discard()` by default', async () => {
    await using of = fakeHost({ crashes: { firstDelayMs: 1 } });
    const { done, uuid } = await of.send('a');
    of.agents[0]?.begin();
    await of.settle();
    of.agents[0]?.die();
    await of.settle();
    await of.pass(1000);
    expect(of.agents).toHaveLength(1);
    expect(await of.host.get('a')).toMatchObject({ isHeld: true, state: 'crashed' });
    expect(await of.host.discard('a')).toEqual([uuid]);
    expect(await done).toEqual({ state: 'cancelled' });
  });

  it('is shown as crashing after too many deaths, also where no turn had begun, until what waits is discarded', async () => {
    await using of = fakeHost({ crashes: { firstDelayMs: 1, maxCrashes: 2 } });
    const first = await of.send('a');
    const second = await of.send('a', 'behind');
    for (const index of [0, 1]) {
      expect(await of.host.get('a')).toMatchObject({ isCrashing: false });
      of.agents[index]?.die();
      await of.settle();
      await of.pass(1000);
    }
    expect(of.agents).toHaveLength(2);
    expect(await of.host.get('a')).toMatchObject({ isCrashing: true, isHeld: false, pending: 2 });
    expect(await of.host.discard('a')).toEqual([first.uuid, second.uuid]);
    expect([await first.done, await second.done]).toEqual([{ state: 'cancelled' }, { state: 'cancelled' }]);
    expect(await of.host.get('a')).toMatchObject({ isCrashing: false, pending: 0 });
    expect(of.agents).toHaveLength(2);
    await of.send('a', 'after it');
    expect(of.agents[2]?.received).toMatchObject([{ content: 'after it' }]);
  });

  it('takes the turn that had begun with it where nothing is to be resumed', async () => {
    await using of = fakeHost({ autoResume: 'never', crashes: { firstDelayMs: 1 } });
    const { done } = await of.send('a');
    const next = await of.send('a', 'next');
    of.agents[0]?.begin();
    await of.settle();
    of.agents[0]?.die();
    await of.settle();
    expect(await done).toEqual({ state: 'cancelled' });
    await of.pass(10);
    expect(of.agents[1]?.received).toMatchObject([{ content: 'next' }]);
    of.agents[1]?.answer();
    expect(await next.done).toMatchObject({ state: 'completed' });
  });

  it('is sent again what it had not begun, also by default', async () => {
    await using of = fakeHost({ crashes: { firstDelayMs: 1 } });
    await of.send('a');
    of.agents[0]?.die();
    await of.settle();
    await of.pass(10);
    expect(of.agents[1]?.received).toEqual(of.agents[0]?.received);
  });
});

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
    expect((await two.host.send('a', 'x')).kind).toBe('accepted');
  });

  it('is never in the way of its own host, whenever a message comes and however slow the store is', async () => {
    const kept = new MemoryLeases();
    const leases: LeaseStore = {
      async acquire(...args) {
        const answer = await kept.acquire(...args);
        await microtasks(20);
        return answer;
      },
      async release(lease) {
        await microtasks(20);
        await kept.release(lease);
      },
      renew: (lease) => kept.renew(lease),
    };
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
    const leases = new MemoryLeases({ renewWithinMs: 4000 });
    await using of = fakeHost({
      leases: {
        acquire: (...args) => leases.acquire(...args),
        release: (lease) => leases.release(lease),
        renew: async () => 'lost',
      },
    });
    const { done } = await of.send('a');
    await of.pass(1000);
    expect(of.agents[0]?.isAlive).toBe(false);
    await expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await of.outbox.pending('a')).toMatchObject([{ state: 'sent' }]);
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
});

describe('An option or a message that cannot be meant', () => {
  it.each([
    ['maxLive', { maxLive: 0 }],
    ['idleMs', { idleMs: -1 }],
    ['autoResume', { autoResume: 'always' as 'wait' }], // an untyped program may pass any value
  ])('is refused by name: %s', (name, options) => {
    expect(() => fakeHost(options)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
    );
  });

  it('is refused before anything is stored', async () => {
    await using of = fakeHost();
    await of.host.create('a');
    for (const wrong of [5, null, {}, { content: 5 }, { content: 'x', uuid: '' }])
      await expect(of.host.send('a', wrong as string)).rejects.toThrow(TypeError); // as above
    await expect(of.host.create('')).rejects.toThrow(TypeError);
    expect(await of.outbox.unfinished()).toEqual([]);
  });
});
