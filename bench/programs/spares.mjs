// The first token of a new hosted session: with an agent of its own, and with one that was started before anybody asked.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { childEnv, cli, median, report } from './subject.mjs';

const load = (name) => import(pathToFileURL(createRequire(process.env.BENCH_MODULE).resolve(name)).href);
const { MemoryDirectory, MemoryLeases, MemoryOutbox, SessionHost, SpareAgents } = await load('@hexagent/hosting');
const { systemClock } = await load('@hexagent/processes');
const { openSession } = await import(process.env.BENCH_MODULE);

const sessions = Number(process.env.BENCH_SESSIONS);
const options = {
  cwd: process.cwd(),
  executable: cli,
  env: { policy: 'exact', set: childEnv },
  partialMessages: true,
};
const ids = { uuid: () => crypto.randomUUID() };
const open = (request) => openSession({ ...options, ...request.options });

async function firstTokenOf(facts, began) {
  for await (const { kind, message } of facts)
    if (kind === 'message' && message.type === 'stream_event' && message.event.type === 'content_block_delta')
      return performance.now() - began;
  throw new Error('The session ended without a token.');
}

/** Milliseconds from the message to the first token, of the median session. */
async function firstToken(opener, before) {
  const host = new SessionHost({
    open: opener,
    outbox: new MemoryOutbox(),
    directory: new MemoryDirectory(),
    leases: new MemoryLeases(),
    clock: systemClock,
    ids,
  });
  const times = [];
  for (let count = 0; count < sessions; count += 1) {
    await before();
    const id = `session ${count}`;
    await host.create(id);
    const began = performance.now();
    const token = firstTokenOf(host.observe(id), began);
    const { done } = await host.send(id, 'go');
    await done;
    times.push(await token);
    await host.delete(id);
  }
  await host.close();
  return median(times);
}

// As a server that listens does: what waits to start the next spare keeps no process alive.
const listening = setInterval(() => {}, 60_000);
const own = await firstToken(open, async () => {});
const spares = new SpareAgents({
  open,
  openSpare: (_, given) => openSession({ ...options, ...given }),
  kindOf: () => 'any',
  ids,
  clock: systemClock,
});
spares.keep('any');
const spare = await firstToken(spares.open, () => spares.ready());
await spares.close();
clearInterval(listening);
report({ own, spare, part: spare / own });
