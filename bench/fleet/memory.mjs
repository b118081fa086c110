// What a session takes in a worker, beside its agent: while that lives, and once it was ended.
// node --expose-gc --conditions=@hexagent/source bench/fleet/memory.mjs [sessions]
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from './database.mjs';
import { simulatedFleet } from './simulated-fleet.mjs';

const [sessions = 3000] = process.argv.slice(2).map(Number);
await using database = await openDatabase({ isDurable: false });
const limits = { maxLive: 2 * sessions, maxStarting: 50, maxWaiting: 100_000, idleMs: 4000 };
const fleet = await simulatedFleet(database, { workers: 1, tenants: 100, ...limits });
await fleet.plant(2 * sessions);
const heapKB = async () => {
  await wait(200);
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1024;
};
const sendAll = async (from) => {
  for (let at = from; at < from + sessions; at += 100)
    await Promise.all(Array.from({ length: 100 }, (_, each) => fleet.send(at + each, crypto.randomUUID())));
};
await sendAll(sessions);
await wait(6000);
fleet.counts.runs.clear();
const before = await heapKB();
await sendAll(0);
fleet.counts.runs.clear();
const live = await heapKB();
const count = [...fleet.counts.live.values()].reduce((sum, each) => sum + each, 0);
await wait(6000);
const parked = await heapKB();
console.log(
  JSON.stringify({
    live: count,
    liveKB: ((live - before) / sessions).toFixed(1),
    parkedKB: ((parked - before) / sessions).toFixed(2),
  }),
);
await fleet.close();
