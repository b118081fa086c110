import { defineConfig } from 'vitest/config';

// Tests run from sources. Only this key takes effect, and a project does not inherit it: hence the constant.
const fromSources = { resolve: { conditions: ['@hexagent/source'] } };
const noBenchmarks = { include: [] };
// The same bound for what is polled: that of Vitest, a second, is missed where a machine is busy.
const polling = { poll: { timeout: 30_000 } };

export default defineConfig({
  test: {
    // The machines that run this have two cores; more workers only make deadlines tighter.
    maxWorkers: 2,
    projects: [
      {
        ssr: fromSources,
        test: {
          name: 'unit',
          include: ['packages/**/test/**/*.test.ts'],
          // An upper bound for a busy machine, since some start processes; never something a passing test waits for.
          testTimeout: 60_000,
          expect: polling,
          benchmark: noBenchmarks,
        },
      },
      {
        ssr: fromSources,
        test: {
          name: 'architecture',
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
