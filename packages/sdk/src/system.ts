import type { Clock, Ids } from '@hexagent/ports';

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    // Waiting for a deadline is no reason for a program to stay alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};

let count = 0;
// Two processes never share a connection, so a counter is enough; the prefix tells ours from the agent's in a recording.
export const systemIds: Ids = {
  request: () => `hx_${(count += 1).toString(36)}`,
  uuid: () => crypto.randomUUID(),
};
