import type { Parts } from './parts.ts';

/**
 * Where a package that watches every conversation of a process puts its function. By a name that all copies share: that package does not
 * import the SDK, and a program may have loaded the SDK twice.
 */
const instrumentation = Symbol.for('@hexagent/sdk/instrumentation');

/** The function, which changes the parts of an SDK when that is made. */
function installed(): ((parts: Parts) => Parts) | undefined {
  const value: unknown = Reflect.get(globalThis, instrumentation);
  return typeof value === 'function' ? (value as (parts: Parts) => Parts) : undefined; // what `instrument()` of such a package puts there
}

/** The parts as the instrumentation of the process changes them; the same where there is none. */
export function instrumented(parts: Parts): Parts {
  return installed()?.(parts) ?? parts;
}

/** Makes a value with the first call, and again with the first call after the instrumentation has changed. */
export function madeLate<T>(make: () => T): () => T {
  let made: { readonly value: T; readonly by: ReturnType<typeof installed> } | undefined;
  return () => {
    const by = installed();
    if (made === undefined || made.by !== by) made = { value: make(), by };
    return made.value;
  };
}
