import { deltasFile } from '../lib/fixtures.mjs';
import { storedSessions } from '../lib/stored.mjs';
import { everyone, memory, milliseconds, played } from './row-shapes.mjs';

export const sessions = (count) => ({
  name: `sessions-${count}`,
  what: `${count} conversations at once, 200 deltas each`,
  program: 'sessions',
  ...played,
  rounds: { full: 5, quick: 2 },
  prepare: ({ folder }) => ({
    env: { BENCH_SESSIONS: count, BENCH_DELTAS: 200 },
    childEnv: { BENCH_OUTPUT_FILE: deltasFile(folder, 200) },
  }),
  metrics: [
    { ...milliseconds, key: 'ms', label: 'all done', digits: 0, bound: { atLeast: 0.9 } },
    { key: 'rss', label: 'memory each', unit: 'KB', digits: 0, better: 'less', bound: { atLeast: 0.9 } },
  ],
});

const decision = { unit: 'us', digits: 2, better: 'less' };

export const policy = {
  name: 'policy',
  what: 'A decision of a policy with 1,000 rules',
  program: 'policy',
  door: 'native',
  subjects: ['hexagent'],
  rounds: { full: 5, quick: 2 },
  prepare: ({ quick }) => ({ env: { BENCH_ROUNDS: quick ? 2000 : 10_000 } }),
  metrics: [
    { ...decision, key: 'mix', label: 'rules of all kinds' },
    { ...decision, key: 'shell', label: 'all for the shell' },
    { ...decision, key: 'paths', label: 'all for paths' },
  ],
};

const stored = (task, what, { time, memory: most }) => ({
  name: task,
  what,
  program: 'stored-sessions',
  subjects: everyone,
  rounds: { full: 5, quick: 1 },
  prepare: ({ folder }) => ({ env: { BENCH_STORED: storedSessions(folder), BENCH_TASK: task } }),
  metrics: [
    { ...milliseconds, key: 'ms', label: 'time', bound: time },
    { ...memory, key: 'rss', label: 'memory', digits: 0, bound: most },
  ],
});

export const storedRows = [
  stored('list', 'Listing 2,001 stored sessions, 600 MB', {
    time: { atLeast: 4 },
    memory: { atMost: 40 },
  }),
  stored('list-dir', 'Listing the 100 of one directory', { time: { atLeast: 4 } }),
  stored('list-50', 'Listing the 50 that were written to last', { time: { atLeast: 2.5 } }),
  stored('messages', 'Reading the messages of a session of 200 MB', { time: { atLeast: 1 }, memory: { atLeast: 1 } }),
  stored('messages-50', 'Reading its first 50 messages', { time: { atLeast: 1 }, memory: { atMost: 100 } }),
];
