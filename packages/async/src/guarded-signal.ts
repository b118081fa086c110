import { notify } from './handled.ts';

type Guard = (event: Event) => void;
type Options = Parameters<AbortSignal['addEventListener']>[2];

/**
 * The same signal, whose listeners may fail: Node makes an uncaught exception of what an `abort` listener throws or
 * rejects with, which would end a program for a mistake in one callback. The failure is given to `failed` instead.
 */
export function guardedSignal(signal: AbortSignal, failed: (error: unknown) => void): AbortSignal {
  const guards = new WeakMap<object, Guard>();
  const guard =
    (listener: object): Guard =>
    (event) =>
      notify(() => callListener(listener, signal, event), failed);
  /** What is no listener is for the platform to refuse. */
  const guardOf = (listener: unknown): Guard => {
    if ((typeof listener !== 'object' && typeof listener !== 'function') || listener === null) return listener as Guard;
    const known = guards.get(listener) ?? guard(listener);
    guards.set(listener, known);
    return known;
  };
  const { addEventListener, removeEventListener } = signal;
  const add = (type: string, listener: unknown, options?: Options): void =>
    addEventListener.call(signal, type, guardOf(listener), options);
  const remove = (type: string, listener: unknown, options?: Options): void =>
    removeEventListener.call(signal, type, guardOf(listener), options);
  let onabort: unknown = null;
  // A guard of its own: the same function may be a listener as well.
  let ofOnabort: Guard = () => {};
  const setOnabort = (listener: unknown): void => {
    removeEventListener.call(signal, 'abort', ofOnabort);
    onabort = (typeof listener === 'object' || typeof listener === 'function') && listener ? listener : null;
    if (typeof onabort !== 'function') return;
    ofOnabort = guard(onabort);
    addEventListener.call(signal, 'abort', ofOnabort);
  };
  return Object.defineProperties(signal, {
    addEventListener: { value: add },
    removeEventListener: { value: remove },
    onabort: { get: () => onabort, set: setOnabort },
  });
}

function callListener(listener: object, signal: AbortSignal, event: Event): unknown {
  if (typeof listener === 'function') return Reflect.apply(listener, signal, [event]);
  const handleEvent: unknown = Reflect.get(listener, 'handleEvent');
  return typeof handleEvent === 'function' ? Reflect.apply(handleEvent, listener, [event]) : undefined;
}
