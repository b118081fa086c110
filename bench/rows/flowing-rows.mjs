import { deltasFile, lineFile, longMessagesFile } from '../lib/fixtures.mjs';
import { cpu, memory, milliseconds, played, rate, sdks } from './row-shapes.mjs';

export const stream = {
  name: 'stream',
  what: '200 000 text deltas of 285 bytes',
  program: 'stream',
  ...played,
  rounds: { full: 9, quick: 3 },
  prepare: ({ quick, folder }) => {
    const deltas = quick ? 50_000 : 200_000;
    return { env: { BENCH_DELTAS: deltas }, childEnv: { BENCH_OUTPUT_FILE: deltasFile(folder, deltas) } };
  },
  metrics: [
    {
      ...rate,
      key: 'perSecond',
      label: 'rate',
      unit: '/s',
      bound: { atLeast: 1.5 },
    },
    { ...cpu, key: 'cpu', label: 'CPU per message', unit: 'us' },
  ],
};

export const longLine = (megabytes, repeats) => ({
  name: `line-${megabytes}`,
  what: `One line of ${megabytes} MB`,
  program: 'line',
  ...played,
  rounds: { full: 5, quick: 2 },
  prepare: ({ folder }) => {
    const length = megabytes * 1024 * 1024;
    return {
      env: { BENCH_REPEATS: repeats, BENCH_LENGTH: length },
      childEnv: { BENCH_OUTPUT_FILE: lineFile(folder, length) },
    };
  },
  metrics: [{ ...milliseconds, key: 'ms', label: 'until delivered' }],
});

export const slowConsumer = {
  name: 'slow',
  what: '136 MB offered to a consumer that stops at message 500',
  program: 'slow-consumer',
  standIn: 'play.sh',
  subjects: sdks,
  rounds: { full: 3, quick: 2 },
  stable: true,
  prepare: ({ folder }) => ({ childEnv: { BENCH_OUTPUT_FILE: longMessagesFile(folder, 136 * 1024 * 1024) } }),
  metrics: [
    {
      ...memory,
      key: 'growth',
      label: 'memory growth',
      digits: 1,
      bound: { atMost: 32 },
    },
  ],
};

export const uiStream = {
  name: 'ui-stream',
  what: 'The same deltas on their way to a page: translated, kept for readers, sent as events',
  program: 'ui-stream',
  standIn: 'play.sh',
  subjects: ['hexagent'],
  rounds: { full: 5, quick: 2 },
  prepare: ({ quick, folder }) => {
    const deltas = quick ? 20_000 : 50_000;
    return { env: { BENCH_READERS: 1000 }, childEnv: { BENCH_OUTPUT_FILE: deltasFile(folder, deltas) } };
  },
  metrics: [
    { ...cpu, key: 'alone', label: 'CPU per message, the conversation alone', unit: 'us' },
    { ...cpu, key: 'page', label: 'and for a page', unit: 'us' },
    { ...cpu, key: 'ratio', label: 'page beside conversation', unit: 'x', bound: { atMost: 1.5 } },
    { ...cpu, key: 'reader', label: 'each of 1,000 readers, per message', unit: 'ns' },
  ],
};

/** What a part costs that a program switches on. */
const switched = {
  standIn: 'play.sh',
  subjects: ['hexagent'],
  rounds: { full: 3, quick: 1 },
  prepare: ({ quick, folder }) => {
    const deltas = quick ? 50_000 : 200_000;
    return { childEnv: { BENCH_OUTPUT_FILE: deltasFile(folder, deltas) } };
  },
  metrics: [
    { ...cpu, key: 'off', label: 'CPU per message, off', unit: 'us' },
    { ...cpu, key: 'on', label: 'on', unit: 'us' },
    { ...cpu, key: 'ratio', label: 'on beside off', unit: 'x', bound: { atMost: 1.1 } },
  ],
};

export const inspected = {
  name: 'inspected',
  what: 'The same deltas in a program with the inspector: switched off, on, and with a page that reads along',
  program: 'inspected',
  ...switched,
  metrics: [...switched.metrics, { ...cpu, key: 'page', label: 'with a page', unit: 'us' }],
};

export const recording = {
  name: 'recording',
  what: 'A stream that is recorded on a tape: 1,000 messages a second, and the deltas as fast as they can be read',
  program: 'recording',
  standIn: 'play.sh',
  subjects: ['hexagent'],
  rounds: { full: 3, quick: 1 },
  prepare: ({ quick, folder, benchFolder, pidFile }) => {
    const deltas = quick ? 50_000 : 200_000;
    return {
      env: {
        BENCH_DELTAS: deltas,
        BENCH_TICK: `${benchFolder}stand-in/tick.mjs`,
        BENCH_PACED_MESSAGES: quick ? 1000 : 2000,
      },
      childEnv: { BENCH_OUTPUT_FILE: deltasFile(folder, deltas), BENCH_PID_FILE: pidFile },
    };
  },
  metrics: [
    { ...cpu, key: 'paced', label: 'CPU per message, 1,000 a second', unit: 'us' },
    { ...cpu, key: 'pacedRecorded', label: 'and recorded', unit: 'us' },
    { ...cpu, key: 'pacedRatio', label: 'recorded beside alone', unit: 'x', bound: { atMost: 1.1 } },
    { ...cpu, key: 'fast', label: 'CPU per message, as fast as possible', unit: 'us' },
    { ...cpu, key: 'fastRecorded', label: 'and recorded', unit: 'us' },
    { ...cpu, key: 'fastRatio', label: 'recorded beside alone, as fast as possible', unit: 'x' },
  ],
};

export const traced = {
  name: 'traced',
  what: 'The same deltas in a program with telemetry: switched off and on',
  program: 'traced',
  ...switched,
};

export const fleet = {
  name: 'fleet',
  what: '2,000 deltas a second on 20 streams, from a worker process to a gateway process',
  program: 'fleet',
  subjects: ['hexagent'],
  rounds: { full: 5, quick: 1 },
  prepare: ({ quick }) => ({ env: { BENCH_SECONDS: quick ? 3 : 10 } }),
  metrics: [
    { ...cpu, key: 'worker', label: 'CPU per delta, worker', unit: 'us' },
    { ...cpu, key: 'gateway', label: 'CPU per delta, gateway', unit: 'us' },
    { ...cpu, key: 'both', label: 'CPU per delta, both', unit: 'us', bound: { atMost: 100 } },
    { ...milliseconds, key: 'p50', label: 'p50' },
    { ...milliseconds, key: 'p99', label: 'p99', bound: { atMost: 25 } },
  ],
};
