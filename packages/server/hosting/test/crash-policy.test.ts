import { describe, expect, it } from 'vitest';
import { CrashPolicy } from '../src/crash-policy.ts';

describe('The delay after a crash', () => {
  it('doubles up to the longest', () => {
    const policy = new CrashPolicy({ firstDelayMs: 100, longestDelayMs: 1000 }, () => 1);
    expect([1, 2, 3, 4, 5].map(() => policy.crashed())).toEqual([100, 200, 400, 800, 1000]);
  });

  it('is between half of that and all of it, by chance', () => {
    const delays = [0, 0.5, 1].map((chance) => new CrashPolicy({ firstDelayMs: 100 }, () => chance).crashed());
    expect(delays).toEqual([50, 75, 100]);
  });

  it('begins anew after a turn was finished', () => {
    const policy = new CrashPolicy({ firstDelayMs: 100 }, () => 1);
    policy.crashed();
    policy.crashed();
    policy.reset();
    expect(policy.crashed()).toBe(100);
  });
});

describe('A session that crashes again and again', () => {
  it('is broken after `maxCrashes` crashes, and not one earlier', () => {
    const policy = new CrashPolicy({ maxCrashes: 3 }, () => 1);
    const broken = [1, 2, 3].map(() => {
      policy.crashed();
      return policy.isBroken;
    });
    expect(broken).toEqual([false, false, true]);
    policy.reset();
    expect(policy.isBroken).toBe(false);
  });
});
