import type { Clock } from '@hexagent/ports';

/** Resolves when `awaited` does, or when its time is over. */
export function within(ms: number, awaited: Promise<unknown>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve, { keepsAlive: true });
    void awaited.then(() => {
      cancel();
      resolve();
    });
  });
}
