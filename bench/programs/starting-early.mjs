// The first answer of an agent that is started when it is asked, before there is a prompt, and before there is a folder.
import { childEnv, cli, median, prewarm, query, report, startup } from './subject.mjs';

const options = { pathToClaudeCodeExecutable: cli, env: childEnv, includePartialMessages: true };

/** Reads a query to its end; when its turn began, and when the model's first word came, since `began`. */
async function answered(messages, began) {
  let first;
  let token;
  for await (const { type, subtype, event } of messages) {
    if (type === 'system' && subtype === 'init') first ??= performance.now() - began;
    if (type === 'stream_event' && event.type === 'content_block_delta') token ??= performance.now() - began;
  }
  return { first, token };
}

const cwd = process.cwd();
const ways = {
  cold: async () => await answered(query({ prompt: 'go', options: { ...options, cwd } }), performance.now()),
  warm: async () => {
    const began = performance.now();
    const warm = await startup({ options: { ...options, cwd } });
    const ready = performance.now() - began;
    return { ready, ...(await answered(warm.query('go'), performance.now())) };
  },
  spare: async () => {
    const began = performance.now();
    const spare = await prewarm({ options });
    const ready = performance.now() - began;
    return { ready, ...(await answered(spare.claim({ prompt: 'go', options: { cwd } }), performance.now())) };
  },
};

const metrics = {};
for (const [way, run] of Object.entries(ways)) {
  await run();
  const runs = [];
  for (let done = 0; done < Number(process.env.BENCH_QUERIES); done += 1) runs.push(await run());
  for (const key of Object.keys(runs[0])) metrics[`${way}_${key}`] = median(runs.map((times) => times[key]));
}
report(metrics);
