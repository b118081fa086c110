import { describe, expect, it } from 'vitest';
import { Deferred, Serial } from '@hexagent/async';

describe('Tasks in a series', () => {
  it('begin when the one before has settled, also when it has failed', async () => {
    const serial = new Serial();
    const [first, order] = [new Deferred<string>(), [] as string[]];
    const failing = serial.run(() => (order.push('first'), first.promise));
    const following = serial.run(async () => order.push('second'));
    await Promise.resolve();
    expect(order).toEqual(['first']);
    first.reject(new Error('disk full'));
    await expect(failing).rejects.toThrow('disk full');
    expect(await following).toBe(2);
  });

  it('are reported once the last of them has settled', async () => {
    let drained = 0;
    const serial = new Serial(() => (drained += 1));
    const tasks = [serial.run(async () => {}), serial.run(async () => {})];
    expect(serial.isBusy).toBe(true);
    await serial.settled();
    await Promise.all(tasks);
    await Promise.resolve();
    expect([drained, serial.isBusy]).toEqual([1, false]);
  });
});
