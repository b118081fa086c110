// What is measured, with which program, and with which goals.
// `required` fails the run under --check; `goal` is what we aim at (limits: `atLeast` times better than the official
// SDK, or `atMost` so much in the metric's own unit). `ofLimit` is the share of what is possible without any SDK.
import { deltasFile, lineFile, longMessagesFile, shortAnswer } from '../lib/fixtures.mjs';
import { realCli } from '../lib/real-cli.mjs';
import { storedSessions } from '../lib/stored.mjs';

const everyone = ['limit', 'hexagent', 'official'];
const sdks = ['hexagent', 'official'];

const milliseconds = { unit: 'ms', digits: 2, better: 'less' };
const rate = { better: 'more', digits: 0 };
const cpu = { better: 'less', digits: 2 };

/** @typedef {{ key: string, label: string, unit: string, digits: number, better: 'less' | 'more' }} Metric */

const importing = {
  name: 'import',
  what: 'Import of the packed drop-in, in a fresh process',
  program: 'import',
  subjects: everyone,
  rounds: { full: 15, quick: 7 },
  stable: true,
  metrics: [
    { ...milliseconds, key: 'ms', label: 'time', required: { atLeast: 5 }, goal: { atLeast: 9 } },
    { key: 'rss', label: 'memory', unit: 'MB', digits: 1, better: 'less' },
  ],
};

const importingNative = {
  ...importing,
  name: 'import-native',
  what: 'The same with the native door of the facade',
  door: 'native',
  metrics: importing.metrics.map((metric) => (metric.key === 'ms' ? { ...metric, goal: { atLeast: 10 } } : metric)),
};

const cold = {
  name: 'cold',
  what: 'The first conversation of a process, with the stand-in',
  program: 'cold',
  standIn: 'play.sh',
  subjects: everyone,
  rounds: { full: 15, quick: 5 },
  prepare: () => ({ childEnv: { BENCH_SAYS: shortAnswer } }),
  metrics: [
    { ...milliseconds, key: 'both', label: 'import and first message', goal: { atMost: 18 } },
    { ...milliseconds, key: 'first', label: 'first message alone', goal: { atLeast: 1 } },
  ],
};

const firstMessage = {
  name: 'first',
  what: 'A short query in a warm process, with the stand-in',
  program: 'first-message',
  standIn: 'play.sh',
  subjects: everyone,
  rounds: { full: 7, quick: 3 },
  prepare: ({ quick }) => ({
    env: { BENCH_WARM_UP: 20, BENCH_QUERIES: quick ? 50 : 200 },
    childEnv: { BENCH_SAYS: shortAnswer },
  }),
  metrics: [
    { ...milliseconds, key: 'ms', label: 'first message', goal: { atLeast: 1.2, ofLimit: 0.8 } },
    { ...cpu, unit: 'ms', key: 'cpu', label: 'CPU per query', goal: { atLeast: 1.4 } },
  ],
};

const firstMessageReal = {
  name: 'first-real',
  what: 'The same with the real CLI and a scripted model: its own start is nearly all of it',
  program: 'first-message',
  subjects: everyone,
  rounds: { full: 3, quick: 1 },
  prepare: async (run) => {
    const real = await realCli(run, { script: () => 'Four.' });
    return { ...real, env: { BENCH_WARM_UP: 1, BENCH_QUERIES: run.quick ? 2 : 5 } };
  },
  metrics: [{ ...milliseconds, key: 'ms', label: 'first message', digits: 0 }],
};

