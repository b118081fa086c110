import { defineConfig } from 'vitest/config';

// Tests run from sources. Only this key takes effect, and a project does not inherit it: hence the constant.
const fromSources = { resolve: { conditions: ['@hexagent/source'] } };
const noBenchmarks = { include: [] };
// The same bound for what is polled: that of Vitest, a second, is missed where a machine is busy.
const polling = { poll: { timeout: 30_000 } };

// No test keeps anything in the home of whoever runs it: what asks for no folder fails.
const env = { XDG_STATE_HOME: '/dev/null/none' };

/** What a package does with the MCP SDK, run with the oldest version of it that the package accepts as its peer. */
const withOlderMcpSdk = (version: string, folder: string, tests: readonly string[]) => ({
  ssr: fromSources,
  test: {
    name: `mcp-sdk-${version}`,
    include: tests.map((name) => `packages/adapters/${folder}/test/${name}.test.ts`),
    execArgv: ['--import', new URL(`scripts/older-mcp-sdk.mjs?mcp-sdk-${version}`, import.meta.url).href],
    testTimeout: 60_000,
    expect: polling,
    benchmark: noBenchmarks,
  },
});

export default defineConfig({
  test: {
    // The machines that run this have two cores; more workers only make deadlines tighter.
    maxWorkers: 2,
    projects: [
      {
        ssr: fromSources,
        test: {
          name: 'unit',
          env,
          include: ['packages/**/test/**/*.test.ts'],
          // An upper bound for a busy machine, since some start processes; never something a passing test waits for.
          testTimeout: 60_000,
          expect: polling,
          benchmark: noBenchmarks,
        },
      },
      withOlderMcpSdk('126', 'mcp-sdk-server', ['contract', 'instance', 'sessions']),
      withOlderMcpSdk('132', 'mcp-client', [
        'connecting',
        'contract',
        'odd-answers',
        'reaching',
        'reconnecting',
        'signing-in',
      ]),
      {
        ssr: fromSources,
        test: {
          name: 'architecture',
          env,
          include: ['scripts/test/**/*.test.ts'],
          sequence: { groupOrder: 1 },
          // These run whole tools (dependency-cruiser, changesets, tsc) as processes.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: polling,
          benchmark: noBenchmarks,
        },
      },
      {
        ssr: fromSources,
        test: {
          name: 'e2e',
          env,
          include: ['e2e/**/*.test.ts'],
          // After the others: whoever starts real processes has the machine to himself.
          sequence: { groupOrder: 2 },
          // Generous upper bounds for real processes, never something a passing test waits for.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: polling,
          benchmark: noBenchmarks,
        },
      },
    ],
  },
});
