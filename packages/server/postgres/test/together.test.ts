import { SdkError } from '@hexagent/ports';
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

it('Calls that the database refuses together are made one by one: the others do not fail for one of them', async () => {
  const sizes: number[] = [];
  const together = new Together<string, string>(async (keys) => {
    sizes.push(keys.length);
    if (keys.includes('too long')) throw new SdkError('STORE_FAILED', 'no');
    if (keys.includes('away')) throw new SdkError('STORE_UNREACHABLE', 'no');
    return keys;
  });
  const answersOf = async (...keys: readonly string[]): Promise<readonly unknown[]> => {
    const answers = await Promise.allSettled(keys.map((key) => together.call(key)));
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.code));
  };
  expect(await answersOf('a', 'too long', 'b')).toEqual(['a', 'STORE_FAILED', 'b']);
  expect(await answersOf('away', 'a')).toEqual(['STORE_UNREACHABLE', 'STORE_UNREACHABLE']);
  expect(sizes).toEqual([3, 1, 1, 1, 2]);
});
