import { cpu, everyone, rate } from './row-shapes.mjs';

function roundTrip(name, what, asks, inFlight, bound) {
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
          { ...cpu, unit: 'us', key: 'cpu', label: 'CPU per call' },
        ]
      : [
          { ...rate, unit: '/s', key: 'perSecond', label: 'rate', bound },
          { ...cpu, unit: 'us', key: 'cpu', label: 'CPU per call' },
        ],
  };
}

/** What most programs see: code that has hardly run yet. */
function firstRoundTrips(name, what, asks) {
  return {
    name: `${name}-first`,
    what: `${what}: the first 200 of a process, one after the other (pinned to one core)`,
    program: 'round-trip',
    standIn: 'ask.mjs',
    pinned: true,
    subjects: everyone,
    rounds: { full: 15, quick: 5 },
    prepare: () => ({ env: { BENCH_ASKS: asks, BENCH_IN_FLIGHT: 1, BENCH_CALLS: 200, BENCH_WARM_UP: 0 } }),
    metrics: [{ ...cpu, unit: 'us', key: 'cpu', label: 'CPU per call' }],
  };
}

/** The steady rows and the first calls of one kind of callback. */
const callback = (name, what, asks, bound) => [
  roundTrip(name, what, asks, 1),
  roundTrip(name, what, asks, 200, bound),
  firstRoundTrips(name, what, asks),
];

export const callbackRows = [
  ...callback('permission', 'can_use_tool', 'can_use_tool', { atLeast: 1.3 }),
  ...callback('hook', 'A PreToolUse hook', 'hook_callback', { atLeast: 1.3 }),
  ...callback('tool', 'A call of an in-process MCP tool', 'mcp_message', { atLeast: 2 }),
];
