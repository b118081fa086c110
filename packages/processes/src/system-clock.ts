import { checkDelay } from '@hexagent/checks';
import type { Clock } from '@hexagent/ports';

/** The longest delay of a timer. One millisecond more, and Node fires it after one. */
const longestTimerMs = 2 ** 31 - 1;

/** The time of the system. */
export const systemClock: Clock = {
  // `performance` is the same clock, behind a module that takes a millisecond to load.
  now() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
  after(ms, callback, { keepsAlive = false } = {}) {
    checkDelay('ms', ms);
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const step = Math.min(left, longestTimerMs);
      timer = setTimeout(() => (left > step ? wait(left - step) : callback()), step);
      // Waiting for a deadline is no reason for a program to stay alive.
      if (!keepsAlive) timer.unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
