import type { Clock } from '@hexagent/ports';

/** A signal that aborts after `ms`, unless that is cancelled. */
export function limitSignal(clock: Clock, ms: number): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  const cancel = clock.after(ms, () => controller.abort(new Error(`nothing came within ${ms} ms`)));
  return { signal: controller.signal, cancel };
}
