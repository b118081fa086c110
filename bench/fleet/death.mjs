// A worker with many sessions in the middle of a turn dies without a word: when the others have taken them, and how they share them.
// Each survivor is a process of its own.
// node --conditions=@hexagent/source bench/fleet/death.mjs [sessions] [survivors]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from './database.mjs';
import { simulatedFleet } from './simulated-fleet.mjs';

const [sessions = 3000, survivors = 3] = process.argv.slice(2).map(Number);
async function measure() {
  await using database = await openDatabase({ isDurable: process.env.BENCH_DURABLE !== 'no' });
  const limits = {
    sweepMs: Number(process.env.BENCH_SWEEP ?? 500),
    maxLive: sessions,
    maxStarting: 50,
    maxWaiting: 100_000,
    autoResume: 'continue',
  };
  const fleet = await simulatedFleet(database, { workers: 0, tenants: 100, ...limits });
  const victim = await fleet.join({ turnMs: 600_000 });
  await fleet.plant(sessions);
  for (let at = 0; at < sessions; at += 100)
    await Promise.all(Array.from({ length: 100 }, (_, each) => fleet.send(at + each, crypto.randomUUID())));
  const finished = 'select count(*) from hexagent.messages where finish is not null';
  const started = `select count(*) from hexagent.messages where state = 'started'`;
  while (Number((await database.query(started))[0].count) < sessions) await wait(50);
  const program = new URL('survivor.mjs', import.meta.url);
  const given = [JSON.stringify(database.address), JSON.stringify(limits)];
  const processes = Array.from({ length: survivors }, () => fork(program, given));
  await Promise.all(processes.map((each) => once(each, 'message')));
  await wait(3000);

  const [{ id, left }] = await database.query(
    'select id, extract(epoch from expires_at - clock_timestamp()) * 1000 as left from hexagent.workers where address = $1',
    [victim.address],
  );
  const died = performance.now();
  victim.stores.die();
  fleet.workers.delete(victim.address);
  const since = () => Math.round(performance.now() - died);
  const [taken, answered] = [{}, {}];
  const ended = async () => Number((await database.query(finished))[0].count);
  for (; answered.all === undefined && since() < 60_000; await wait(50)) {
    const [{ count }] = await database.query(
      'select count(*) from hexagent.sessions where worker is not null and worker <> $1',
      [id],
    );
    if (Number(count) > 0) taken.first ??= since();
    if (Number(count) === sessions) taken.all ??= since();
    const ends = taken.first === undefined ? 0 : await ended();
    if (ends > 0) answered.first ??= since();
    if (ends >= sessions) answered.all = since();
  }
  const shares = await database.query(
    'select count(*) from hexagent.sessions s join hexagent.workers w on w.id = s.worker and w.id <> $1 group by w.id',
    [id],
  );
  const leaseLeft = Math.round(Number(left));
  console.log(
    JSON.stringify({
      sessions,
      survivors,
      leaseLeft,
      taken,
      allAfterLeaseEnd: taken.all - leaseLeft,
      answered,
      shares: shares.map(({ count }) => Number(count)),
      load: loadavg()[0].toFixed(1),
    }),
  );
  for (const each of processes) each.disconnect();
  await Promise.all(processes.map((each) => once(each, 'exit')));
}

await measure();
// The host of the dead worker waits for ever.
process.exit();
