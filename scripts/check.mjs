// Everything that must hold before a change lands: the tests, as the README runs them, then the gates.
// `.ci/run` and `pnpm check` both end here. Like the bootstrap it needs only Node 20 and npm.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * What the closing line counts: every test, and every gate as one.
 * A run that failed without a failed test (a file that did not load, a crash) counts as one failure.
 * @param report The JSON report of vitest, if it came to one.
 */
export function tally({ report, testsPassed, gates, gatesPassed }) {
  const failedTests = report?.numFailedTests ?? 0;
  const failedGates = gates.filter(({ passed }) => !passed).length;
  const crashed = (!testsPassed && failedTests === 0 ? 1 : 0) + (!gatesPassed && failedGates === 0 ? 1 : 0);
  return {
    passed: (report?.numPassedTests ?? 0) + gates.length - failedGates,
    failed: failedTests + failedGates + crashed,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

function start(command, args, timeout) {
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32', timeout };
  return spawnSync(command, args, options).status === 0;
}

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

function main() {
  const reports = mkdtempSync(path.join(os.tmpdir(), 'hexagent-check-'));
  const tests = path.join(reports, 'tests.json');
  const gates = path.join(reports, 'gates.json');
  console.log('== npm test');
  const started = performance.now();
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${tests}`];
  const testsPassed = start('npm', ['test', '--', ...reporters], 2_400_000);
  console.log(
    `== npm test: ${testsPassed ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  const gatesPassed = start(process.execPath, ['scripts/bootstrap.mjs', 'gates', '--report', gates], 2_400_000);
  const results = read(gates) ?? [];
  const { passed, failed, skipped } = tally({ report: read(tests), testsPassed, gates: results, gatesPassed });
  rmSync(reports, { recursive: true, force: true });
  const names = results.map((gate) => `${gate.name} ${gate.passed ? 'passed' : 'FAILED'}`).join(', ');
  console.log(
    `\nTests ${testsPassed ? 'passed' : 'FAILED'}; ${names || 'the gates did not run'}; ${skipped} tests skipped.`,
  );
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
