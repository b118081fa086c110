import { checkDelay, type Clock } from '@hexagent/ports';

/** The longest delay of a timer. One millisecond more, and Node fires it after one. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    checkDelay('ms', ms);
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const step = Math.min(left, longestTimerMs);
      timer = setTimeout(() => (left > step ? wait(left - step) : callback()), step);
      // Waiting for a deadline is no reason for a program to stay alive.
      timer.unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves when the promise settles, or after `ms`. Never rejects. */
export async function settledWithin(clock: Clock, ms: number, promise: Promise<unknown> | undefined): Promise<void> {
  if (promise === undefined) return;
  let cancel = (): void => {};
  const late = new Promise<void>((resolve) => (cancel = clock.after(ms, resolve)));
  await Promise.race([promise.then(ignore, ignore), late]);
  cancel();
}

/** A signal that aborts after `ms`, unless that is cancelled. */
export function limitSignal(clock: Clock, ms: number): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  const cancel = clock.after(ms, () => controller.abort(new Error(`nothing came within ${ms} ms`)));
  return { signal: controller.signal, cancel };
}

const ignore = (): void => {};
