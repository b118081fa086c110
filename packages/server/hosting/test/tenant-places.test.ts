import type { TenantPlaces } from '@hexagent/ports';
import { CountedIds, HandClock } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import {
  MemoryDirectory,
  MemoryLeases,
  MemoryOutbox,
  MemoryPlaces,
  MemorySignals,
  type SessionHostOptions,
} from '../src/index.ts';
import { fakeHost, type FakeHost } from './fake-agents.ts';

interface Together extends AsyncDisposable {
  readonly leases: MemoryLeases;
  /** Another process over the same stores, in which a tenant has one agent. */
  add(options?: Partial<SessionHostOptions>): FakeHost;
  pass(ms: number): Promise<void>;
}

function together(change: (places: TenantPlaces) => TenantPlaces = (places) => places): Together {
  const clock = new HandClock();
  const leases = new MemoryLeases({ clock, renewWithinMs: 10_000 });
  const stores = { outbox: new MemoryOutbox(), directory: new MemoryDirectory(), leases, signals: new MemorySignals() };
  const [places, ids] = [change(new MemoryPlaces({ leases })), new CountedIds()];
  const hosts: FakeHost[] = [];
  return {
    leases,
    add(options) {
      const own = { ...stores, places, clock, ids, now: () => clock.now(), maxLivePerTenant: 1, ...options };
      hosts.push(fakeHost(own));
      return hosts.at(-1)!;
    },
    async pass(ms) {
      clock.advance(ms);
      for (const host of hosts) await host.settle();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map(({ host }) => host.close()));
    },
  };
}

async function send({ host, settle }: FakeHost, id: string, tenant = 'ada'): Promise<void> {
  await host.create(id, { tenant });
  await host.send(id, 'Go on.');
  await settle();
}

const agentsOf = (hosts: readonly FakeHost[]): number =>
  hosts.flatMap(({ agents }) => agents).filter((agent) => agent.isAlive).length;

describe('The agents of a tenant', () => {
  it('are at most as many as `maxLivePerTenant` in all processes, and another tenant is not kept', async () => {
    await using of = together();
    const [one, two] = [of.add(), of.add()];
    await send(one, 'a');
    await send(two, 'b');
    await send(two, 'c', 'ben');
    expect([one, two].map(({ agents }) => agents.map(({ request }) => request.session))).toEqual([['a'], ['c']]);
    expect(await two.host.get('b')).toMatchObject({ pending: 1 });
    await of.pass(1000);
    expect(agentsOf([one, two])).toBe(2);
  });

  it('make room in another process once they are idle', async () => {
    await using of = together();
    const [one, two] = [of.add(), of.add()];
    await send(one, 'a');
    await send(two, 'b');
    one.agents[0]?.answer();
    await one.settle();
    await of.pass(1000);
    expect(one.agents[0]?.isAlive).toBe(false);
    await of.pass(1000);
    expect(two.agents.map(({ request, isAlive }) => [request.session, isAlive])).toEqual([['b', true]]);
  });

  it('leave their places to the other processes when their own is lost', async () => {
    await using of = together();
    const one = of.add();
    await send(one, 'a');
    await one.host.close();
    const two = of.add();
    await send(two, 'b');
    expect(two.agents).toHaveLength(1);
  });

  it('get their places also from a store that failed in between, each once', async () => {
    let fails = true;
    const orFail = <T>(call: () => Promise<T>): Promise<T> =>
      fails ? Promise.reject(new Error('The store is away.')) : call();
    await using of = together((places) => ({
      take: (...call) => orFail(() => places.take(...call)),
      give: (...call) => orFail(() => places.give(...call)),
    }));
    const [one, two] = [of.add({ idleMs: 100 }), of.add()];
    await send(one, 'a');
    expect(one.agents).toHaveLength(0);
    fails = false;
    await of.pass(1000);
    expect(one.agents).toHaveLength(1);
    one.agents[0]?.answer();
    await of.pass(0);
    fails = true;
    await of.pass(100);
    expect(one.agents[0]?.isAlive).toBe(false);
    fails = false;
    await of.pass(1000);
    await send(two, 'b');
    expect(two.agents).toHaveLength(1);
  });

  it('take no place where the session is stopped while it waits', async () => {
    await using of = together();
    const [one, two] = [of.add(), of.add()];
    await send(one, 'a');
    await send(two, 'b');
    await two.host.delete('b');
    one.agents[0]?.answer();
    await of.pass(2000);
    await send(one, 'c');
    expect(agentsOf([one, two])).toBe(1);
  });
});
