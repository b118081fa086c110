import { defineConfig } from 'vitest/config';

const folder = process.env['HEXAGENT_MUTATED'] ?? '';

/** The tests of one package, without those of processes and those that try thousands of cases. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@hexagent/source'] } },
  test: {
    include: [`${folder}/test/**/*.test.ts`],
    exclude: ['**/*.deep.test.ts', '**/any-*.test.ts', '**/long-*.test.ts', '**/node_modules/**'],
    isolate: false,
    execArgv: ['--no-warnings'],
    // As in vitest.config.ts: what asks for no folder fails, also where a fault is planted.
    env: { XDG_STATE_HOME: '/dev/null/none' },
    expect: { poll: { timeout: 5000 } },
    benchmark: { include: [] },
  },
});