const startingEarly = {
  name: 'early-real',
  what: 'The first answer of the real CLI: asked cold, after startup(), after prewarm()',
  program: 'starting-early',
  subjects: sdks,
  rounds: { full: 3, quick: 1 },
  prepare: async (run) => {
    const real = await realCli(run, { script: () => 'Four.' });
    return { ...real, env: { BENCH_QUERIES: run.quick ? 2 : 5 } };
  },
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

const stream = {
  name: 'stream',
  what: '200 000 text deltas of 285 bytes',
  program: 'stream',
  standIn: 'play.sh',
  subjects: everyone,
  rounds: { full: 9, quick: 3 },
  prepare: ({ quick, folder }) => {
    const deltas = quick ? 50_000 : 200_000;
    return { env: { BENCH_DELTAS: deltas }, childEnv: { BENCH_SAYS_FILE: deltasFile(folder, deltas) } };
  },
  metrics: [
    {
      ...rate,
      key: 'perSecond',
      label: 'rate',
      unit: '/s',
      required: { atLeast: 1.5 },
      goal: { atLeast: 1.7, ofLimit: 0.9 },
    },
    { ...cpu, key: 'cpu', label: 'CPU per message', unit: 'us' },
  ],
};

const longLine = (megabytes, repeats, goal) => ({
  name: `line-${megabytes}`,
  what: `One line of ${megabytes} MB`,
  program: 'line',
  standIn: 'play.sh',
  subjects: everyone,
  rounds: { full: 5, quick: 2 },
  prepare: ({ folder }) => {
    const length = megabytes * 1024 * 1024;
    return {
      env: { BENCH_REPEATS: repeats, BENCH_LENGTH: length },
      childEnv: { BENCH_SAYS_FILE: lineFile(folder, length) },
    };
  },
  metrics: [{ ...milliseconds, key: 'ms', label: 'until delivered', goal }],
});

function roundTrip(name, what, asks, inFlight, goals) {
  const one = inFlight === 1;
  return {
    name: one ? name : `${name}-${inFlight}`,
    what: one ? `${what}, one after the other (pinned to one core)` : `${what}, ${inFlight} in flight`,
    program: 'round-trip',
    standIn: 'ask.mjs',
    // One at a time, two cores measure how long it takes to wake the other one.
    pinned: one,
    subjects: everyone,
    rounds: { full: 7, quick: 3 },
    prepare: ({ quick }) => ({
      env: { BENCH_ASKS: asks, BENCH_IN_FLIGHT: inFlight, BENCH_CALLS: (quick ? 10_000 : 50_000) * (one ? 1 : 4) },
    }),
    metrics: one
      ? [
          { ...cpu, unit: 'us', key: 'p50', label: 'p50' },
          { ...cpu, unit: 'us', key: 'p99', label: 'p99' },
          { ...cpu, unit: 'us', key: 'cpu', label: 'CPU per call', goal: goals.cpu },
        ]
      : [
          { ...rate, unit: '/s', key: 'perSecond', label: 'rate', goal: goals.rate },
          { ...cpu, unit: 'us', key: 'cpu', label: 'CPU per call' },
        ],
  };
}

/** What most programs see: code that has hardly run yet. */
function firstRoundTrips(name, what, asks, goal) {
  return {
    name: `${name}-first`,
    what: `${what}: the first 200 of a process, one after the other (pinned to one core)`,
    program: 'round-trip',
    standIn: 'ask.mjs',
    pinned: true,
    subjects: everyone,
    rounds: { full: 15, quick: 5 },
    prepare: () => ({ env: { BENCH_ASKS: asks, BENCH_IN_FLIGHT: 1, BENCH_CALLS: 200, BENCH_WARM_UP: 0 } }),
    metrics: [{ ...cpu, unit: 'us', key: 'cpu', label: 'CPU per call', goal }],
  };
}

const slowConsumer = {
  name: 'slow',
  what: '136 MB offered to a consumer that stops at message 500',
  program: 'slow-consumer',
  standIn: 'play.sh',
  subjects: sdks,
  rounds: { full: 3, quick: 2 },
  stable: true,
  prepare: ({ folder }) => ({ childEnv: { BENCH_SAYS_FILE: longMessagesFile(folder, 136 * 1024 * 1024) } }),
  metrics: [
    {
      key: 'growth',
      label: 'memory growth',
      unit: 'MB',
      digits: 1,
      better: 'less',
      required: { atMost: 20 },
      goal: { atLeast: 12 },
    },
  ],
};

const stopMetrics = [
  { ...milliseconds, key: 'abortSettled', label: 'abort: loop ends', required: { atMost: 20 }, goal: { atMost: 5 } },
  { ...milliseconds, key: 'abortGone', label: 'abort: process gone', goal: { atMost: 60 } },
  { key: 'abortAfter', label: 'abort: messages after', unit: '', digits: 0, better: 'less', goal: { atMost: 0 } },
  { ...milliseconds, key: 'breakSettled', label: 'break: loop ends', required: { atMost: 20 }, goal: { atMost: 5 } },
  { ...milliseconds, key: 'breakGone', label: 'break: process gone', goal: { atMost: 60 } },
];

const stop = {
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

const stopReal = {
  name: 'stop-real',
  what: 'The same with the real CLI and a scripted model',
  program: 'stop',
  subjects: sdks,
  rounds: { full: 3, quick: 1 },
  prepare: async (run) => {
    const real = await realCli(run, {
      script: ({ slow, reply }) => reply(slow('word '.repeat(6000), { chunks: 6000, everyMs: 1 })),
      recordPid: true,
    });
    return { ...real, env: { BENCH_STOP_AT: 50 } };
  },
  metrics: stopMetrics,
};

const stubborn = {
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
  metrics: [{ ...milliseconds, key: 'gone', label: 'process gone', digits: 0, goal: { atMost: 2500 } }],
};

const sessions = (count) => ({
  name: `sessions-${count}`,
  what: `${count} conversations at once, 200 deltas each`,
  program: 'sessions',
  standIn: 'play.sh',
  subjects: everyone,
  rounds: { full: 5, quick: 2 },
  prepare: ({ folder }) => ({
    env: { BENCH_SESSIONS: count, BENCH_DELTAS: 200 },
    childEnv: { BENCH_SAYS_FILE: deltasFile(folder, 200) },
  }),
  metrics: [
    { ...milliseconds, key: 'ms', label: 'all done', digits: 0, goal: { atLeast: 1.5 } },
    { key: 'rss', label: 'memory each', unit: 'KB', digits: 0, better: 'less', goal: { atLeast: 2 } },
  ],
});

const decision = { unit: 'us', digits: 2, better: 'less', required: { atMost: 20 } };

const policy = {
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

const uiStream = {
  name: 'ui-stream',
  what: 'The same deltas on their way to a page: translated, kept for readers, sent as events',
  program: 'ui-stream',
  standIn: 'play.sh',
  subjects: ['hexagent'],
  rounds: { full: 5, quick: 2 },
  prepare: ({ quick, folder }) => {
    const deltas = quick ? 20_000 : 50_000;
    return { env: { BENCH_READERS: 1000 }, childEnv: { BENCH_SAYS_FILE: deltasFile(folder, deltas) } };
  },
  metrics: [
    { ...cpu, key: 'alone', label: 'CPU per message, the conversation alone', unit: 'us' },
    { ...cpu, key: 'page', label: 'and for a page', unit: 'us' },
    { ...cpu, key: 'ratio', label: 'page beside conversation', unit: 'x', required: { atMost: 1.5 } },
    { ...cpu, key: 'reader', label: 'each of 1,000 readers, per message', unit: 'ns' },
  ],
};

const stored = (task, what, { time, memory }) => ({
  name: task,
  what,
  program: 'stored-sessions',
  subjects: everyone,
  rounds: { full: 5, quick: 1 },
  prepare: ({ folder }) => ({ env: { BENCH_STORED: storedSessions(folder), BENCH_TASK: task } }),
  metrics: [
    { ...milliseconds, key: 'ms', label: 'time', goal: time },
    { key: 'rss', label: 'memory', unit: 'MB', digits: 0, better: 'less', goal: memory },
  ],
});

const storedRows = [
  stored('list', 'Listing 2,001 stored sessions, 600 MB', {
    time: { atLeast: 8, ofLimit: 0.4 },
    memory: { atMost: 25 },
  }),
  stored('list-dir', 'Listing the 100 of one directory', { time: { atLeast: 6, ofLimit: 0.4 } }),
  stored('list-50', 'Listing the 50 that were written to last', { time: { atLeast: 2.5, ofLimit: 0.4 } }),
  stored('messages', 'Reading the messages of a session of 200 MB', { time: { atLeast: 2, ofLimit: 0.9 } }),
  stored('messages-50', 'Reading its first 50 messages', { time: { atLeast: 4 }, memory: { atMost: 60 } }),
];

const permissionGoals = { cpu: { atLeast: 1.2, ofLimit: 0.75 }, rate: { atLeast: 1.6 }, first: { atLeast: 1.2 } };
const hookGoals = { cpu: { atLeast: 1.3, ofLimit: 0.75 }, rate: { atLeast: 2 }, first: { atLeast: 1.2 } };
const callGoals = { cpu: { atLeast: 1.4, ofLimit: 0.6 }, rate: { atLeast: 2.5 }, first: { atLeast: 3 } };

export const rows = [
  importing,
  importingNative,
  cold,
  firstMessage,
  firstMessageReal,
  startingEarly,
  stream,
  longLine(1, 20),
  longLine(10, 8),
  longLine(64, 4, { atLeast: 1.15, ofLimit: 0.9 }),
  roundTrip('permission', 'can_use_tool', 'can_use_tool', 1, permissionGoals),
  roundTrip('permission', 'can_use_tool', 'can_use_tool', 200, permissionGoals),
  firstRoundTrips('permission', 'can_use_tool', 'can_use_tool', permissionGoals.first),
  roundTrip('hook', 'A PreToolUse hook', 'hook_callback', 1, hookGoals),
  roundTrip('hook', 'A PreToolUse hook', 'hook_callback', 200, hookGoals),
  firstRoundTrips('hook', 'A PreToolUse hook', 'hook_callback', hookGoals.first),
  roundTrip('tool', 'A call of an in-process MCP tool', 'mcp_message', 1, callGoals),
  roundTrip('tool', 'A call of an in-process MCP tool', 'mcp_message', 200, callGoals),
  firstRoundTrips('tool', 'A call of an in-process MCP tool', 'mcp_message', callGoals.first),
  policy,
  uiStream,
  ...storedRows,
  slowConsumer,
  stop,
  stopReal,
  stubborn,
  sessions(50),
  sessions(200),
];
