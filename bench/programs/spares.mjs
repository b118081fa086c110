// The first token of a new hosted session: with an agent of its own, and with a spare. The real CLI, a model on this machine.
// node --conditions=@hexagent/source bench/programs/spares.mjs [sessions]
import { MemoryDirectory, MemoryLeases, MemoryOutbox, SessionHost, SpareAgents } from '@hexagent/hosting';
import { systemClock } from '@hexagent/processes';
import { openSession } from '@hexagent/sdk';
import { hermeticEnv, hermeticHome, requireCli } from '@hexagent/testing/cli';
import { startLoopback } from '@hexagent/testing/loopback';

const sessions = Number(process.argv[2] ?? 10);
const home = await hermeticHome();
const loopback = await startLoopback(() => 'go');
const options = {
  cwd: home.cwd,
  executable: requireCli({ from: import.meta.url }),
  env: { policy: 'exact', set: hermeticEnv({ loopback, home }) },
  partialMessages: true,
};
const ids = { uuid: () => crypto.randomUUID() };
const open = (request) => openSession({ ...options, ...request.options });

async function run(opener, before) {
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
    let token;
    const began = performance.now();
    host.observe(id, ({ kind, message }) => {
      if (kind === 'message' && message.type === 'stream_event' && message.event.type === 'content_block_delta')
        token ??= performance.now() - began;
    });
    const { done } = await host.send(id, 'go');
    await done;
    times.push(token);
    await host.delete(id);
  }
  await host.close();
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
}

const cold = await run(open, async () => {});
const spares = new SpareAgents({
  open,
  openSpare: (_, given) => openSession({ ...options, ...given }),
  kindOf: () => 'any',
  ids,
  clock: systemClock,
});
spares.keep('any');
const spare = await run(spares.open, () => spares.ready());
await spares.close();
await loopback.close();
await home.remove();
console.log(JSON.stringify({ sessions, cold, spare, ratio: cold / spare }));
