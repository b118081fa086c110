import { describe, expect, it } from 'vitest';
import { MemoryDirectory, MemoryOutbox, MemorySignals } from '../src/index.ts';
import { fakeHost } from './fake-agents.ts';

/** The same store, which reports each of these calls. */
function counted<Store extends object>(
  store: Store,
  methods: readonly string[],
  called: (method: string) => void,
): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        if (methods.includes(String(name))) called(String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
}

describe('A sweep', () => {
  it('reads what is pending of no session that has nothing, however many are driven', async () => {
    const reads: string[] = [];
    const outbox = counted(new MemoryOutbox(), ['pending', 'claimable'], (method) => void reads.push(method));
    const signals = new MemorySignals();
    await using of = fakeHost({ outbox, signals });
    for (const id of ['a', 'b', 'c']) await of.send(id);
    for (const agent of of.agents) {
      agent.begin();
      agent.answer();
    }
    await of.settle();
    await of.send('a');
    reads.length = 0;
    await of.pass(2000);
    expect(reads).toEqual(['claimable', 'pending']);
  });
});

describe('A message for a session that is there', () => {
  it('has its record read twice where the session is not driven, and not at all where it is', async () => {
    let reads = 0;
    const directory = counted(new MemoryDirectory(), ['get'], () => void (reads += 1));
    await using of = fakeHost({ directory });
    await of.host.create('a');
    const readsOf = async (): Promise<number> => {
      reads = 0;
      await of.host.create('a', { unlessFull: { content: 'go' } });
      await of.host.send('a', 'go');
      return reads;
    };
    expect([await readsOf(), await readsOf()]).toEqual([2, 0]);
  });
});

describe('A message of a session that has begun', () => {
  it('is written four times, and its record at most once in a minute', async () => {
    const writes: string[] = [];
    const called = (method: string): void => void writes.push(method);
    await using of = fakeHost({
      outbox: counted(new MemoryOutbox(), ['enqueue', 'mark', 'delete'], called),
      directory: counted(new MemoryDirectory(), ['put', 'delete'], called),
    });
    const run = async (): Promise<readonly string[]> => {
      await of.send('a');
      of.agents[0]?.begin();
      await of.settle();
      of.agents[0]?.answer();
      await of.settle();
      return writes.splice(0);
    };
    await run();
    expect(await run()).toEqual(['enqueue', 'mark', 'mark', 'mark']);
    await of.pass(59_999);
    expect(await run()).toEqual(['enqueue', 'mark', 'mark', 'mark']);
    await of.pass(1);
    expect(await run()).toEqual(['enqueue', 'put', 'mark', 'mark', 'mark']);
    expect(await run()).toEqual(['enqueue', 'mark', 'mark', 'mark']);
    expect(await of.host.list()).toMatchObject([{ updatedAt: 60_000 }]);
  });
});
