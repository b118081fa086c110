import { describe, expect, it } from 'vitest';
import { caller, fakeFleet, never, present, refusing } from './fake-fleet.ts';

describe('A call for a chat', () => {
  it('goes to the worker that drives it', async () => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    await fleet.give(b);
    for (const worker of [a, b]) worker.on('interrupt', () => true);
    expect(await fleet.chats.sessions.interrupt('chat', caller)).toBe(true);
    expect([a.calls, b.calls]).toEqual([[], ['interrupt']]);
  });

  it('goes to the worker that drove it last, where none does', async () => {
    await using fleet = fakeFleet();
    const workers = [await fleet.add('a'), await fleet.add('b'), await fleet.add('c')];
    const stored = { sessionId: 'x', begun: 'no', createdAt: 0, updatedAt: 0, facts: {} } as const;
    for (const { member } of workers) {
      const id = `of ${member.owner}`;
      await fleet.directory.put({ id: `key of ${id}`, ...stored, address: member.address }, 0);
      for (const worker of workers) worker.on('messages', () => worker.member.owner);
      expect(await fleet.chats.history.messages(id, { limit: 1 }, caller)).toBe(member.owner);
    }
  });

  it('goes to no worker that cannot be reached by others', async () => {
    await using fleet = fakeFleet();
    await fleet.leases.join({ owner: 'alone' });
    const a = await fleet.add('a');
    await fleet.give(a, 'another');
    a.on('settle', () => ({ kind: 'settled' }));
    expect(await fleet.chats.approvals.settle('chat', 'x', { approved: true }, caller)).toEqual({ kind: 'settled' });
  });

  it('is placed as the program does it', async () => {
    await using fleet = fakeFleet({ place: (_, workers) => workers.find(({ owner }) => owner === 'b') });
    const b = (await fleet.add('a'), await fleet.add('b'));
    for (let call = 0; call < 9; call += 1) await fleet.give(b, `chat ${call}`);
    b.on('rename', () => true);
    expect(await fleet.chats.sessions.rename('chat', 'New', caller)).toBe(true);
  });

  it('is placed by workers that are read once in a quarter of a second, with what was placed since counted on', async () => {
    await using fleet = fakeFleet();
    const workers = [await fleet.add('a'), await fleet.add('b'), await fleet.add('c')];
    for (const worker of workers) worker.on('rename', () => true);
    const read = fleet.leases.workers.bind(fleet.leases);
    let reads = 0;
    fleet.leases.workers = () => ((reads += 1), read());
    const rename = (chat: number): Promise<boolean> => fleet.chats.sessions.rename(`chat ${chat}`, 'New', caller);
    await Promise.all(Array.from({ length: 30 }, (_, chat) => rename(chat)));
    expect([reads, ...workers.map(({ calls }) => calls.length)]).toEqual([1, 10, 10, 10]);
    await fleet.pass(250);
    await rename(30);
    expect(reads).toBe(2);
  });

  it('is placed by workers that are read again where one refused a call', async () => {
    await using fleet = fakeFleet();
    const a = await fleet.add('a');
    a.on('rename', () => true);
    await fleet.chats.sessions.rename('chat', 'New', caller);
    const b = await fleet.add('b');
    a.on('rename', refusing('HOST_CLOSED'));
    b.on('rename', () => true);
    expect(await fleet.chats.sessions.rename('chat', 'New', caller)).toBe(true);
  });

  it.each(['SESSION_HELD', 'LEASE_LOST'] as const)('is asked of another worker after %s', async (code) => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    const lease = await fleet.give(a);
    a.on('restart', async () => {
      await fleet.leases.release(lease);
      await fleet.give(b);
      refusing(code)();
    });
    b.on('restart', () => true);
    const done = fleet.chats.sessions.restart('chat', caller);
    await fleet.pass(25);
    expect([await done, a.calls, b.calls]).toEqual([true, ['restart'], ['restart']]);
  });

  it.each(['HOST_CLOSED', 'WORKER_UNREACHABLE'] as const)(
    'goes at once to another one where one that does not drive it refuses with %s',
    async (code) => {
      await using fleet = fakeFleet();
      const workers = [await fleet.add('a'), await fleet.add('b'), await fleet.add('c')];
      for (const worker of workers.slice(0, 2)) worker.on('discard', refusing(code));
      workers[2]?.on('discard', () => true);
      for (let held = 0; held < 5; held += 1) await fleet.give(present(workers[2]), `chat ${held}`);
      expect(await fleet.chats.sessions.discard('chat', caller)).toBe(true);
      expect(workers.map(({ calls }) => calls.length)).toEqual([1, 1, 1]);
    },
  );

  it('waits, longer each time, until the lease of a worker has ended that is not reached', async () => {
    await using fleet = fakeFleet({ renewWithinMs: 8000 });
    const a = await fleet.add('a');
    await fleet.give(a);
    a.on('stream', refusing('WORKER_UNREACHABLE'));
    const done = fleet.chats.sessions.stream('chat', caller);
    await fleet.pass(7900);
    const b = await fleet.add('b');
    b.on('stream', () => undefined);
    // After 25, 50, 100, 200, 400, 800 ms, and then each second.
    expect([a.calls.length, b.calls.length]).toEqual([13, 0]);
    await fleet.pass(1000);
    expect([await done, b.calls]).toEqual([undefined, ['stream']]);
  });

  it('is answered by the same worker where only its connection broke', async () => {
    await using fleet = fakeFleet();
    const a = await fleet.add('a');
    await fleet.give(a);
    a.on('interrupt', () => {
      a.on('interrupt', () => true);
      refusing('WORKER_UNREACHABLE')();
    });
    const done = fleet.chats.sessions.interrupt('chat', caller);
    await fleet.pass(25);
    expect(await done).toBe(true);
  });

  it('waits until a worker that drains has given the chat back', async () => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    const lease = await fleet.give(a);
    a.on('interrupt', refusing('HOST_CLOSED'));
    b.on('interrupt', () => false);
    const done = fleet.chats.sessions.interrupt('chat', caller);
    await fleet.pass(5000);
    expect([a.calls, b.calls]).toEqual([['interrupt'], []]);
    await fleet.leases.release(lease);
    await fleet.pass(1000);
    expect([await done, a.calls, b.calls]).toEqual([false, ['interrupt'], ['interrupt']]);
  });

  it('goes again to a worker that was not reached, where there is no other one', async () => {
    await using fleet = fakeFleet();
    const a = await fleet.add('a');
    a.on('interrupt', refusing('WORKER_UNREACHABLE'));
    const done = fleet.chats.sessions.interrupt('chat', caller);
    await fleet.pass(25);
    expect(a.calls.length).toBe(2);
    a.on('interrupt', () => true);
    await fleet.pass(1000);
    expect(await done).toBe(true);
  });

  it('waits also where the placement of the program chooses a worker that was left out', async () => {
    const member = { owner: 'a', address: 'at a', isDraining: false, leases: 0 };
    await using fleet = fakeFleet({ place: () => member });
    const a = await fleet.add('a');
    a.on('interrupt', refusing('WORKER_UNREACHABLE'));
    fleet.chats.sessions.interrupt('chat', caller).catch(() => {});
    await fleet.pass(25);
    expect(a.calls.length).toBe(2);
  });

  it('waits for a worker where there is none', async () => {
    await using fleet = fakeFleet();
    const done = fleet.chats.sessions.interrupt('chat', caller);
    await fleet.pass(5000);
    (await fleet.add('a')).on('interrupt', () => true);
    await fleet.pass(1000);
    expect(await done).toBe(true);
  });

  it('passes on what else a worker rejects with', async () => {
    await using fleet = fakeFleet();
    const a = await fleet.add('a');
    a.on('restart', refusing('SESSION_CRASHING'));
    await expect(fleet.chats.sessions.restart('chat', caller)).rejects.toMatchObject({ code: 'SESSION_CRASHING' });
    expect(a.calls).toEqual(['restart']);
  });
});

