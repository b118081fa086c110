import type { Clock } from '@hexagent/ports';

/** Resolves when the promise settles, or after `ms`. Never rejects. */
export async function settledWithin(clock: Clock, ms: number, promise: Promise<unknown> | undefined): Promise<void> {
  if (promise === undefined) return;
  let cancel = (): void => {};
  const late = new Promise<void>((resolve) => (cancel = clock.after(ms, resolve, { keepsAlive: true })));
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
