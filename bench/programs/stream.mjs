// One long answer in small pieces, as fast as it can be read.
import { converse, cpuMs, report } from './subject.mjs';

let began;
let cpuBegan;
let count = 0;
let [last, cpu] = [0, 0];
await converse({
  options: { includePartialMessages: true },
  on({ type }) {
    if (count === 0) [began, cpuBegan] = [performance.now(), cpuMs()];
    count += 1;
    if (type === 'result') [last, cpu] = [performance.now(), cpuMs() - cpuBegan];
  },
});
const expected = Number(process.env.BENCH_DELTAS) + 2;
if (count !== expected) throw new Error(`${count} messages came, not ${expected}.`);
report({ perSecond: count / ((last - began) / 1000), cpu: (cpu * 1000) / count });