describe('A call that no worker answers', () => {
  it.each([
    ['refuses', refusing('WORKER_UNREACHABLE'), { message: 'This is WORKER_UNREACHABLE.' }],
    ['is silent', never, undefined],
  ])('is given up in time where the worker %s', async (_, answer, cause) => {
    await using fleet = fakeFleet({ giveUpAfterMs: 15_000 });
    const a = await fleet.add('a');
    await fleet.give(a);
    a.on('interrupt', answer);
    const ends: unknown[] = [];
    fleet.chats.sessions.interrupt('chat', caller).catch((error: unknown) => ends.push(error));
    await fleet.pass(14_999);
    expect(ends).toEqual([]);
    await fleet.pass(1);
    expect(ends).toMatchObject([{ code: 'WORKER_UNREACHABLE', cause }]);
    expect(fleet.clock.waiting).toBe(0);
  });

  it.each(['where', 'workers'] as const)('is given up where the store does not answer `%s()`', async (method) => {
    await using fleet = fakeFleet();
    fleet.leases[method] = never;
    const refused = expect(fleet.chats.sessions.interrupt('chat', caller)).rejects.toMatchObject({
      code: 'WORKER_UNREACHABLE',
    });
    await fleet.pass(20_000);
    await refused;
  });

  it('ends with `HOST_CLOSED` when the chats are closed, as does each one after that', async () => {
    await using fleet = fakeFleet();
    const a = await fleet.add('a');
    a.on('interrupt', never);
    const waiting = [
      fleet.chats.sessions.interrupt('chat', caller),
      fleet.chats.sessions.list({ limit: 1, offset: 0 }, caller),
      fleet.chats.states(['chat'], caller),
    ];
    a.on('list', never);
    a.on('states', never);
    await fleet.pass(25);
    fleet.chats.close();
    fleet.chats.close();
    let looks = 0;
    fleet.leases.where = async () => void (looks += 1);
    const ends = await Promise.allSettled([...waiting, fleet.chats.sessions.interrupt('chat', caller)]);
    expect(ends).toMatchObject([
      { reason: { code: 'HOST_CLOSED' } },
      { reason: { code: 'HOST_CLOSED' } },
      { value: {} },
      { reason: { code: 'HOST_CLOSED' } },
    ]);
    expect([looks, fleet.clock.waiting]).toEqual([0, 0]);
  });
});

