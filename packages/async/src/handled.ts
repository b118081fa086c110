/** Marks a promise as handled: its rejection never counts as unhandled, and code that awaits it still receives it. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Calls foreign code and returns its outcome as a promise, whether it returns, throws, or returns any kind of thenable. */
export function attempt<T>(call: () => T | PromiseLike<T>): Promise<T> {
  try {
    // An async function would delay a promise that the call returns by some microtasks; this returns that very promise.
    return Promise.resolve(call());
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Calls a listener without waiting for its result. `failed` receives what it throws, or what the promise that it returns
 * rejects with. Creates no promise when the listener returns nothing.
 */
export function notify(call: () => unknown, failed: (error: unknown) => void = () => {}): void {
  try {
    const result = call();
    if ((typeof result === 'object' && result !== null) || typeof result === 'function')
      Promise.resolve(result).catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** Wraps the object's own methods, in place, so that every promise they return is {@link handled}. */
export function withHandledPromises<T extends object>(target: T): T {
  for (const key of Reflect.ownKeys(target)) {
    const method: unknown = Reflect.get(target, key);
    if (typeof method !== 'function') continue;
    const calling = (...args: readonly unknown[]): unknown => {
      const result: unknown = Reflect.apply(method, target, args);
      return result instanceof Promise ? handled(result) : result;
    };
    Reflect.set(target, key, calling);
  }
  return target;
}
