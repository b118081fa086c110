import { Deferred, onAbort } from '@hexagent/async';

/** Settles as the promise does, or rejects with the reason of the signal when that aborts first: closing waits for no program. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Deferred<never>().handled();
  const stopListening = onAbort(signal, (reason) => aborted.reject(reason));
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    stopListening();
  }
}
