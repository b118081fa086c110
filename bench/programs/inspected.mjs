// What the inspector costs beside the conversation: switched on, and with a page that reads along.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { converse, cpuMs, median, report } from './subject.mjs';

const found = createRequire(process.env.BENCH_MODULE).resolve('@hexagent/inspector');
const { inspect } = await import(pathToFileURL(found).href);

/** Microseconds of processor time for one message of a conversation, until a page has read all of it. */
async function conversation(whenRead = async () => {}) {
  const began = cpuMs();
  let count = 0;
  await converse({
    options: { includePartialMessages: true },
    on() {
      count += 1;
    },
  });
  await whenRead();
  return ((cpuMs() - began) * 1000) / count;
}

/** Reads a run in a process of its own, and prints when the result has arrived. */
const reader = `
  const [, url, token] = /(.*)#token=(.*)/.exec(process.argv[1]);
  const headers = { authorization: 'Bearer ' + token, 'last-event-id': '1000000000' };
  const { body } = await fetch(url + 'runs/0', { headers });
  let [text, reads] = ['', false];
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    if (!reads) console.log('reads');
    reads = true;
    text = (text + piece).slice(-100_000);
    if (text.includes('"exit":{')) break;
  }
  console.log('has read');
  process.exit(0);`;

const { write } = process.stderr;
process.stderr.write = () => true; // the address
const { url } = await inspect();
process.stderr.write = write;
/** The facade finds the inspector by this symbol: taken away and put back, it is off and on. */
const place = Symbol.for('@hexagent/inspector');
const tap = globalThis[place];

async function inspected(act) {
  globalThis[place] = tap;
  try {
    return await act();
  } finally {
    globalThis[place] = undefined;
  }
}

/** With a page that reads along, from where the run is now. */
async function withPage() {
  const page = spawn(process.execPath, ['--input-type=module', '-e', reader, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = () => new Promise((resolve) => page.stdout.once('data', resolve));
  await line();
  const read = line();
  return await inspected(() => conversation(() => read));
}

globalThis[place] = undefined;
await conversation();
await inspected(conversation);
const rounds = [];
for (let round = 0; round < 7; round += 1) {
  const off = await conversation();
  const on = await inspected(conversation);
  const page = await withPage();
  rounds.push({ off, on, page, ratio: on / off });
}
report(Object.fromEntries(Object.keys(rounds[0]).map((name) => [name, median(rounds.map((each) => each[name]))])));
process.exit(0); // the pages that have not ended
