// Many conversations at once.
import { converse, report, rssMb } from './subject.mjs';

const sessions = Number(process.env.BENCH_SESSIONS);
const expected = Number(process.env.BENCH_DELTAS) + 2;

async function one() {
  let count = 0;
  await converse({ options: { includePartialMessages: true }, on: () => void (count += 1) });
  if (count !== expected) throw new Error(`${count} messages came, not ${expected}.`);
}

await one();
const before = rssMb();
let peak = before;
const sampling = setInterval(() => (peak = Math.max(peak, rssMb())), 5);
const began = performance.now();
await Promise.all(Array.from({ length: sessions }, one));
const ms = performance.now() - began;
clearInterval(sampling);
report({ ms, rss: ((Math.max(peak, rssMb()) - before) * 1024) / sessions });
