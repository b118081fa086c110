// What a turn costs on its way to a page, beside what the conversation itself costs; and what each of many readers costs.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { converse, cpuMs, median, report } from './subject.mjs';

const found = createRequire(process.env.BENCH_MODULE).resolve('@hexagent/ui-stream');
const { createReplayBuffer, createUiTranslator, sseStream } = await import(pathToFileURL(found).href);
const readers = Number(process.env.BENCH_READERS);

const clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(() => callback(), ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
const event = (fields) => ({ type: 'stream_event', parent_tool_use_id: null, event: fields });
const opening = [
  event({ type: 'message_start', message: { id: 'm' } }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
];

/** Microseconds of processor time for one message of a conversation. */
async function conversation(on) {
  const began = cpuMs();
  let count = 0;
  await converse({
    options: { includePartialMessages: true },
    on(message) {
      count += 1;
      on(message);
    },
  });
  return { count, us: ((cpuMs() - began) * 1000) / count };
}

/** The same on its way to so many pages. */
async function toPages(many) {
  const translator = createUiTranslator({ messageId: 'answer' });
  const buffer = createReplayBuffer({ clock });
  for (const message of opening) buffer.push(translator.push(message));
  let sent = 0;
  const reading = Array.from({ length: many }, async () => {
    for await (const bytes of sseStream(buffer.read(), { clock })) sent += bytes.length;
  });
  const { count, us } = await conversation((message) => buffer.push(translator.push(message)));
  buffer.push(translator.end());
  buffer.end();
  const began = cpuMs();
  await Promise.all(reading);
  if (sent === 0) throw new Error('Nothing was sent.');
  return us + ((cpuMs() - began) * 1000) / count;
}

await conversation(() => {});
await toPages(1);
const rounds = [];
for (let round = 0; round < 3; round += 1) {
  const { us: alone } = await conversation(() => {});
  const page = (await toPages(1)) - alone;
  const many = (await toPages(readers)) - alone;
  rounds.push({
    alone,
    page: Math.max(page, 0),
    ratio: Math.max(page, 0) / alone,
    reader: Math.max(many - page, 0) / readers,
  });
}
const key = (name) => median(rounds.map((round) => round[name]));
report({ alone: key('alone'), page: key('page'), ratio: key('ratio'), reader: key('reader') * 1000 });
