// What it costs to record a conversation, beside the conversation alone: a stream as fast as it can be read, and one of a
// thousand messages a second, as no model writes them.
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { childEnv, cli, cpuMs, median, report } from './subject.mjs';

const { createQuery } = await import(process.env.BENCH_MODULE);
const { BENCH_TICK, BENCH_PACED_MESSAGES } = process.env;
const tapes = path.join(process.cwd(), 'tapes');

/** Microseconds of processor time for one message. A query that is made anew reads the variable anew. */
async function stream({ executable, messages, record }) {
  if (record) process.env.HEXAGENT_RECORD = tapes;
  const query = createQuery();
  const options = { pathToClaudeCodeExecutable: executable, env: childEnv, includePartialMessages: true };
  let [count, began] = [0, 0];
  let cpu = 0;
  for await (const { type } of query({ prompt: 'go', options })) {
    // What it takes to start is not of the stream.
    if (count === 10) began = cpuMs();
    count += 1;
    if (type === 'result' || count === messages) {
      cpu = cpuMs() - began;
      break;
    }
  }
  delete process.env.HEXAGENT_RECORD;
  if (count < messages) throw new Error(`${count} messages came, not ${messages}.`);
  return (cpu * 1000) / (count - 10);
}

async function both(kind) {
  const [alone, recorded] = [[], []];
  await stream({ ...kind, record: true });
  for (let round = 0; round < kind.rounds; round += 1) {
    alone.push(await stream({ ...kind, record: false }));
    recorded.push(await stream({ ...kind, record: true }));
  }
  return { alone: median(alone), recorded: median(recorded) };
}

const fast = await both({ executable: cli, messages: Number(process.env.BENCH_DELTAS), rounds: 3 });
const paced = await both({ executable: BENCH_TICK, messages: Number(BENCH_PACED_MESSAGES), rounds: 5 });
const [tape] = readdirSync(tapes);
if (statSync(path.join(tapes, tape)).size < 1_000_000) throw new Error('Nothing was recorded.');
rmSync(tapes, { recursive: true });
report({
  paced: paced.alone,
  pacedRecorded: paced.recorded,
  pacedRatio: paced.recorded / paced.alone,
  fast: fast.alone,
  fastRecorded: fast.recorded,
  fastRatio: fast.recorded / fast.alone,
});
process.exit();
