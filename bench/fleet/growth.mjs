// How turns, latency and the load of the database grow with sessions and workers:
// node --conditions=@hexagent/source bench/fleet/growth.mjs [sessions] [workers] [seconds] [clients] [perSecond]
import { loadavg } from 'node:os';
import { openDatabase } from './database.mjs';
import { at, load, simulatedFleet } from './simulated-fleet.mjs';

const [sessions = 1000, workers = 1, seconds = 8, clients = 64, perSecond] = process.argv.slice(2).map(Number);
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

await using database = await openDatabase({ isDurable: process.env.BENCH_DURABLE !== 'no' });
const fleet = await simulatedFleet(database, {
  workers,
  tenants: 100,
  maxLive: Math.ceil(Number(process.env.BENCH_LIVE ?? sessions) / workers),
  maxStarting: 50,
  maxWaiting: 100_000,
});
await fleet.plant(sessions);
const run = async (ms, options = {}) => {
  const end = performance.now() + ms;
  return await load(fleet, { sessions, clients, isOver: () => performance.now() >= end, ...options });
};
await run(Number(process.env.BENCH_WARM ?? 2000));
fleet.counted.clear();
if (process.env.BENCH_WATCH) {
  await database.query('create extension pg_stat_statements');
  await database.query('select pg_stat_statements_reset()');
}
const before = { ends: fleet.counts.ends, cpu: cpuMs(), db: database.cpuMs(), time: performance.now() };
const { accepted, refused } = await run(seconds * 1000, { perSecond });
const took = (performance.now() - before.time) / 1000;
const turns = fleet.counts.ends - before.ends;
const statements = [...fleet.counted.values()].reduce((sum, count) => sum + count, 0);
const shown = {
  sessions,
  workers,
  turnsPerSecond: Math.round(turns / took),
  p50: at(accepted, 0.5).toFixed(1),
  p99: at(accepted, 0.99).toFixed(1),
  statementsPerTurn: (statements / turns).toFixed(1),
  dbCpuPerTurn: ((database.cpuMs() - before.db) / turns).toFixed(2),
  nodeCpuPerTurn: ((cpuMs() - before.cpu) / turns).toFixed(2),
  dbCores: ((database.cpuMs() - before.db) / took / 1000).toFixed(2),
  nodeCores: ((cpuMs() - before.cpu) / took / 1000).toFixed(2),
  refused: refused.length,
  load: loadavg()[0].toFixed(1),
};
console.log(JSON.stringify(shown));
if (refused.length > 0) console.log(refused[0]);
if (process.env.BENCH_STATEMENTS)
  for (const [text, count] of [...fleet.counted].toSorted(([, one], [, other]) => other - one).slice(0, 16))
    console.log((count / turns).toFixed(2).padStart(8), text.replaceAll(/\s+/g, ' ').slice(0, 110));
if (process.env.BENCH_WATCH)
  for (const row of await database.query(
    'select calls, round(total_exec_time::numeric) as ms, round(mean_exec_time::numeric, 3) as mean, left(query, 130) as query from pg_stat_statements order by total_exec_time desc limit 12',
  ))
    console.log(row.ms.padStart(7), row.calls.padStart(7), row.mean, row.query.replaceAll(/\s+/g, ' '));
await fleet.close();
