import type { LeaseStore, SessionSignals } from '@hexagent/ports';
import { CountedIds, microtasks, seededRandom } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { MemoryDirectory, MemoryLeases, MemoryOutbox, MemorySignals, type SessionHostOptions } from '../src/index.ts';
import { FakeAgent, fakeHost, type FakeHost } from './fake-agents.ts';

/** Signals that never arrive. */
const lost: SessionSignals = { send: () => {}, subscribe: () => () => {} };

interface Together extends AsyncDisposable {
  readonly outbox: MemoryOutbox;
  readonly stores: Pick<SessionHostOptions, 'outbox' | 'directory' | 'leases' | 'signals' | 'ids'>;
  /** Another process over the same stores. */
  readonly add: (options?: Partial<SessionHostOptions>) => FakeHost;
  readonly pass: (ms: number) => Promise<void>;
  readonly settle: () => Promise<void>;
}

function together(signals: SessionSignals = new MemorySignals()): Together {
  const stores = { outbox: new MemoryOutbox(), directory: new MemoryDirectory(), leases: new MemoryLeases(), signals };
  const hosts: FakeHost[] = [];
  const { clock } = fakeHost();
  const ids = new CountedIds();
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 10; round += 1) await microtasks();
  };
  return {
    outbox: stores.outbox,
    stores: { ...stores, ids },
    add(options) {
      const host = fakeHost({ ...stores, clock, ids, now: () => clock.now(), ...options });
      hosts.push(host);
      return host;
    },
    settle,
    async pass(ms) {
      clock.advance(ms);
      await settle();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map(({ host }) => host.close()));
      expect(clock.waiting).toBe(0);
    },
  };
}

/** The stores of a process that can be killed: then it learns nothing more, and its leases are free. */
function mortal({ outbox, directory, leases }: Pick<SessionHostOptions, 'outbox' | 'directory' | 'leases'>): {
  readonly stores: Pick<SessionHostOptions, 'outbox' | 'directory' | 'leases'>;
  readonly die: () => Promise<void>;
} {
  let isDead = false;
  const held: Parameters<LeaseStore['release']>[0][] = [];
  const until = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name === 'claimable') return value.bind(target);
        return async (...args: readonly unknown[]): Promise<unknown> => {
          const result: unknown = isDead ? undefined : await Reflect.apply(value, target, args);
          if (isDead) return await new Promise(() => {});
          if (name === 'acquire') held.push(Reflect.get(Object(result), 'lease'));
          return result;
        };
      },
    });
  return {
    stores: { outbox: until(outbox), directory: until(directory), leases: until(leases) },
    async die() {
      isDead = true;
      for (const lease of held) if (lease !== undefined) await leases.release(lease);
    },
  };
}

const received = ({ agents }: FakeHost): readonly unknown[] =>
  agents.flatMap((agent) => agent.received.map(({ content }) => content));

