import { assert } from './assert.ts';

/** Asserts that `actual` has at least the fields of `expected`; a `RegExp` there matches texts. */
export function assertMatches(actual: unknown, expected: unknown, place = 'value'): void {
  if (expected instanceof RegExp) assert.match(String(actual), expected, place);
  else if (isPlain(expected)) {
    assert.ok(typeof actual === 'object' && actual !== null, `${place} is ${String(actual)}`);
    for (const [key, value] of Object.entries(expected))
      assertMatches(Reflect.get(actual, key), value, `${place}.${key}`);
  } else assert.deepEqual(actual, expected, place);
}

/** Asserts that the promise rejects with an error that matches. */
export async function assertRejects(promise: Promise<unknown>, expected: object): Promise<void> {
  let error: unknown;
  try {
    await promise;
  } catch (caught) {
    error = caught;
  }
  assert.ok(error instanceof Error, `It was not rejected with an error, but gave ${String(error)}.`);
  assertMatches(error, expected, 'error');
}

/** Asserts that the call throws an error that matches. */
export function assertThrows(call: () => unknown, expected: object): void {
  assert.throws(call, (error) => {
    assertMatches(error, expected, 'error');
    return true;
  });
}

/** All values, once the iteration has ended. */
export async function collect<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const seen: T[] = [];
  for await (const value of values) seen.push(value);
  return seen;
}

/** Whether a promise has settled, as a value that can be read at any time. */
export function track(promise: Promise<unknown>): { readonly settled: boolean } {
  const tracked = { settled: false };
  const settle = (): void => void (tracked.settled = true);
  promise.then(settle, settle);
  return tracked;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
