/** The same promise, whose rejection never counts as unhandled. Whoever awaits it still gets the rejection. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** What a call into foreign code comes to, as a promise, whether it returns, throws, or hands out any kind of thenable. */
export function attempt<T>(call: () => T | PromiseLike<T>): Promise<T> {
  try {
    // Not an async function: a promise that is one already is handed on without further delay.
    return Promise.resolve(call());
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Calls a listener whose result nobody waits for. What it throws, or what the promise that it returns rejects with, is
 * given to `failed`, and nothing else comes of it. Costs no promise where the listener returns nothing.
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

/** The same object, whose methods hand out only promises that are {@link handled}. */
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
