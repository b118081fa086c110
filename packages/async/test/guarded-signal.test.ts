import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { guardedSignal } from '@hexagent/async';

interface Guarded {
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  readonly failures: unknown[];
}

function guarded(): Guarded {
  const controller = new AbortController();
  const failures: unknown[] = [];
  return { controller, signal: guardedSignal(controller.signal, (error) => failures.push(error)), failures };
}

const fail = (): never => {
  throw new Error('from a listener');
};

describe('A guarded signal', () => {
  it('calls its listeners as any signal does, with itself as `this`', () => {
    const { controller, signal } = guarded();
    const calls: unknown[] = [];
    signal.addEventListener('abort', function (this: unknown, { type }) {
      calls.push(this, type);
    });
    signal.addEventListener('abort', { handleEvent: ({ type }: Event) => calls.push(`object ${type}`) });
    controller.abort('why');
    expect(calls).toEqual([signal, 'abort', 'object abort']);
    expect(signal.reason).toBe('why');
  });

  it('does not call a listener that was removed, and calls one that was added twice once', () => {
    const { controller, signal } = guarded();
    let calls = 0;
    const [listener, kept] = [(): unknown => (calls += 1), (): unknown => (calls += 10)];
    signal.addEventListener('abort', listener);
    signal.addEventListener('abort', kept);
    signal.addEventListener('abort', kept);
    signal.removeEventListener('abort', listener);
    controller.abort();
    expect(calls).toBe(10);
  });

  it('has one `onabort`, which can be replaced and removed', () => {
    const { controller, signal } = guarded();
    const calls: string[] = [];
    /* oxlint-disable unicorn/prefer-add-event-listener -- Programs use both. */
    signal.onabort = () => calls.push('first');
    signal.onabort = () => calls.push('second');
    expect(typeof signal.onabort).toBe('function');
    controller.abort();
    expect(calls).toEqual(['second']);
    signal.onabort = null;
    expect(signal.onabort).toBeNull();
  });

  it('reports what a listener throws or rejects with, and calls the others', async () => {
    const { controller, signal, failures } = guarded();
    let called = false;
    signal.addEventListener('abort', fail);
    const failsLater = (): unknown => Promise.reject(new Error('from a listener'));
    signal.addEventListener('abort', failsLater);
    signal.onabort = fail;
    signal.addEventListener('abort', () => (called = true));
    controller.abort();
    await new Promise(setImmediate);
    expect(failures).toEqual([1, 2, 3].map(() => new Error('from a listener')));
    expect(called).toBe(true);
  });

  it('works with AbortSignal.any() and with the timers of Node', async () => {
    const { controller, signal } = guarded();
    const any = AbortSignal.any([signal]);
    const sleeping = sleep(60_000, undefined, { signal }).catch((error: unknown) => error);
    controller.abort();
    expect(any.aborted).toBe(true);
    expect(await sleeping).toMatchObject({ name: 'AbortError' });
  });
});
