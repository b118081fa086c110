import { describe, expect, it } from 'vitest';
import { LazyAbortController } from '../src/index.ts';

describe('A LazyAbortController', () => {
  it('has one signal, which aborts with the first reason', () => {
    const { controller } = recording();
    const { signal } = controller;
    expect([controller.signal === signal, signal.aborted, controller.aborted]).toEqual([true, false, false]);
    controller.abort('enough');
    controller.abort('again');
    expect([signal.aborted, signal.reason, controller.aborted]).toEqual([true, 'enough', true]);
  });

  it('has an aborted signal when it is read only later', () => {
    const { controller } = recording();
    controller.abort('before');
    expect([controller.signal.aborted, controller.signal.reason]).toEqual([true, 'before']);
  });

  it('calls its listeners once, in their order, and before those of the signal', () => {
    const { controller } = recording();
    const called: unknown[] = [];
    controller.signal.addEventListener('abort', () => called.push('signal'));
    controller.onAbort((reason) => called.push('first', reason));
    controller.onAbort(() => called.push('second'));
    controller.abort('enough');
    controller.abort('again');
    expect(called).toEqual(['first', 'enough', 'second', 'signal']);
  });

  it('calls a listener at once when it has aborted before', () => {
    const { controller } = recording();
    const reasons: unknown[] = [];
    controller.abort('before');
    controller.onAbort((reason) => reasons.push(reason))();
    expect(reasons).toEqual(['before']);
  });

  it('does not call a listener that was removed', () => {
    const { controller } = recording();
    const called: string[] = [];
    const remove = controller.onAbort(() => called.push('removed'));
    controller.onAbort(() => called.push('kept'));
    remove();
    remove();
    controller.abort('enough');
    expect(called).toEqual(['kept']);
  });

  it('reports listeners that fail, and calls the others', async () => {
    const { controller, failures } = recording();
    const called: string[] = [];
    const failing = (message: string) => (): never => {
      throw new Error(message);
    };
    controller.onAbort(failing('thrown'));
    const rejecting: () => unknown = () => Promise.reject(new Error('rejected'));
    controller.onAbort(rejecting);
    controller.signal.addEventListener('abort', failing('of the signal'));
    controller.onAbort(() => called.push('called'));
    controller.abort('enough');
    await new Promise(setImmediate);
    expect(called).toEqual(['called']);
    expect(failures.map(String).toSorted()).toEqual(['Error: of the signal', 'Error: rejected', 'Error: thrown']);
  });
});

function recording(): { readonly controller: LazyAbortController; readonly failures: readonly unknown[] } {
  const failures: unknown[] = [];
  return { controller: new LazyAbortController((error) => failures.push(error)), failures };
}
