// Leaves an agent that ignores its signals: when has its process gone?
import { readFileSync } from 'node:fs';
import { gone } from '../lib/gone.mjs';
import { childEnv, converse, report } from './subject.mjs';

const stopAt = Number(process.env.BENCH_STOP_AT);
let count = 0;
let began;
let left = Promise.resolve();
await converse({
  options: { includePartialMessages: true },
  on() {
    count += 1;
    if (count !== stopAt) return true;
    began = performance.now();
    left = gone(Number(readFileSync(childEnv.BENCH_PID_FILE, 'utf8')));
    return false;
  },
});
await left;
report({ gone: performance.now() - began });
process.exit();
