import type { WorkerState } from '@hexagent/ports';
import { seededRandom } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { place } from '../src/index.ts';

const worker = (owner: string, state: Partial<WorkerState> = {}): WorkerState => ({
  owner,
  address: `at ${owner}`,
  capacity: 20,
  leases: 0,
  isDraining: false,
  ...state,
});

const ownersOf = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `worker ${at}`);

describe('A session', () => {
  const [a, b] = [worker('a', { leases: 10 }), worker('b')];

  it('goes to the worker that had it last, however many leases that one has', () => {
    expect(place({ id: 's', address: 'at a' }, [a, b])).toBe(a);
  });

  it.each([
    ['drains', { isDraining: true }],
    ['is full', { leases: 20 }],
  ])('goes to the least loaded one where its worker %s', (_, state) => {
    expect(place({ id: 's', address: 'at a' }, [worker('a', state), b])).toBe(b);
    expect(place({ id: 's', address: 'at a' }, [worker('a', state), worker('b', { leases: 19 })])?.owner).toBe('b');
  });

  it('goes to the worker with the fewest leases for its capacity, also where all are full', () => {
    const large = worker('large', { capacity: 100, leases: 30 });
    expect(place({ id: 's' }, [worker('small', { capacity: 10, leases: 4 }), large])).toBe(large);
    expect(place({ id: 's' }, [worker('more', { leases: 41 }), worker('less', { leases: 40 })])?.owner).toBe('less');
  });

  it('stays with a worker that has no capacity, which is never full', () => {
    const endless = worker('endless', { capacity: undefined, leases: 1000 });
    expect(place({ id: 's', address: 'at endless' }, [endless, b])).toBe(endless);
  });

  it('without an address goes to no worker because that has none either', () => {
    const nowhere = worker('nowhere', { address: undefined, leases: 5 });
    expect(place({ id: 's' }, [nowhere, b])).toBe(b);
  });

  it('goes to the new one of two that are at its address, once the old one has leases', () => {
    const [old, young] = [worker('old', { address: 'x', leases: 3 }), worker('young', { address: 'x' })];
    expect(place({ id: 's', address: 'x' }, [old, young, b])).toBe(young);
  });

  it('goes nowhere where no worker takes sessions', () => {
    expect(place({ id: 's', address: 'at a' }, [worker('a', { isDraining: true })])).toBeUndefined();
    expect(place({ id: 's' }, [])).toBeUndefined();
  });

  it('goes to the same worker in whatever order these are, and to a living one that does not drain', () => {
    const random = seededRandom(7);
    const upTo = (most: number): number => Math.floor(random() * most);
    for (let round = 0; round < 500; round += 1) {
      const workers = ownersOf(1 + upTo(6)).map((owner) =>
        worker(owner, { leases: upTo(4), capacity: 1 + upTo(3), isDraining: random() < 0.2 }),
      );
      const session = { id: `session ${upTo(1000)}`, address: `at worker ${upTo(8)}` };
      const chosen = place(session, workers);
      expect(place(session, workers.toReversed())).toBe(chosen);
      expect(chosen?.isDraining ?? false).toBe(false);
      expect(chosen === undefined).toBe(workers.every(({ isDraining }) => isDraining));
    }
  });

  it('goes to the same worker from version to version, since a fleet may have several at once', () => {
    const workers = ['a', 'b', 'c', 'd'].map((owner) => worker(owner));
    const chosen = Array.from({ length: 8 }, (_, at) => place({ id: `s${at}` }, workers)?.owner);
    expect(chosen.join('')).toBe('aacbaddd');
  });

  it('goes to the same worker where two have the same hash with it', () => {
    const two = ['worker 356005669', 'worker 141038933'].map((owner) => worker(owner));
    expect(place({ id: 's' }, two)?.owner).toBe('worker 141038933');
    expect(place({ id: 's' }, two.toReversed())?.owner).toBe('worker 141038933');
  });

  it('is spread over workers of the same load, about evenly', () => {
    const workers = ownersOf(4).map((owner) => worker(owner));
    const counts = new Map<string, number>();
    for (let at = 0; at < 4000; at += 1) {
      const owner = place({ id: `session-${at}` }, workers)?.owner ?? 'none';
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
    expect([counts.size, counts.has('none')]).toEqual([4, false]);
  });
});
