import type { SessionRecord } from '@hexagent/ports';
import { CountedIds, HandClock } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { MemoryDirectory, MemoryLeases, MemoryOutbox, MemorySignals, type SessionHostOptions } from '../src/index.ts';
import { fakeHost, type FakeHost } from './fake-agents.ts';

interface Together extends AsyncDisposable {
  readonly outbox: MemoryOutbox;
  readonly directory: MemoryDirectory;
  readonly leases: MemoryLeases;
  readonly clock: HandClock;
  /** The ids of the sessions that were put, as often as that happened. */
  readonly puts: readonly string[];
  /** Another process over the same stores. */
  readonly add: (options?: Partial<SessionHostOptions>) => FakeHost;
  /** Stores a session with a pending message. */
  readonly leave: (...ids: readonly string[]) => Promise<void>;
}

function together(renewWithinMs?: number): Together {
  const clock = new HandClock();
  const [outbox, directory] = [new MemoryOutbox(), new MemoryDirectory()];
  const leases = new MemoryLeases({ clock, renewWithinMs });
  const [signals, ids] = [new MemorySignals(), new CountedIds()];
  const puts: string[] = [];
  const put = directory.put.bind(directory);
  directory.put = (record, fence) => {
    puts.push(record.id);
    return put(record, fence);
  };
  const hosts: FakeHost[] = [];
  return {
    outbox,
    directory,
    leases,
    clock,
    puts,
    add(options) {
      const host = fakeHost({ outbox, directory, leases, signals, clock, ids, now: () => clock.now(), ...options });
      hosts.push(host);
      // Its own clock is not used.
      return { ...host, pass: (ms) => (clock.advance(ms), host.settle()) };
    },
    async leave(...left) {
      const stored = { begun: 'no', createdAt: 0, updatedAt: 0, facts: {} } as const;
      for (const id of left) {
        await put({ id, sessionId: crypto.randomUUID(), ...stored }, 0);
        await outbox.enqueue({ session: id, uuid: `of ${id}`, input: { content: id } });
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map(({ host }) => host.close()));
      expect([clock.waiting, await leases.workers()]).toEqual([0, []]);
    },
  };
}

const received = ({ agents }: FakeHost): readonly unknown[] =>
  agents.flatMap((agent) => agent.received.map(({ content }) => content));

describe('A host', () => {
  it.each([
    ['recovers', ({ host }: FakeHost): Promise<unknown> => host.recover()],
    ['is asked for a session', ({ host }: FakeHost): Promise<unknown> => host.isElsewhere('none')],
  ])('joins as a worker once it %s, with its address and its capacity', async (_, use) => {
    await using place = together();
    const one = place.add({ owner: 'one', address: '10.0.0.1', maxLive: 7 });
    await one.host.list();
    expect(await place.leases.workers()).toEqual([]);
    await use(one);
    const owner = expect.stringMatching(/^one /);
    expect(await place.leases.workers()).toEqual([
      { owner, address: '10.0.0.1', capacity: 7, isDraining: false, leases: 0 },
    ]);
  });

  it('joins again after a loss, though it takes no lease', async () => {
    await using place = together(8000);
    const one = place.add();
    await one.host.recover();
    place.leases.keep = async () => 'lost';
    const [before] = await place.leases.workers();
    await one.pass(2000);
    await one.pass(2000);
    const owners = (await place.leases.workers()).map(({ owner }) => owner);
    expect([owners.length, owners.at(-1) === before?.owner]).toEqual([2, false]);
    for (const owner of owners) await place.leases.leave({ owner, renewWithinMs: undefined });
  });
});

describe('The address of a session', () => {
  const at = async ({ directory }: Together): Promise<SessionRecord | undefined> => await directory.get('a');

  it('is that of the host that gave its agent a message last, stored once where it moves', async () => {
    await using place = together();
    const one = place.add({ address: 'one' });
    await one.host.create('a');
    expect([await at(place), place.puts]).toMatchObject([{ address: 'one', updatedAt: 0 }, ['a']]);
    const two = place.add({ address: 'two' });
    expect(await two.host.isElsewhere('a')).toBe(false);
    await two.settle();
    expect([await at(place), place.puts]).toMatchObject([{ address: 'one', updatedAt: 0 }, ['a']]);
    place.clock.advance(5000);
    for (let turn = 0; turn < 2; turn += 1) {
      await two.send('a');
      two.agents[0]?.answer();
      await two.settle();
    }
    // The first of them stores that the agent perhaps has the session, and its end that it has.
    expect([await at(place), place.puts]).toMatchObject([{ address: 'two', updatedAt: 5000 }, ['a', 'a', 'a']]);
  });

  it('is left as it is by a host without one', async () => {
    await using place = together();
    await place.add({ address: 'one' }).host.create('a');
    const two = place.add();
    await two.host.isElsewhere('a');
    expect([await at(place), place.puts]).toMatchObject([{ address: 'one' }, ['a']]);
  });
});

