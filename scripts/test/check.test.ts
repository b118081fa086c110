import { describe, expect, it } from 'vitest';
import { tally } from '../check.mjs';

const report = { numPassedTests: 10, numFailedTests: 0, numPendingTests: 2, numTodoTests: 1 };
const gates = [
  { name: 'lint', passed: true },
  { name: 'deps', passed: true },
];

describe('The closing line of a check', () => {
  it('counts every test, and every gate as one', () => {
    expect(tally({ report, testsPassed: true, gates, gatesPassed: true })).toEqual({
      passed: 12,
      failed: 0,
      skipped: 3,
    });
  });

  it('counts failed tests and failed gates', () => {
    const failing = { ...report, numFailedTests: 3 };
    const failed = [...gates, { name: 'pins', passed: false }];
    expect(tally({ report: failing, testsPassed: false, gates: failed, gatesPassed: false })).toMatchObject({
      passed: 12,
      failed: 4,
    });
  });

  it('counts a test run that failed without a failed test: a file that did not load', () => {
    expect(tally({ report, testsPassed: false, gates, gatesPassed: true }).failed).toBe(1);
  });

  it('never reports success for what did not run', () => {
    const nothing = { report: undefined, testsPassed: false, gates: [], gatesPassed: false };
    expect(tally(nothing)).toEqual({ passed: 0, failed: 2, skipped: 0 });
  });
});
