// Workers and gateways in processes of their own: how soon a message is accepted, readers that reconnect, and what each of them takes.
// node --conditions=@hexagent/source bench/fleet/doors.mjs [readers] [chats]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from './database.mjs';
import { at } from './simulated-fleet.mjs';

const [readers = 1000, chats = 50] = process.argv.slice(2).map(Number);
const part = process.env.BENCH_PART ?? 'accept,readers';
await using database = await openDatabase({ isDurable: process.env.BENCH_DURABLE !== 'no' });
const children = [];
const start = async (role) => {
  const options = JSON.stringify({ address: database.address, key: 'of a measurement, so it is no secret' });
  const child = fork(new URL('doors-program.mjs', import.meta.url), [role, options], {
    execArgv: [...process.execArgv, '--expose-gc'],
  });
  children.push(child);
  const [{ address }] = await once(child, 'message');
  return { child, address };
};
const stateOf = async ({ child }) => {
  child.send('state');
  return (await once(child, 'message'))[0];
};
const worker = await start('worker');
const gateways = [await start('gateway')];
const send = async (chat, text, gateway = gateways[0]) => {
  const began = performance.now();
  const response = await fetch(`${gateway.address}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      id: chat,
      message: { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] },
    }),
  });
  const took = performance.now() - began;
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return { took, response };
};

async function accepts({ clients, perSecond, seconds }) {
  const accepted = [];
  const end = performance.now() + seconds * 1000;
  const client = async (_, number) => {
    for (let turn = 0; performance.now() < end; turn += 1) {
      const began = performance.now();
      const { took, response } = await send(`chat-${number}-${turn % Math.ceil(chats / clients)}`, 'go');
      accepted.push(took);
      await response.text();
      if (perSecond !== undefined) await wait(Math.max(0, (clients / perSecond) * 1000 - (performance.now() - began)));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  accepted.sort((one, other) => one - other);
  const rate = accepted.length / seconds;
  return {
    perSecond: Math.round(rate),
    p50: at(accepted, 0.5).toFixed(1),
    p99: at(accepted, 0.99).toFixed(1),
    load: loadavg()[0].toFixed(1),
  };
}

if (part.includes('accept')) {
  await accepts({ clients: 1, seconds: 2 });
  console.log('idle', await accepts({ clients: 1, perSecond: 20, seconds: 8 }));
  await accepts({ clients: 16, seconds: 2 });
  const most = await accepts({ clients: 16, seconds: 5 });
  console.log('most', most);
  console.log('half', await accepts({ clients: 16, perSecond: most.perSecond / 2, seconds: 8 }));
}

/** The text of a response, until so many events have arrived. */
async function read(response, most) {
  let [text, rest, seen] = ['', '', 0];
  for await (const bytes of response.body) {
    const events = (rest + Buffer.from(bytes).toString()).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const data = /^data: (\{"type":"text-delta".*)$/m.exec(event)?.[1];
      if (data !== undefined) text += JSON.parse(data).delta;
      seen += 1;
    }
    if (seen >= most) return { text };
  }
  return { text, isOver: true };
}

/** Each stream has the turn from its beginning; a reader leaves it a few times, and asks the next gateway. */
async function readAll(chat, number, said) {
  let isWhole = true;
  for (let connections = 1; ; connections += 1) {
    const { address } = gateways[(number + connections) % gateways.length];
    const response = await fetch(`${address}/chat/${chat}/stream`);
    const { text, isOver } = await read(response, connections > 3 ? Infinity : connections * 20 + (number % 17));
    isWhole &&= said.startsWith(text);
    if (isOver) return { isWhole: isWhole && text === said, connections, status: response.status, text };
  }
}

if (part.includes('readers')) {
  const [wordCount, pace, talks] = [120, 100, 10];
  const said = Array.from({ length: wordCount }, (_, word) => `word${word} `).join('');
  gateways.push(await start('gateway'));
  const before = [await stateOf(worker), await stateOf(gateways[0])];
  const texts = [];
  for (let talk = 0; talk < talks; talk += 1) {
    const { response } = await send(`talk-${talk}`, `say ${wordCount} words at ${pace}`);
    texts.push(response.text());
  }
  const reading = Array.from({ length: readers }, (_, number) => readAll(`talk-${number % talks}`, number, said));
  await wait(4000);
  const during = [await stateOf(worker), await stateOf(gateways[0])];
  const results = await Promise.all(reading);
  await Promise.all(texts);
  const bad = results.filter(({ isWhole }) => !isWhole);
  const connections = results.reduce((sum, each) => sum + each.connections, 0);
  const kB = (index) =>
    ((during[index].rss - before[index].rss) / 1024 / (readers / (index === 0 ? 1 : gateways.length))).toFixed(0);
  console.log('readers', {
    readers,
    connections,
    withGapOrDouble: bad.length,
    ofWorkerKB: kB(0),
    ofGatewayKB: kB(1),
    load: loadavg()[0].toFixed(1),
  });
  if (bad.length > 0) console.log(bad[0].status, bad[0].text.slice(0, 300));
}
for (const child of children) child.disconnect();
