import { realCli } from '../lib/real-cli.mjs';
import { milliseconds, real, sdks } from './row-shapes.mjs';

const stopMetrics = [
  { ...milliseconds, key: 'abortSettled', label: 'abort: loop ends', bound: { atMost: 5 } },
  { ...milliseconds, key: 'abortGone', label: 'abort: process gone', bound: { atMost: 60 } },
  { key: 'abortAfter', label: 'abort: messages after', unit: '', digits: 0, better: 'less', bound: { atMost: 0 } },
  { ...milliseconds, key: 'breakSettled', label: 'break: loop ends', bound: { atMost: 5 } },
  { ...milliseconds, key: 'breakGone', label: 'break: process gone', bound: { atMost: 60 } },
];

export const stop = {
  name: 'stop',
  what: 'Leaving a stream of 1000 messages a second',
  program: 'stop',
  standIn: 'tick.mjs',
  subjects: sdks,
  rounds: { full: 3, quick: 1 },
  stable: true,
  prepare: ({ pidFile }) => ({ env: { BENCH_STOP_AT: 50 }, childEnv: { BENCH_PID_FILE: pidFile } }),
  metrics: stopMetrics,
};

export const stopReal = {
  name: 'stop-real',
  what: 'The same with the real CLI and a scripted model',
  program: 'stop',
  subjects: sdks,
  ...real,
  prepare: async (run) => {
    const cli = await realCli(run, {
      script: ({ slow, reply }) => reply(slow('word '.repeat(6000), { chunks: 6000, everyMs: 1 })),
      recordPid: true,
    });
    return { ...cli, env: { BENCH_STOP_AT: 50 } };
  },
  metrics: stopMetrics,
};

export const stubborn = {
  name: 'stubborn',
  what: 'Leaving an agent that ignores interrupts, the end of its input and SIGTERM',
  program: 'stubborn',
  standIn: 'tick.mjs',
  subjects: sdks,
  rounds: { full: 3, quick: 1 },
  prepare: ({ pidFile }) => ({
    env: { BENCH_STOP_AT: 50 },
    childEnv: { BENCH_PID_FILE: pidFile, BENCH_STUBBORN: '1' },
  }),
  metrics: [{ ...milliseconds, key: 'gone', label: 'process gone', digits: 0, bound: { atMost: 2500 } }],
};
