import { notify } from './handled.ts';

type Guard = (event: Event) => void;
type Options = Parameters<AbortSignal['addEventListener']>[2];

/** The state of a guarded signal. */
interface Guarding {
  readonly failed: (error: unknown) => void;
  /** The guard of each listener; created with the first one, since most signals have none. */
  guards?: WeakMap<object, Guard>;
  handler: unknown;
  /** A separate guard, since the same function may also be registered with `addEventListener`. */
  onabortGuard?: Guard | undefined;
}

const guarding = Symbol('guarding');
type Guarded = AbortSignal & { readonly [guarding]: Guarding };

/** Guarded prototypes by the prototype that they extend: signals of another realm have another one. */
const prototypes = new WeakMap<object, object>();

/**
 * The same signal, made safe for listeners that fail. Node turns what an `abort` listener throws or rejects with into an
 * uncaught exception, which ends the program for a mistake in one callback; here `failed` receives it instead.
 */
export function guardedSignal(signal: AbortSignal, failed: (error: unknown) => void): AbortSignal {
  const own: object = Object.getPrototypeOf(signal); // a signal always has a prototype
  const prototype = prototypes.get(own) ?? guardedPrototype(own as AbortSignal);
  prototypes.set(own, prototype);
  Object.defineProperty(signal, guarding, { value: { failed, handler: null } satisfies Guarding });
  // A shared prototype: own properties would take more time and memory for each signal than the signal itself.
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
        if (state.onabortGuard !== undefined) removeEventListener.call(this, 'abort', state.onabortGuard);
        state.handler = (typeof listener === 'object' || typeof listener === 'function') && listener ? listener : null;
        if (typeof state.handler !== 'function') return;
        state.onabortGuard = guard(this, state.handler);
        addEventListener.call(this, 'abort', state.onabortGuard);
      },
    },
  }) as object;
}

function guard(signal: Guarded, listener: object): Guard {
  return (event) => notify(() => callListener(listener, signal, event), signal[guarding].failed);
}

/** A value that is not a listener is returned unchanged, so that the platform refuses it. */
function guardOf(signal: Guarded, listener: unknown): Guard {
  if ((typeof listener !== 'object' && typeof listener !== 'function') || listener === null) return listener as Guard;
  const guards = (signal[guarding].guards ??= new WeakMap());
  const existing = guards.get(listener) ?? guard(signal, listener);
  guards.set(listener, existing);
  return existing;
}

function callListener(listener: object, signal: AbortSignal, event: Event): unknown {
  if (typeof listener === 'function') return Reflect.apply(listener, signal, [event]);
  const handleEvent: unknown = Reflect.get(listener, 'handleEvent');
  return typeof handleEvent === 'function' ? Reflect.apply(handleEvent, listener, [event]) : undefined;
}
