import { describe, expect, it } from 'vitest';
import { rowOf, rowOfTasks, totalOf } from '../check.mjs';

const report = { numPassedTests: 10, numFailedTests: 0, numPendingTests: 2, numTodoTests: 1 };
const run = { name: 'test:cli', passed: true, seconds: 5 };

describe('The table of a check', () => {
  it('counts every test, and every gate as one', () => {
    const rows = [rowOf(run, report), rowOf({ ...run, name: 'lint' }, undefined)];
    expect(['passed', 'failed', 'skipped'].map((count) => totalOf(rows, count))).toEqual([11, 0, 3]);
  });

  it('counts failed tests and failed gates', () => {
    const rows = [
      rowOf({ ...run, passed: false }, { ...report, numFailedTests: 3 }),
      rowOf({ ...run, passed: false }, undefined),
    ];
    expect(totalOf(rows, 'failed')).toBe(4);
  });

  it('counts a group that failed without a failed test: a file that did not load', () => {
    expect(rowOf({ ...run, passed: false }, report).counts.failed).toBe(1);
  });

  it('names a test that failed before it passed, and counts it as passed', () => {
    const results = [
      { status: 'passed', fullName: 'is steady', failureMessages: [] },
      { status: 'passed', fullName: 'is flaky', failureMessages: ['Error: late\n    at there'] },
      { status: 'failed', fullName: 'is red', failureMessages: ['Error: red'] },
    ];
    const row = rowOf(run, { ...report, testResults: [{ assertionResults: results }] });
    expect(row).toMatchObject({ flaky: ['is flaky\n  Error: late'], counts: { passed: 10 } });
  });

  it('never reports success for what did not run', () => {
    const ran = { execution: { startTime: 0, endTime: 1000, exitCode: 0 }, cache: { status: 'MISS' } };
    const rows = [[], [{}], [ran, {}], [ran]].map((tasks) => rowOfTasks('lint', tasks));
    expect(rows.map(({ passed, counts }) => [passed, counts.failed])).toEqual([
      [false, 1],
      [false, 1],
      [false, 1],
      [true, 0],
    ]);
  });
});
