import { describe, expect, it } from 'vitest';
import { testCountsIn } from '../src/command/test-counts.ts';

const runners: readonly (readonly [string, string, string])[] = [
  ['Vitest', ' Test Files  2 failed (2)\n      Tests  1 failed | 12 passed | 2 skipped (15)', '12 1 2'],
  ['Vitest in colours', '\u001B[2m      Tests \u001B[22m \u001B[1m\u001B[32m3 passed\u001B[39m\u001B[22m (3)', '3 0 0'],
  ['Jest', 'Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 3 passed, 6 total', '3 1 2'],
  ['node --test', 'ℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ skipped 1\nℹ todo 0', '3 1 1'],
  ['node --test as TAP', '# tests 2\r\n# pass 2\r\n# fail 0\r\n# skipped 0\r\n# todo 0', '2 0 0'],
  ['Mocha', '  4 passing (12ms)\n  1 pending\n  2 failing\n\n  1) a title', '4 2 1'],
  ['AVA', '  5 tests passed\n  1 test failed', '5 1 0'],
  ['Bun', ' 7 pass\n 1 skip\n 2 fail\nRan 10 tests across 2 files.', '7 2 1'],
  ['a workspace', '      Tests  2 passed (2)\nanother package\n      Tests  1 failed | 3 passed (4)', '5 1 0'],
];

describe('The counts of a test run', () => {
  it.each(runners)('are read from the summary of %s', (_, output, expected) => {
    const { passed, failed, skipped } = testCountsIn(output) ?? {};
    expect(`${passed} ${failed} ${skipped}`).toBe(expected);
  });

  it('are unknown without a summary, and not read from prose', () => {
    expect(testCountsIn('')).toBeUndefined();
    expect(testCountsIn('All 3 tests passed in the end.\nTests: none\n5 passing thoughts')).toBeUndefined();
  });
});
