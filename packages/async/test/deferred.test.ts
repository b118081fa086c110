import { describe, expect, it } from 'vitest';
import { Deferred } from '@hexagent/async';

describe('A deferred value', () => {
  it('keeps its first settlement', async () => {
    const deferred = new Deferred<number>();
    expect(deferred.settled).toBe(false);
    deferred.resolve(1);
    deferred.reject(new Error('late'));
    expect(deferred.settled).toBe(true);
    expect(await deferred.promise).toBe(1);
  });

  it('rejects for code that awaits it', async () => {
    const deferred = new Deferred<number>().handled();
    deferred.reject(new Error('no'));
    await expect(deferred.promise).rejects.toThrow('no');
  });
});
