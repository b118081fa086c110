import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { onAbort } from '../src/index.ts';

describe('onAbort()', () => {
  it('calls back once with the reason, and leaves no listener behind', () => {
    const { signal, abort } = controller();
    const reasons: unknown[] = [];
    onAbort(signal, (reason) => reasons.push(reason));
    expect(reasons).toEqual([]);
    abort('enough');
    abort('again');
    expect(reasons).toEqual(['enough']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('calls back at once when the signal has aborted before', () => {
    const reasons: unknown[] = [];
    const stop = onAbort(AbortSignal.abort('before'), (reason) => reasons.push(reason));
    expect(reasons).toEqual(['before']);
    expect(stop).not.toThrow();
  });

  it('is stopped by what it returns', () => {
    const { signal, abort } = controller();
    const stop = onAbort(signal, () => expect.unreachable());
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    stop();
    stop();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    abort('late');
  });

  it('does nothing without a signal', () => {
    expect(onAbort(undefined, () => expect.unreachable())).not.toThrow();
  });
});

function controller(): { signal: AbortSignal; abort: (reason: unknown) => void } {
  const aborting = new AbortController();
  return { signal: aborting.signal, abort: (reason) => aborting.abort(reason) };
}
