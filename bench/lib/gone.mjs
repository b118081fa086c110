import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when the process has ended, to within a millisecond. */
export async function gone(pid) {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await delay(1);
  }
}
