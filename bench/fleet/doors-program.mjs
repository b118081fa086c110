// A worker or a gateway in a process of its own, with agents that answer at once, or say so many words at a pace: `doors-program.mjs worker|gateway OPTIONS`.
import { createServer } from 'node:http';
import { createGateway, createWorker, toNodeListener } from '@hexagent/chat';
import { createSdk } from '@hexagent/sdk';
import { gate, linkedTransport, reply, scriptedAgent } from '@hexagent/testing';
import { Pool } from 'pg';

const [, , role, json] = process.argv;
const { address, key } = JSON.parse(json);
const pool = new Pool(address);
const shared = { postgres: { pool }, identity: { key }, onError: console.error };

function after(ms) {
  const passed = gate();
  setTimeout(() => passed.open(), ms);
  return passed;
}

/** `say 100 words at 50` has a word every 50 ms. */
function turns({ message }) {
  const [, count, pace] = /say (\d+) words at (\d+)/.exec(JSON.stringify(message)) ?? [undefined, 1, 0];
  return Array.from({ length: Number(count) }, (_, word) => [
    ...(word > 0 ? [reply.hold(after(word * Number(pace)))] : []),
    `word${word} `,
  ]).flat();
}

if (role === 'worker') {
  const sdk = createSdk({ transport: linkedTransport(scriptedAgent({ turns })).transport });
  const hosting = { maxLive: 2000, maxStarting: 50 };
  const worker = await createWorker({
    ...shared,
    sdk,
    session: { cwd: process.cwd() },
    hosting,
    address: 'https://127.0.0.1:0',
  });
  process.send({ address: worker.address });
} else {
  const gateway = createGateway({ ...shared, limits: { streams: 5000 } });
  const server = createServer(toNodeListener(gateway.handle)).listen(0, '127.0.0.1', () =>
    process.send({ address: `http://127.0.0.1:${server.address().port}/api` }),
  );
}
process.on('message', () => {
  globalThis.gc?.();
  process.send({ rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed, cpu: process.cpuUsage() });
});
process.on('disconnect', () => process.exit());
