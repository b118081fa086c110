import { describe, expect, it } from 'vitest';
import { fakeHost } from './fake-agents.ts';

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

describe('A host that is full of long messages', () => {
  const long = 'x'.repeat(400);

  it.each([
    ['maxPendingBytes', { maxPendingBytes: 1000 }, ['a', 't/b', 'u/c']],
    ['maxPendingBytesPerTenant', { maxPendingBytesPerTenant: 1000 }, ['t/a', 't/a', 't/c']],
  ] as const)(
    'refuses one more by the limit `%s`, and stores nothing of it',
    async (name, limits, [one, two, three]) => {
      await using of = fakeHost(limits);
      await of.send(one, long);
      await of.send(two, long);
      const refused = { code: 'HOST_FULL', message: expect.stringContaining(`\`${name}\``) };
      await expect(of.send(three, long)).rejects.toMatchObject(refused);
      expect(await of.outbox.pending(three)).toEqual([]);
      expect((await of.send(three, 'short')).kind).toBe('accepted');
    },
  );

  it('takes those of another tenant where one has too many', async () => {
    await using of = fakeHost({ maxPendingBytesPerTenant: 500 });
    await of.send('t/a', long);
    await expect(of.send('t/b', long)).rejects.toMatchObject({ code: 'HOST_FULL' });
    expect((await of.send('u/c', long)).kind).toBe('accepted');
  });

  it('takes no more of those that come at the same time than fit', async () => {
    await using of = fakeHost({ maxPendingBytes: 1000 });
    const ids = ['a', 'b', 'c', 'd'];
    for (const id of ids) await of.host.create(id);
    const ends = await Promise.allSettled(ids.map((id) => of.host.send(id, long)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  });

  it('takes the next one when one is finished, and the same one again', async () => {
    await using of = fakeHost({ maxPendingBytes: 500 });
    await of.host.create('a');
    const message = { uuid: 'one', content: long };
    await of.host.send('a', message);
    expect((await of.host.send('a', message)).kind).toBe('duplicate');
    await expect(of.send('b', long)).rejects.toMatchObject({ code: 'HOST_FULL' });
    await of.settle();
    of.agents[0]?.answer();
    await of.settle();
    expect((await of.send('b', long)).kind).toBe('accepted');
  });

  it('counts what an earlier process left, and makes no session for a message that does not fit', async () => {
    await using of = fakeHost({ maxPendingBytes: 500 });
    await of.send('a', long);
    await of.host.close();
    await using next = fakeHost({ maxPendingBytes: 500, ...of.stores });
    await next.host.recover();
    await expect(next.host.create('b', { unlessFull: long })).rejects.toMatchObject({ code: 'HOST_FULL' });
    expect(await next.host.create('c', { unlessFull: true })).toMatchObject({ id: 'c' });
    expect((await next.host.list()).map(({ id }) => id)).not.toContain('b');
  });
});

describe('A session that has an agent, or waits for one', () => {
  it('takes messages also where no other session may wait', async () => {
    await using of = fakeHost({ maxLive: 1, maxWaiting: 1, maxWaitingPerTenant: 1 });
    for (const id of ['t/a', 't/b']) {
      await of.send(id);
      expect((await of.send(id)).kind).toBe('accepted');
    }
    await expect(of.send('t/c')).rejects.toMatchObject({ code: 'HOST_FULL' });
  });
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
