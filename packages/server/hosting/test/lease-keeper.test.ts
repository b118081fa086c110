import type { Lease, LeaseStore } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { LeaseKeeper } from '../src/lease-keeper.ts';

const lease: Lease = { session: 'a', owner: 'one', fence: 1, isTakenOver: false, renewWithinMs: 4000 };

function keeping(
  renew: LeaseStore['renew'],
  changes: Partial<Lease> = {},
): {
  readonly clock: HandClock;
  readonly keeper: LeaseKeeper;
  readonly losses: number[];
  pass(ms: number): Promise<void>;
} {
  const clock = new HandClock();
  const losses: number[] = [];
  const store: LeaseStore = { renew, acquire: () => expect.unreachable(), release: async () => {} };
  const onLost = (): void => void losses.push(clock.now());
  const keeper = new LeaseKeeper({ store, lease: { ...lease, ...changes }, clock, onLost });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await microtasks();
    }
  };
  return { clock, keeper, losses, pass };
}

describe('A lease that is kept', () => {
  it('is renewed at least three times within its time', async () => {
    let renewals = 0;
    const { pass, losses } = keeping(async () => {
      renewals += 1;
      return 'kept';
    });
    await pass(4000);
    expect(renewals).toBeGreaterThanOrEqual(3);
    expect(losses).toEqual([]);
  });

  it('is lost as soon as the store reports it', async () => {
    const { pass, losses } = keeping(async () => 'lost');
    await pass(4000);
    expect(losses).toEqual([1000]);
  });

  it.each([
    ['cannot be reached', (): Promise<never> => Promise.reject(new Error('no network'))],
    ['does not answer', (): Promise<never> => new Promise<never>(() => {})],
  ])('is given up well before its time is over where the store %s', async (_, renew) => {
    const { pass, losses } = keeping(renew);
    await pass(4000);
    expect(losses).toHaveLength(1);
    expect(losses[0]).toBeLessThanOrEqual(3000);
  });

  it('is not renewed once it was given back', async () => {
    let renewals = 0;
    const { keeper, pass, losses, clock } = keeping(async () => {
      renewals += 1;
      return 'kept';
    });
    keeper.stop();
    await pass(4000);
    expect([renewals, losses, clock.waiting]).toEqual([0, [], 0]);
  });

  it('waits where the owner before did not give it back, and for no other', async () => {
    const own = keeping(async () => 'kept', { renewWithinMs: undefined });
    await own.keeper.settled(3000);
    const { keeper, clock, pass } = keeping(async () => 'kept', { isTakenOver: true, renewWithinMs: undefined });
    let isSettled = false;
    const settled = keeper.settled(3000).then(() => (isSettled = true));
    await pass(2900);
    expect(isSettled).toBe(false);
    clock.advance(100);
    await settled;
  });
});
