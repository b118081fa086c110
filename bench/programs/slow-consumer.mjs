// Reads 500 messages of many and then no more, without leaving: how much of the rest is taken in all the same?
import { setTimeout as delay } from 'node:timers/promises';
import { query, childEnv, cli, report, rssMb } from './subject.mjs';

const [settledAfterMs, longestMs] = [1500, 20_000];

/** The highest it gets until it has not grown for a while. */
async function highest() {
  let peak = rssMb();
  let grewAt = performance.now();
  for (
    const until = grewAt + longestMs;
    performance.now() < Math.min(until, grewAt + settledAfterMs);
    await delay(20)
  ) {
    const now = rssMb();
    if (now <= peak + 1) continue;
    peak = now;
    grewAt = performance.now();
  }
  return Math.max(peak, rssMb());
}

const before = rssMb();
let count = 0;
for await (const _ of query({ prompt: 'go', options: { pathToClaudeCodeExecutable: cli, env: childEnv } })) {
  count += 1;
  if (count < 500) continue;
  report({ growth: (await highest()) - before });
  break;
}
// The row `stop` measures how long leaving takes.
process.exit();