describe('A deletion', () => {
  it('is not repeated where the worker was not reached, which may have done it', async () => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    for (const worker of [a, b]) worker.on('delete', refusing('WORKER_UNREACHABLE'));
    await expect(fleet.chats.sessions.delete('chat', caller)).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
    expect(a.calls.length + b.calls.length).toBe(1);
  });

  it('is done by the worker that drives the chat, where another one refused it', async () => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    for (const worker of [a, b])
      worker.on('delete', async () => {
        if ((await fleet.leases.where('key of chat')) === undefined) await fleet.give(worker === a ? b : a);
        else return true;
        return refusing('SESSION_HELD')();
      });
    const done = fleet.chats.sessions.delete('chat', caller);
    await fleet.pass(25);
    expect([await done, a.calls, b.calls]).toEqual([true, ['delete'], ['delete']]);
  });
});

describe('The list', () => {
  const page = { limit: 9, offset: 0 };
  const chat = (id: string) => ({ id, title: undefined, updatedAt: 1, state: 'idle' });

  it('is that of one worker, with the states of the chats that the others drive', async () => {
    await using fleet = fakeFleet();
    const workers = [await fleet.add('a'), await fleet.add('b'), await fleet.add('c')];
    const asked = new Set<string>();
    for (const worker of workers) {
      worker.on('list', () => [chat('one'), chat('two'), { ...chat('three'), state: 'failed' }]);
      worker.on('states', (ids) => {
        asked.add(JSON.stringify(ids));
        return worker === workers[0] ? { one: 'running' } : {};
      });
    }
    for (const worker of workers) await fleet.leases.drain(worker.member);
    const d = await fleet.add('d');
    d.on('list', () => [chat('one'), chat('two'), { ...chat('three'), state: 'failed' }]);
    const listed = await fleet.chats.sessions.list(page, caller);
    expect(listed.map(({ state }) => state)).toEqual(['running', 'idle', 'failed']);
    expect([...workers, d].map(({ calls }) => calls)).toEqual([['states'], ['states'], ['states'], ['list']]);
    expect([...asked]).toEqual(['["one","two","three"]']);
    expect(await fleet.chats.states([], caller)).toEqual({});
  });

  it('leaves out what a worker does not answer', async () => {
    await using fleet = fakeFleet();
    const workers = [await fleet.add('a'), await fleet.add('b'), await fleet.add('c')];
    for (const [at, answer] of [refusing('WORKER_UNREACHABLE'), never].entries()) {
      workers[at]?.on('states', answer);
      await fleet.leases.drain(present(workers[at]).member);
    }
    workers[2]?.on('list', () => [chat('one')]);
    const listed = fleet.chats.sessions.list(page, caller);
    await fleet.pass(3000);
    expect(await listed).toEqual([chat('one')]);
  });

  it('is asked of another worker where one is not reached', async () => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    a.on('list', refusing('WORKER_UNREACHABLE'));
    a.on('states', refusing('WORKER_UNREACHABLE'));
    b.on('list', () => [chat('one')]);
    await fleet.give(b);
    expect(await fleet.chats.sessions.list(page, caller)).toEqual([chat('one')]);
    expect(a.calls).toEqual(['list', 'states']);
  });
});
