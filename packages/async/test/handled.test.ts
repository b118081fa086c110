/* oxlint-disable unicorn/no-thenable -- Programs return such objects, on purpose or not. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { attempt, handled, notify, withHandledPromises } from '@hexagent/async';

const thenable = (then: unknown): PromiseLike<string> => ({ then }) as PromiseLike<string>; // what only untyped code returns
const hostile = Object.defineProperty({}, 'then', {
  get: () => {
    throw new Error('from the getter');
  },
});

describe('A handled promise', () => {
  it('still rejects for code that awaits it', async () => {
    const promise = Promise.reject(new Error('no'));
    expect(handled(promise)).toBe(promise);
    await expect(promise).rejects.toThrow('no');
  });
});

describe('Methods with handled promises', () => {
  it('work as before, and reject for code that awaits them', async () => {
    const target = withHandledPromises({
      kept: 1,
      plain: (a: number, b: number) => a + b,
      fails: () => Promise.reject(new Error('no')),
      [Symbol.asyncIterator]: () => 'iterator',
    });
    expect([target.kept, target.plain(1, 2), target[Symbol.asyncIterator]()]).toEqual([1, 3, 'iterator']);
    await expect(target.fails()).rejects.toThrow('no');
  });
});

describe('An attempt', () => {
  it('returns the very promise that the call returns', () => {
    const promise = Promise.resolve(1);
    expect(attempt(() => promise)).toBe(promise);
  });

  it.each<[string, () => unknown, unknown]>([
    ['a value', () => 1, 1],
    ['nothing', () => undefined, undefined],
    ['a thenable', () => thenable((resolve: (value: string) => void) => resolve('late')), 'late'],
    [
      'a thenable that settles twice',
      () =>
        thenable((resolve: (value: string) => void, reject: (error: unknown) => void) => {
          resolve('first');
          reject(new Error('second'));
        }),
      'first',
    ],
  ])('resolves with the outcome of the call: %s', async (_, call, value) => {
    expect(await attempt(call)).toBe(value);
  });

  it.each<[string, () => unknown]>([
    [
      'a throw',
      () => {
        throw new Error('no');
      },
    ],
    ['a rejection', () => Promise.reject(new Error('no'))],
    [
      'a thenable whose then throws',
      () =>
        thenable(() => {
          throw new Error('no');
        }),
    ],
  ])('rejects: %s', async (_, call) => {
    await expect(attempt(call)).rejects.toThrow('no');
  });

  it('rejects where reading `then` throws', async () => {
    await expect(attempt(() => hostile)).rejects.toThrow('from the getter');
  });
});

describe('notify()', () => {
  const failuresOf = async (call: () => unknown): Promise<readonly unknown[]> => {
    const failures: unknown[] = [];
    notify(call, (error) => failures.push(error));
    await new Promise(setImmediate);
    return failures;
  };

  it.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['a text', () => 'text'],
    ['an object', () => ({})],
    ['a promise', () => Promise.resolve(1)],
  ])('ignores what the listener returns: %s', async (_, call) => {
    expect(await failuresOf(call)).toEqual([]);
  });

  it.each<[string, () => unknown, unknown]>([
    [
      'throws',
      () => {
        throw 'no'; // oxlint-disable-line typescript/only-throw-error -- Programs can throw anything.
      },
      'no',
    ],
    ['rejects', () => Promise.reject(new Error('no')), new Error('no')],
    ['returns what cannot be awaited', () => hostile, new Error('from the getter')],
    [
      'returns a function with a `then` that rejects',
      () => Object.assign(() => {}, { then: (_: unknown, reject: (error: unknown) => void) => reject('no') }),
      'no',
    ],
  ])('reports a listener that %s', async (_, call, error) => {
    expect(await failuresOf(call)).toEqual([error]);
  });
});

it('No helper of this package leaves an unhandled rejection', () => {
  const source = `
    import { handled, Inbox, notify, withHandledPromises } from ${JSON.stringify(fileURLToPath(new URL('../src/index.ts', import.meta.url)))};
    handled(Promise.reject(new Error('no')));
    notify(async () => { throw new Error('no'); });
    const waited = new Inbox();
    waited.next();
    waited.end({ error: new Error('no') });
    const late = new Inbox();
    late.end({ error: new Error('no') });
    late.next();
    withHandledPromises({ fails: async () => { throw new Error('no'); } }).fails();
    notify(() => ({ then() { throw new Error('no'); } }));
    notify(() => ({ get then() { throw new Error('no'); } }));
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', source]);
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
});
