// A rolling drain under load: each worker is drained and replaced in turn, and no message is refused.
// node --conditions=@hexagent/source bench/fleet/drain.mjs [sessions] [workers] [tenants] [perTenant] [clients] [live] [pauseMs]
import { loadavg } from 'node:os';
import { openDatabase } from './database.mjs';
import { at, load, simulatedFleet } from './simulated-fleet.mjs';

const [sessions = 10_000, workers = 20, tenants = 100, perTenant = 15, clients = 128, live = 100, pauseMs = 1000] =
  process.argv.slice(2).map(Number);
await using database = await openDatabase({ isDurable: process.env.BENCH_DURABLE !== 'no' });
const fleet = await simulatedFleet(database, {
  workers,
  tenants,
  maxLive: live,
  maxStarting: 50,
  maxLivePerTenant: perTenant,
  maxWaiting: 100_000,
  connections: 4,
});
await fleet.plant(sessions);
let isOver = false;
const overfull = [];
let samples = 0;
async function sample() {
  const rows = await database.query(
    'select tenant, count(*) as count, max(number) as number from hexagent.places group by tenant',
  );
  samples += 1;
  overfull.push(...rows.filter(({ count, number }) => Number(count) > perTenant || number > perTenant));
}
const sampling = setInterval(() => void sample(), 250);
fleet.counted.clear();
const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
const before = { cpu: cpuMs(), db: database.cpuMs() };
const began = performance.now();
const loading = load(fleet, { sessions, clients, isOver: () => isOver });
await new Promise((resolve) => setTimeout(resolve, 2000));
const drains = [];
for (const worker of [...fleet.workers.values()]) {
  await fleet.join();
  const from = performance.now();
  await fleet.drain(worker);
  drains.push(performance.now() - from);
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
await new Promise((resolve) => setTimeout(resolve, 1000));
const took = (performance.now() - began) / 1000;
const turns = fleet.counts.ends;
isOver = true;
const stuck = setTimeout(() => {
  throw new Error('A message was not answered.');
}, 20_000);
const { accepted, refused, sent } = await loading;
clearTimeout(stuck);
clearInterval(sampling);
// The last ends are stored behind the answers.
await new Promise((resolve) => setTimeout(resolve, 500));
const [{ count: unfinished }] = await database.query('select count(*) from hexagent.messages where finish is null');
const runs = sent.map((uuid) => fleet.counts.runs.get(uuid) ?? 0);
drains.sort((one, other) => one - other);
console.log(
  JSON.stringify({
    turnsPerSecond: Math.round(turns / took),
    seconds: took.toFixed(1),
    sent: sent.length,
    refused: refused.length,
    notOnce: runs.filter((count) => count !== 1).length,
    unfinished: Number(unfinished),
    mostOfTenant: Math.max(...fleet.counts.most.values()),
    overfull: overfull.length,
    samples,
    p50: at(accepted, 0.5).toFixed(1),
    p99: at(accepted, 0.99).toFixed(1),
    drainMs: at(drains, 0.5).toFixed(0),
    longestDrainMs: at(drains, 1).toFixed(0),
    statementsPerTurn: ([...fleet.counted.values()].reduce((sum, count) => sum + count, 0) / turns).toFixed(1),
    dbCores: ((database.cpuMs() - before.db) / took / 1000).toFixed(2),
    nodeCores: ((cpuMs() - before.cpu) / took / 1000).toFixed(2),
    load: loadavg()[0].toFixed(1),
  }),
);
if (refused.length > 0) console.log(refused.slice(0, 3));
if (process.env.BENCH_STATEMENTS)
  for (const [text, count] of [...fleet.counted].toSorted(([, one], [, other]) => other - one).slice(0, 16))
    console.log((count / turns).toFixed(2).padStart(8), text.replaceAll(/\s+/g, ' ').slice(0, 110));
await fleet.close();
