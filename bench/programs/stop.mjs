// Leaves in the middle of a stream, by abort() or by `break`: when does the loop end, when has the process ended?
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { gone } from '../lib/gone.mjs';
import { query, childEnv, cli, report } from './subject.mjs';

const stopAt = Number(process.env.BENCH_STOP_AT);
const pidFile = childEnv.BENCH_PID_FILE;

async function stop(how) {
  rmSync(pidFile, { force: true });
  const abortController = new AbortController();
  const options = { pathToClaudeCodeExecutable: cli, env: childEnv, includePartialMessages: true, abortController };
  let [count, after] = [0, 0];
  let began;
  let left;
  try {
    for await (const _ of query({ prompt: 'go', options })) {
      count += 1;
      if (began !== undefined) after += 1;
      if (count !== stopAt) continue;
      began = performance.now();
      left = gone(Number(readFileSync(pidFile, 'utf8'))).then(() => performance.now() - began);
      if (how === 'break') break;
      abortController.abort();
    }
  } catch (error) {
    if (!abortController.signal.aborted) throw error;
  }
  if (began === undefined) throw new Error(`Only ${count} messages came.`);
  return { settled: performance.now() - began, left: await left, after };
}

await stop('abort'); // warms up: the first run compiles the code
const aborted = await stop('abort');
const broken = await stop('break');
if (existsSync(pidFile)) rmSync(pidFile);
report({
  abortSettled: aborted.settled,
  abortGone: aborted.left,
  abortAfter: aborted.after,
  breakSettled: broken.settled,
  breakGone: broken.left,
});
process.exit();
