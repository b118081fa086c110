import { expect, it } from 'vitest';
import { Together } from '../src/together.ts';

it('Calls of one turn of the event loop go together, each with its own answer', async () => {
  const runs: (readonly number[])[] = [];
  const together = new Together<number, number>(async (keys) => {
    runs.push(keys);
    return keys.map((key) => (key === 7 ? undefined : key * 2));
  });
  expect(await Promise.all([3, 7, 3].map((key) => together.call(key)))).toEqual([6, undefined, 6]);
  // A call may be made some promises later in the same turn.
  const later = Promise.resolve().then(() => together.call(2));
  expect(await Promise.all([together.call(1), later])).toEqual([2, 4]);
  expect(runs).toEqual([
    [3, 7, 3],
    [1, 2],
  ]);
});

it('More calls than one statement takes are divided, and fail by themselves', async () => {
  const sizes: number[] = [];
  const together = new Together<number, number>(async (keys) => {
    sizes.push(keys.length);
    if (sizes.length === 2) throw new Error('no');
    return keys;
  });
  const answers = await Promise.allSettled(Array.from({ length: 1100 }, (_, key) => together.call(key)));
  expect(sizes).toEqual([500, 500, 100]);
  const failed = answers.flatMap(({ status }, key) => (status === 'rejected' ? [key] : []));
  expect([failed.length, failed.at(0), failed.at(-1)]).toEqual([500, 500, 999]);
  expect(answers.at(-1)).toEqual({ status: 'fulfilled', value: 1099 });
});
