import { checkDelay } from '@hexagent/checks';
import type { Clock } from '@hexagent/ports';

/** The longest delay of a timer. One millisecond more, and Node fires it after one. */
const longestTimerMs = 2 ** 31 - 1;

/** The time of the system. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback, { keepsAlive = false } = {}) {
    checkDelay('ms', ms);
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const step = Math.min(left, longestTimerMs);
      timer = setTimeout(() => (left > step ? wait(left - step) : callback()), step);
      // A pending deadline does not keep the program alive.
      if (!keepsAlive) timer.unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
