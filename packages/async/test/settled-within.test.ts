import { describe, expect, it } from 'vitest';
import { Deferred, settledWithin } from '@hexagent/async';

/** Rings by hand. */
class HandTimer {
  #callback: (() => void) | undefined;

  after(_: number, callback: () => void): () => void {
    this.#callback = callback;
    return () => (this.#callback = undefined);
  }

  get isWaiting(): boolean {
    return this.#callback !== undefined;
  }

  ring(): void {
    this.#callback?.();
  }
}

describe('settledWithin()', () => {
  it.each([
    ['resolves', (awaited: Deferred<void>) => awaited.resolve()],
    ['rejects', (awaited: Deferred<void>) => awaited.reject(new Error('no'))],
  ])('is true for a promise that %s in time, and leaves no timer', async (_, settle) => {
    const [clock, awaited] = [new HandTimer(), new Deferred<void>()];
    const inTime = settledWithin(10, awaited.promise, clock);
    settle(awaited);
    expect(await inTime).toBe(true);
    expect(clock.isWaiting).toBe(false);
  });

  it('is false when the time is over', async () => {
    const clock = new HandTimer();
    const inTime = settledWithin(10, new Promise(() => {}), clock);
    clock.ring();
    expect(await inTime).toBe(false);
  });
});
