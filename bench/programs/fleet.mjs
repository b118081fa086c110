// What a delta costs on its way from a worker process to a gateway process, and how long it takes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cpuMs, report } from './subject.mjs';

const found = createRequire(process.env.BENCH_MODULE).resolve('@hexagent/http-fleet');
const { reachWorkers, serveWorker } = await import(pathToFileURL(found).href);
const identity = { key: 'of a measurement, so it is no secret' };
const [streams, perSecond, seconds] = [20, 2000, Number(process.env.BENCH_SECONDS)];
const now = () => performance.timeOrigin + performance.now();
const filling = `"${'word '.repeat(16)}"`;

/** A worker whose streams get deltas in turn, each with the time at which it was made. */
async function work() {
  const encoder = new TextEncoder();
  const readers = [];
  const body = () => new ReadableStream({ start: (controller) => void readers.push(controller) });
  const stream = async () => ({ headers: { 'content-type': 'text/event-stream' }, body: body() });
  const door = { sessions: { stream }, states: async () => ({}) };
  const { address } = await serveWorker({ door, address: 'https://127.0.0.1:0', identity, onError: console.error });
  process.send({ address });
  await once(process, 'message');
  const [before, began] = [cpuMs(), performance.now()];
  let made = 0;
  const timer = setInterval(() => {
    const due = Math.min(perSecond * seconds, ((performance.now() - began) / 1000) * perSecond);
    for (; made < due; made += 1) readers[made % streams].enqueue(encoder.encode(`data: ${now()} ${filling}\n\n`));
    if (made < perSecond * seconds) return;
    clearInterval(timer);
    for (const reader of readers) reader.close();
    process.once('message', () => process.exit());
    setTimeout(() => process.send({ cpu: cpuMs() - before }), 200);
  }, 2);
}

async function measure() {
  const worker = fork(fileURLToPath(import.meta.url), { env: { ...process.env, BENCH_ROLE: 'worker' } });
  const [{ address }] = await once(worker, 'message');
  const gateway = reachWorkers({ identity });
  const door = gateway.reach({ owner: 'worker', address });
  const open = await Promise.all(Array.from({ length: streams }, () => door.sessions.stream('chat', { name: 'ada' })));
  const latencies = [];
  const before = cpuMs();
  const reading = open.map(async ({ body }) => {
    for await (const bytes of body)
      for (const [, made] of Buffer.from(bytes)
        .toString('latin1')
        .matchAll(/data: (\S+) /g))
        latencies.push(now() - Number(made));
  });
  worker.send('begin');
  const ended = once(worker, 'message');
  await Promise.all(reading);
  const own = cpuMs() - before;
  const [{ cpu }] = await ended;
  worker.send('end');
  gateway.close();
  if (latencies.length !== perSecond * seconds) throw new Error(`${latencies.length} deltas came.`);
  latencies.sort((one, other) => one - other);
  const at = (part) => latencies[Math.floor(latencies.length * part)];
  const each = 1000 / latencies.length;
  report({ worker: cpu * each, gateway: own * each, both: (cpu + own) * each, p50: at(0.5), p99: at(0.99) });
}

await (process.env.BENCH_ROLE === 'worker' ? work() : measure());