describe('A message of a session that another process drives', () => {
  it('is stored for that process, which runs it, and its end is reported to the sender', async () => {
    await using place = together();
    const [one, two] = [place.add(), place.add()];
    await one.send('a', 'first');
    const receipt = await two.host.send('a', { uuid: 'second', content: 'second' });
    expect(receipt).toMatchObject({ uuid: 'second', kind: 'accepted', state: 'queued', isElsewhere: true });
    for (let turn = 0; turn < 2; turn += 1) {
      await place.settle();
      one.agents[0]?.answer();
    }
    expect(await receipt.done).toEqual({ state: 'completed', outcome: undefined });
    expect([received(one), received(two)]).toEqual([['first', 'second'], []]);
    const again = await two.host.send('a', { uuid: 'second', content: 'second' });
    expect(again).toMatchObject({ kind: 'duplicate', state: 'completed', isElsewhere: true });
    expect(await again.done).toEqual({ state: 'completed', outcome: undefined });
  });

  it.each([
    ['with signals', new MemorySignals()],
    ['without any that arrives', lost],
  ])('is run in the order in which messages were stored by several senders, %s', async (_, signals) => {
    await using place = together(signals);
    const [one, two, three] = [place.add(), place.add(), place.add()];
    await one.send('a', '1');
    const contents = ['2', '3', '4', '5', '6', '7'];
    for (const [index, content] of contents.entries()) await [two, one, three][index % 3]?.host.send('a', content);
    for (let turn = 0; turn < 10; turn += 1) {
      one.agents[0]?.answer();
      await place.pass(2000);
    }
    expect(received(one)).toEqual(['1', ...contents]);
    expect([received(two), received(three)]).toEqual([[], []]);
  });

  it('is found by the sweep where its signal was lost, as is its end', async () => {
    await using place = together(lost);
    const [one, two] = [place.add(), place.add({ sweepMs: 3000 })];
    await one.send('a', 'first');
    one.agents[0]?.answer();
    await place.settle();
    const { done } = await two.host.send('a', 'second');
    const ends: unknown[] = [];
    void done.then((end) => ends.push(end));
    await place.pass(1999);
    expect(received(one)).toEqual(['first']);
    await place.pass(1);
    expect(received(one)).toEqual(['first', 'second']);
    one.agents[0]?.answer();
    await place.pass(999);
    expect(ends).toEqual([]);
    await place.pass(1);
    expect(ends).toEqual([{ state: 'completed', outcome: undefined }]);
  });

  it('is run once where both processes are handed it', async () => {
    await using place = together();
    const [one, two] = [place.add(), place.add()];
    await one.send('a', 'first');
    const message = { uuid: 'twice', content: 'twice' };
    const receipts = await Promise.all([one, two].map(({ host }) => host.send('a', message)));
    expect(receipts.map(({ kind }) => kind).toSorted()).toEqual(['accepted', 'duplicate']);
    for (let turn = 0; turn < 3; turn += 1) {
      await place.pass(2000);
      one.agents[0]?.answer();
    }
    await place.pass(2000);
    expect(await Promise.all(receipts.map(({ done }) => done))).toMatchObject([
      { state: 'completed' },
      { state: 'completed' },
    ]);
    expect(received(one)).toEqual(['first', 'twice']);
  });

  it.each(['the session is deleted', 'it is taken back'] as const)('is cancelled where %s there', async (how) => {
    await using place = together();
    const [one, two] = [place.add(), place.add()];
    await one.send('a', 'first');
    const { uuid, done } = await two.host.send('a', 'second');
    await place.settle();
    await (how === 'it is taken back' ? one.host.cancel('a', uuid) : one.host.delete('a'));
    await place.pass(2000);
    expect(await done).toEqual({ state: 'cancelled' });
  });

  it('continues what was cut off and is held, as any other message does', async () => {
    await using place = together();
    const [one, two] = [place.add(), place.add()];
    await one.send('a', 'first');
    one.agents[0]?.begin();
    await place.settle();
    one.agents[0]?.die();
    await place.settle();
    expect(await one.host.get('a')).toMatchObject({ isHeld: true });
    await two.host.send('a', 'second');
    for (let turn = 0; turn < 3; turn += 1) {
      await place.pass(30_000);
      one.agents.at(-1)?.answer();
    }
    await place.settle();
    expect(received(one)).toEqual(['first', 'first', 'second']);
  });

  it('is refused where the session does not exist, and `SESSION_HELD` where it must not be routed', async () => {
    await using place = together();
    const [one, two] = [place.add(), place.add()];
    await one.send('a');
    await expect(two.host.send('a', 'x', { isRouted: false })).rejects.toMatchObject({ code: 'SESSION_HELD' });
    for (const call of ['restart', 'discard', 'delete'] as const)
      await expect(two.host[call]('a')).rejects.toMatchObject({ code: 'SESSION_HELD' });
    expect(await place.outbox.pending('a')).toHaveLength(1);
    const leases: LeaseStore = new MemoryLeases();
    leases.acquire = async () => ({ kind: 'held', owner: 'another process' });
    const three = place.add({ leases });
    await expect(three.host.send('never made', 'x')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(await place.outbox.pending('never made')).toEqual([]);
  });

  it('keeps the process of its sender alive until it is finished, and not after that', async () => {
    await using place = together();
    const [one, two] = [place.add(), place.add()];
    await one.send('a');
    const receipt = await two.host.send('a', 'x');
    await two.host.close();
    await expect(receipt.done).rejects.toMatchObject({ code: 'HOST_CLOSED' });
  });
});

describe('A session whose process exits', () => {
  it.each([
    ['was killed: found by the sweep', 'kill', 2000],
    ['was closed: reported at once', 'close', 0],
  ] as const)('is continued by another one, in the order in which messages were stored. It %s', async (_, how, ms) => {
    await using place = together();
    const found: string[] = [];
    const two = place.add({ autoResume: 'continue', onFound: async (id) => void found.push(id) });
    const { stores, die } = mortal(place.stores);
    const one = fakeHost({ ...place.stores, ...stores });
    await one.send('a', 'first');
    const { done } = await two.host.send('a', 'second');
    await two.host.send('a', 'third');
    one.agents[0]?.begin();
    await place.settle();
    await (how === 'kill' ? die() : one.host.close());
    await place.settle();
    await place.pass(ms);
    for (let turn = 0; turn < 4; turn += 1) {
      two.agents.at(-1)?.answer();
      await place.settle();
    }
    expect(received(two)).toEqual(['first', 'second', 'third']);
    expect(await done).toMatchObject({ state: 'completed' });
    expect(found).toEqual(['a']);
    expect(await Array.fromAsync(place.outbox.claimable())).toEqual([]);
  });

  it('is not taken from a process that lives, however often another one sweeps', async () => {
    await using place = together();
    const [one, two] = [place.add(), place.add()];
    await two.host.recover();
    await one.send('a', 'first');
    for (let sweep = 0; sweep < 5; sweep += 1) await place.pass(2000);
    expect([received(one), received(two)]).toEqual([['first'], []]);
  });
});

describe('A host with signals', () => {
  it('sweeps no more often while another process drives a session, which such stores list as well', async () => {
    await using place = together();
    const one = place.add({ sweepMs: Infinity });
    await one.send('a');
    let sweeps = 0;
    const claimable = place.outbox.claimable.bind(place.outbox);
    place.outbox.claimable = () => ((sweeps += 1), claimable());
    await place.add().host.recover();
    for (let passed = 0; passed < 8000; passed += 100) await place.pass(100);
    expect(sweeps).toBe(5);
  });

  it('deletes a message of a session that was deleted before the message was stored', async () => {
    await using place = together();
    const one = place.add();
    await one.host.recover();
    await place.outbox.enqueue({ session: 'gone', uuid: 'late', input: { content: 'x' } });
    await place.pass(2000);
    expect(await place.outbox.stateOf({ session: 'gone', uuid: 'late' })).toBeUndefined();
    expect(one.agents).toEqual([]);
  });

  it('reports messages that it found before it runs them, and none of its own', async () => {
    await using place = together();
    const found: string[] = [];
    const one = place.add({ onFound: async (id) => void found.push(`${id}: ${received(one).length}`) });
    const two = place.add();
    await one.send('a', 'first');
    await one.host.send('a', 'second');
    expect(found).toEqual([]);
    await two.host.send('a', 'third');
    await place.settle();
    expect(found).toEqual(['a: 1']);
  });

  it('runs what it found also where the program fails to note it', async () => {
    await using place = together();
    const one = place.add({ onFound: () => Promise.reject(new Error('disk full')) });
    const two = place.add();
    await one.send('a', 'first');
    await two.host.send('a', 'second');
    one.agents[0]?.answer();
    await place.settle();
    expect(received(one)).toEqual(['first', 'second']);
  });

  it('reads and writes nothing before it is used', async () => {
    await using place = together();
    await place.outbox.enqueue({ session: 'gone', uuid: 'late', input: { content: 'x' } });
    const one = place.add();
    await one.host.list();
    await place.pass(10_000);
    expect(await place.outbox.pending('gone')).toHaveLength(1);
  });
});

/** Hosts that send at random moments over stores of any speed, with signals of which some arrive. */
async function runAtRandom(
  seed: number,
): Promise<{ readonly stored: readonly string[]; readonly ran: readonly string[] }> {
  const random = seededRandom(seed);
  const kept = new MemorySignals();
  const signals: SessionSignals = {
    send: (signal) => void (random() < 0.5 && kept.send(signal)),
    subscribe: (listener) => kept.subscribe(listener),
  };
  await using place = together(signals);
  const slow = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || name === 'claimable')
          return typeof value === 'function' ? value.bind(target) : value;
        return async (...args: readonly unknown[]): Promise<unknown> => {
          await microtasks(Math.floor(random() * 8));
          const result: unknown = await Reflect.apply(value, target, args);
          await microtasks(Math.floor(random() * 8));
          return result;
        };
      },
    });
  const { outbox, directory, leases } = place.stores;
  const stored: string[] = [];
  const enqueue = outbox.enqueue.bind(outbox);
  outbox.enqueue = (message) => {
    stored.push(message.uuid);
    return enqueue(message);
  };
  const ran: string[] = [];
  const hosts = [0, 1, 2].map(() =>
    place.add({
      outbox: slow(outbox),
      directory: slow(directory),
      leases: slow(leases),
      idleMs: 500,
      open: async (request) => {
        const agent = new FakeAgent(request);
        const send = agent.send.bind(agent);
        agent.send = (input) => {
          ran.push(input.uuid ?? '');
          const turn = send(input);
          void microtasks(Math.floor(random() * 20)).then(() => agent.answer());
          return turn;
        };
        return agent;
      },
    }),
  );
  await hosts[0]?.host.create('a');
  const sending: Promise<unknown>[] = [];
  for (let number = 0; number < 12; number += 1) {
    const host = hosts[Math.floor(random() * hosts.length)]?.host;
    sending.push(
      host?.send('a', { uuid: String(number), content: String(number) }).then(({ done }) => done) ?? Promise.resolve(),
    );
    await microtasks(Math.floor(random() * 30));
    if (random() < 0.2) await place.pass(1000);
  }
  for (let sweep = 0; sweep < 10; sweep += 1) await place.pass(2000);
  await Promise.all(sending);
  return { stored, ran };
}

describe('Messages of several hosts for one session', () => {
  it('are run once each, in the order in which they were stored', async () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const { stored, ran } = await runAtRandom(seed);
      expect(ran, `seed ${seed}`).toEqual(stored);
    }
  });
});
