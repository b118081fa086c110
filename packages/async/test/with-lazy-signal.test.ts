import { describe, expect, it } from 'vitest';
import { withLazySignal } from '../src/index.ts';

describe('withLazySignal()', () => {
  it('reads the signal when it is read, and each object that of its own source', () => {
    let reads = 0;
    const { signal } = new AbortController();
    const source = {
      get signal() {
        reads += 1;
        return signal;
      },
    };
    const target = { id: 'a' };
    const first = withLazySignal(target, source);
    const second = withLazySignal({}, { signal: AbortSignal.abort() });
    expect(reads).toBe(0);
    expect([first === target, first.signal === signal, second.signal.aborted]).toEqual([true, true, true]);
    expect(reads).toBe(1);
  });

  it('adds nothing but an own property that copies include', () => {
    const { signal } = new AbortController();
    const target = withLazySignal({ id: 'a' }, { signal });
    expect(Object.getOwnPropertyNames(target)).toEqual(['id', 'signal']);
    expect(Object.keys(target)).toEqual(['id', 'signal']);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
    expect({ ...target }).toStrictEqual({ id: 'a', signal });
    expect(Object.getOwnPropertySymbols({ ...target })).toEqual([]);
  });

  it('is read through a proxy, and by an object that inherits it', () => {
    const { signal } = new AbortController();
    const target = withLazySignal({}, { signal });
    expect(new Proxy(target, {}).signal === signal).toBe(true);
    expect((Object.create(target) as typeof target).signal === signal).toBe(true);
  });
});
