import { Deferred, onAbort } from '@hexagent/async';
import { SdkError, type Clock } from '@hexagent/ports';

/** How long to wait before another attempt; there are as many more as there are numbers. */
const pausesMs: readonly number[] = [250, 500, 1000, 2000, 4000];

interface Trying {
  readonly clock: Clock;
  /** Aborts where the result is not needed any more. */
  readonly signal: AbortSignal;
}

/** Calls a store, and calls it again where it fails for a moment. `call` is given whether it was called before. */
export async function tryAgain<T>(
  call: (isAgain: boolean) => Promise<T>,
  { clock, signal }: Trying,
  pauses: readonly number[] = pausesMs,
): Promise<T> {
  try {
    return await call(pauses !== pausesMs);
  } catch (error) {
    const [pause, ...later] = pauses;
    if (pause === undefined || isRefusal(error)) throw error;
    await passed(pause, { clock, signal });
    if (signal.aborted) throw error;
    return await tryAgain(call, { clock, signal }, later);
  }
}

/** Whether another attempt would be refused, too. */
export function isRefusal(error: unknown): boolean {
  return error instanceof TypeError || (SdkError.is(error) && error.code === 'LEASE_LOST');
}

/** Resolves after this time, or when the signal aborts. */
async function passed(ms: number, { clock, signal }: Trying): Promise<void> {
  const over = new Deferred<void>();
  const end = (): void => over.resolve();
  const releases = [clock.after(ms, end, { keepsAlive: true }), onAbort(signal, end)];
  await over.promise;
  for (const release of releases) release();
}
