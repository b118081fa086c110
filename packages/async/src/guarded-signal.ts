import { notify } from './handled.ts';

type Guard = (event: Event) => void;
type Options = Parameters<AbortSignal['addEventListener']>[2];

/** What a guarded signal holds beside the platform's own. */
interface Guarding {
  readonly failed: (error: unknown) => void;
  /** The guard of each listener; made with the first one, since most signals never have any. */
  guards?: WeakMap<object, Guard>;
  handler: unknown;
  /** A guard of its own: the same function may be a listener as well. */
  ofOnabort?: Guard | undefined;
}

const guarding = Symbol('guarding');
type Guarded = AbortSignal & { readonly [guarding]: Guarding };

/** By the prototype that they extend: signals of another realm have another. */
const prototypes = new WeakMap<object, object>();

/**
 * The same signal, whose listeners may fail: Node makes an uncaught exception of what an `abort` listener throws or
 * rejects with, which would end a program for a mistake in one callback. The failure is given to `failed` instead.
 */
export function guardedSignal(signal: AbortSignal, failed: (error: unknown) => void): AbortSignal {
  const own: object = Object.getPrototypeOf(signal); // of a signal, which has one
  const prototype = prototypes.get(own) ?? guardedPrototype(own as AbortSignal);
  prototypes.set(own, prototype);
  Object.defineProperty(signal, guarding, { value: { failed, handler: null } satisfies Guarding });
  // A prototype that all share: properties of its own would cost each signal more than the signal itself.
  return Object.setPrototypeOf(signal, prototype) as AbortSignal;
}

function guardedPrototype(prototype: AbortSignal): object {
  const { addEventListener, removeEventListener } = prototype;
  return Object.create(prototype, {
    addEventListener: {
      value(this: Guarded, type: string, listener: unknown, options?: Options) {
        addEventListener.call(this, type, guardOf(this, listener), options);
      },
    },
    removeEventListener: {
      value(this: Guarded, type: string, listener: unknown, options?: Options) {
        removeEventListener.call(this, type, guardOf(this, listener), options);
      },
    },
    onabort: {
      get(this: Guarded) {
        return this[guarding].handler;
      },
      set(this: Guarded, listener: unknown) {
        const state = this[guarding];
        if (state.ofOnabort !== undefined) removeEventListener.call(this, 'abort', state.ofOnabort);
        state.handler = (typeof listener === 'object' || typeof listener === 'function') && listener ? listener : null;
        if (typeof state.handler !== 'function') return;
        state.ofOnabort = guard(this, state.handler);
        addEventListener.call(this, 'abort', state.ofOnabort);
      },
    },
  }) as object;
}

function guard(signal: Guarded, listener: object): Guard {
  return (event) => notify(() => callListener(listener, signal, event), signal[guarding].failed);
}

/** What is no listener is for the platform to refuse. */
function guardOf(signal: Guarded, listener: unknown): Guard {
  if ((typeof listener !== 'object' && typeof listener !== 'function') || listener === null) return listener as Guard;
  const guards = (signal[guarding].guards ??= new WeakMap());
  const known = guards.get(listener) ?? guard(signal, listener);
  guards.set(listener, known);
  return known;
}

function callListener(listener: object, signal: AbortSignal, event: Event): unknown {
  if (typeof listener === 'function') return Reflect.apply(listener, signal, [event]);
  const handleEvent: unknown = Reflect.get(listener, 'handleEvent');
  return typeof handleEvent === 'function' ? Reflect.apply(handleEvent, listener, [event]) : undefined;
}