describe('A host with `claims`', () => {
  it('is asked with what it does not have, under its own owner, and takes no more than was answered', async () => {
    await using place = together();
    const asked: (readonly string[])[] = [];
    const owners = new Set<string>();
    const one = place.add({
      claims: async (ids, owner) => {
        asked.push(ids);
        owners.add(owner);
        return ids.filter((id) => id !== 'b');
      },
    });
    await place.leave('a', 'b');
    expect(await one.host.recover()).toEqual(['a']);
    await one.settle();
    await place.leave('c');
    await one.pass(2000);
    expect([asked, received(one)]).toEqual([
      [
        ['a', 'b'],
        ['b', 'c'],
      ],
      ['a', 'c'],
    ]);
    expect([...owners]).toEqual((await place.leases.workers()).map(({ owner }) => owner));
  });

  it('is asked again soon after a sweep that took something, and then no sooner than usual', async () => {
    await using place = together();
    let asked = 0;
    const claims = async (ids: readonly string[]): Promise<readonly string[]> => ((asked += 1), ids);
    const one = place.add({ claims, sweepMs: 800 });
    await one.host.recover();
    await place.leave('a');
    const counts: number[] = [];
    for (const ms of [800, 100, 100, 700]) {
      await one.pass(ms);
      counts.push(asked);
    }
    expect(counts).toEqual([2, 3, 3, 4]);
  });

  it('is asked in each sweep, while what is driven here is read every two seconds', async () => {
    await using place = together();
    let asked = 0;
    const claims = async (): Promise<readonly string[]> => ((asked += 1), []);
    const one = place.add({ claims, sweepMs: 500 });
    await one.send('a');
    const read: string[] = [];
    const pending = place.outbox.pending.bind(place.outbox);
    place.outbox.pending = (id) => (read.push(id), pending(id));
    for (let sweep = 0; sweep < 9; sweep += 1) await one.pass(500);
    expect([asked, read]).toEqual([9, ['a', 'a', 'a']]);
  });

  it('recovers what it has already', async () => {
    await using place = together();
    const one = place.add({ claims: async () => [] });
    await one.send('a');
    expect(await one.host.recover()).toEqual(['a']);
  });

  it('is asked under the owner as which it joined again after a loss', async () => {
    await using place = together(8000);
    const owners: string[] = [];
    const one = place.add({
      claims: async (_, owner) => {
        owners.push(owner);
        return [];
      },
    });
    await one.host.recover();
    const [before] = await place.leases.workers();
    await place.leases.leave({ owner: before?.owner ?? '', renewWithinMs: 8000 });
    await one.pass(2000);
    await one.pass(2000);
    const [after] = await place.leases.workers();
    expect([owners.at(0), owners.at(-1)]).toEqual([before?.owner, after?.owner]);
    expect(owners.at(-1)).not.toBe(before?.owner);
  });

  it('tries again where that failed', async () => {
    await using place = together();
    const failing = Promise.reject(new Error('no network'));
    const answers: Promise<readonly string[]>[] = [failing, Promise.resolve(['a'])];
    failing.catch(() => {});
    const one = place.add({ claims: () => answers.shift() ?? Promise.resolve([]) });
    await place.leave('a');
    await expect(one.host.recover()).rejects.toThrow('no network');
    await one.pass(2000);
    expect(received(one)).toEqual(['a']);
  });

  it('decides soon, and once for all, about what a worker gives back', async () => {
    await using place = together();
    const asked: (readonly string[])[] = [];
    const one = place.add({ claims: async () => [] });
    const two = place.add({
      claims: async (ids) => {
        asked.push(ids);
        return ids;
      },
    });
    await two.host.recover();
    for (const id of ['a', 'b', 'c']) await one.send(id, id);
    asked.length = 0;
    await one.host.close();
    await two.settle();
    expect(await place.leases.workers()).toMatchObject([{ leases: 0 }]);
    await two.pass(250);
    expect([asked, await place.leases.workers()]).toMatchObject([[['a', 'b', 'c']], [{ leases: 3 }]]);
  });
});
