// What telemetry costs beside the conversation: switched on, with a provider that keeps the spans.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { converse, cpuMs, median, report } from './subject.mjs';

/** Of the folder of the subject, where one copy of the API serves both. */
const load = async (name) => await import(pathToFileURL(createRequire(process.env.BENCH_MODULE).resolve(name)).href);
const { instrument } = await load('@hexagent/otel');
const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = await load('@opentelemetry/sdk-trace-base');

const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

/** Microseconds of processor time for one message of a conversation. */
async function conversation() {
  const began = cpuMs();
  let count = 0;
  await converse({
    options: { includePartialMessages: true },
    on() {
      count += 1;
    },
  });
  return ((cpuMs() - began) * 1000) / count;
}

async function traced() {
  const end = instrument({ tracerProvider });
  try {
    return await conversation();
  } finally {
    end();
  }
}

await conversation();
await traced();
if (exporter.getFinishedSpans().length === 0) throw new Error('Nothing was traced.');
const rounds = [];
for (let round = 0; round < 7; round += 1) {
  const off = await conversation();
  const on = await traced();
  rounds.push({ off, on, ratio: on / off });
}
report(Object.fromEntries(Object.keys(rounds[0]).map((name) => [name, median(rounds.map((each) => each[name]))])));
