import { shortAnswer } from '../lib/fixtures.mjs';
import { realCli } from '../lib/real-cli.mjs';
import { cpu, everyone, memory, milliseconds, played, real, sdks } from './row-shapes.mjs';

/** The real CLI with a model that answers each request with one word. */
async function realCliWithShortAnswers(run, env) {
  const cli = await realCli(run, { script: () => 'Four.' });
  return { ...cli, env };
}

const importTime = { ...milliseconds, key: 'ms', label: 'time' };
const importMemory = { ...memory, key: 'rss', label: 'memory', digits: 1 };

export const importing = {
  name: 'import',
  what: 'Import of the packed drop-in, in a fresh process',
  program: 'import',
  subjects: everyone,
  rounds: { full: 15, quick: 7 },
  stable: true,
  metrics: [{ ...importTime, bound: { atLeast: 5 } }, importMemory],
};

export const importingNative = {
  ...importing,
  name: 'import-native',
  what: 'The same with the native door of the facade',
  door: 'native',
  metrics: [importTime, importMemory],
};

export const cold = {
  name: 'cold',
  what: 'The first conversation of a process, with the stand-in',
  program: 'cold',
  ...played,
  rounds: { full: 15, quick: 5 },
  prepare: () => ({ childEnv: { BENCH_OUTPUT: shortAnswer } }),
  metrics: [
    { ...milliseconds, key: 'both', label: 'import and first message' },
    { ...milliseconds, key: 'first', label: 'first message alone' },
  ],
};

export const firstMessage = {
  name: 'first',
  what: 'A short query in a warm process, with the stand-in',
  program: 'first-message',
  ...played,
  rounds: { full: 7, quick: 3 },
  prepare: ({ quick }) => ({
    env: { BENCH_WARM_UP: 20, BENCH_QUERIES: quick ? 50 : 200 },
    childEnv: { BENCH_OUTPUT: shortAnswer },
  }),
  metrics: [
    { ...milliseconds, key: 'ms', label: 'first message' },
    { ...cpu, unit: 'ms', key: 'cpu', label: 'CPU per query' },
  ],
};

export const firstMessageReal = {
  name: 'first-real',
  what: 'The same with the real CLI and a scripted model: its own start is nearly all of it',
  program: 'first-message',
  subjects: everyone,
  ...real,
  prepare: (run) => realCliWithShortAnswers(run, { BENCH_WARM_UP: 1, BENCH_QUERIES: run.quick ? 2 : 5 }),
  metrics: [{ ...milliseconds, key: 'ms', label: 'first message', digits: 0, bound: { atLeast: 0.95 } }],
};

export const startingEarly = {
  name: 'early-real',
  what: 'The first answer of the real CLI: asked cold, after startup(), after prewarm()',
  program: 'starting-early',
  subjects: sdks,
  ...real,
  prepare: (run) => realCliWithShortAnswers(run, { BENCH_QUERIES: run.quick ? 2 : 5 }),
  metrics: [
    { ...milliseconds, key: 'cold_first', label: 'cold: turn begins', digits: 0 },
    { ...milliseconds, key: 'cold_token', label: 'cold: first token', digits: 0 },
    { ...milliseconds, key: 'warm_ready', label: 'startup()', digits: 0 },
    { ...milliseconds, key: 'warm_first', label: 'then: turn begins', digits: 0 },
    { ...milliseconds, key: 'warm_token', label: 'then: first token', digits: 0 },
    { ...milliseconds, key: 'spare_ready', label: 'prewarm()', digits: 0 },
    { ...milliseconds, key: 'spare_first', label: 'claim: turn begins', digits: 0 },
    { ...milliseconds, key: 'spare_token', label: 'claim: first token', digits: 0 },
  ],
};

export const sparesReal = {
  name: 'spares-real',
  what: 'The first token of a new hosted session, with the real CLI: by an agent of its own, and by a spare',
  program: 'spares',
  door: 'native',
  subjects: ['hexagent'],
  ...real,
  prepare: (run) => realCliWithShortAnswers(run, { BENCH_SESSIONS: run.quick ? 3 : 10 }),
  metrics: [
    { ...milliseconds, key: 'own', label: 'an agent of its own', digits: 0 },
    { ...milliseconds, key: 'spare', label: 'a spare', digits: 0 },
    // At least three times sooner.
    { ...cpu, key: 'part', label: 'spare beside own', unit: 'x', bound: { atMost: 0.33 } },
  ],
};
