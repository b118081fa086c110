import { AbortError } from '@hexagent/ports';

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal);
}

/** One listener on the signal, for as long as the work takes. What comes too late is handed to `discard`. */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  discard: (late: T) => unknown,
): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(aborted(signal));
      work.then(discard, () => {}); // why the work failed matters no more
    };
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function aborted(signal: AbortSignal): AbortError {
  return new AbortError('Aborted while the agent was being started.', { cause: signal.reason });
}
