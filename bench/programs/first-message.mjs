// Many short conversations, one after the other, in a process that is warm.
import { converse, cpuMs, median, report } from './subject.mjs';

const times = [];
async function once() {
  const began = performance.now();
  let first;
  await converse({ on: () => void (first ??= performance.now() - began) });
  times.push(first);
}

const [warmUp, queries] = [Number(process.env.BENCH_WARM_UP), Number(process.env.BENCH_QUERIES)];
for (let done = 0; done < warmUp; done += 1) await once();
times.length = 0;
const before = cpuMs();
for (let done = 0; done < queries; done += 1) await once();
report({ ms: median(times), cpu: (cpuMs() - before) / queries });
