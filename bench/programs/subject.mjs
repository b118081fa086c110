// How a program under measurement drives what is measured: the same way for each subject.
import { median } from '../lib/median.mjs';
import { converse as bare } from './bare.mjs';

const { BENCH_SUBJECT, BENCH_MODULE, BENCH_STAND_IN, BENCH_CHILD_ENV = '{}' } = process.env;

export const isBare = BENCH_SUBJECT === 'limit';
const sdk = isBare ? undefined : await import(BENCH_MODULE);
/** The subject's own exports; nothing for the limit. */
export const { query, startup, prewarm, createSdkMcpServer, tool } = sdk ?? {};

/** The whole environment of the CLI, and which CLI it is. */
export const childEnv = JSON.parse(BENCH_CHILD_ENV);
export const cli = BENCH_STAND_IN;

/** One conversation. Calls `on` with each message; `false` leaves the loop. */
export async function converse({ env = {}, options = {}, on }) {
  const settings = { pathToClaudeCodeExecutable: cli, env: { ...childEnv, ...env }, ...options };
  if (isBare) return await bare({ executable: cli, env: settings.env, on });
  for await (const message of query({ prompt: 'go', options: settings })) if (on(message) === false) break;
}

export { median };

/** Prints the measurements, which are the only output of the program. */
export const report = (metrics) => process.stdout.write(`${JSON.stringify(metrics)}\n`);

/** Milliseconds of processor time this process has used. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export const rssMb = () => process.memoryUsage.rss() / (1024 * 1024);
