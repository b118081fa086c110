// Everything that must hold before a change lands: the tests as the README runs them, the groups of slower tests, the gates.
// `.ci/run` and `pnpm check` end here, `npm run test:all [GROUP…]` with `--tests`, `pnpm gates [NAME…]` with `--gates`. Like the bootstrap it needs only Node 20.19 and npm.
// Turbo runs them, and not again what has not changed since it passed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportOf, root } from './workspace.mjs';

export const groups = [
  'deep',
  'architecture',
  'recordings',
  'cli',
  'differential',
  'attack',
  'packed',
  'browser',
  'postgres',
  'fleet',
  'older',
  'soak',
];

const gates = [
  'format:check',
  'lint',
  'typecheck',
  'deps',
  'knip',
  'commits',
  'changesets',
  'build',
  'pins',
  'reference',
  'sizes',
  'examples',
];

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/**
 * What ran, as rows: the tests of a group with what its report counts, a gate as one.
 * A group that failed without a failed test (a file that did not load, a crash) counts as one failure.
 */
export function rowOf({ name, passed, seconds, isCached = false }, report) {
  const state = { name, passed, seconds, isCached, flaky: flakyOf(report) };
  if (report === undefined) return { ...state, counts: { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 } };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report;
  const failed = passed ? numFailedTests : Math.max(numFailedTests, 1);
  return { ...state, counts: { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests } };
}

/** Tests that failed and passed at the second try, which CI allows: each is a defect to be mended. */
function flakyOf(report) {
  return (report?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(({ fullName, failureMessages: [message] }) => `${fullName}\n  ${message.split('\n')[0]}`);
}

export const totalOf = (rows, count) => rows.reduce((sum, { counts }) => sum + counts[count], 0);

function textOf({ name, passed, seconds, isCached, counts, flaky }) {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  const retried = flaky.length > 0 ? `, ${flaky.length} flaky` : '';
  const time = isCached ? 'unchanged' : `${seconds.toFixed(1)} s`;
  const verdict = passed ? 'passed' : `FAILED (${counts.failed})`;
  return `${name.padEnd(18)}${verdict.padEnd(14)}${String(counts.passed).padStart(6)}${time.padStart(12)}${skipped}${retried}`;
}

const start = (command, args, timeout) =>
  spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    timeout,
  }).status === 0;

function fastTests() {
  const started = performance.now();
  const args = ['test', '--', '--reporter=default', '--reporter=json', `--outputFile.json=${reportOf('npm test')}`];
  const passed = start('npm', args, 1_200_000);
  return rowOf(
    { name: 'npm test', passed, seconds: (performance.now() - started) / 1000 },
    // Without a report it came to no test: types that are wrong, or a set-up that failed.
    read(reportOf('npm test')),
  );
}

/** Two gates at a time: most have one thread. `tsc -b` writes what a build writes, and so runs alone. */
const isBesideOthers = (name) => gates.includes(name) && name !== 'typecheck';

/** To the end, groups one after the other: some have the machine for themselves. What needs a build that failed does not run. */
function othersByTurbo(names) {
  const beside = names.filter(isBesideOthers);
  const alone = names.filter((name) => !isBesideOthers(name));
  return [...rowsByTurbo(beside, { atOnce: 2 }), ...rowsByTurbo(alone, { atOnce: 1 })];
}

function rowsByTurbo(names, { atOnce }) {
  if (names.length === 0) return [];
  const summaries = path.join(root, '.turbo/runs');
  rmSync(summaries, { recursive: true, force: true });
  const options = [`--concurrency=${atOnce}`, `--log-order=${atOnce === 1 ? 'stream' : 'grouped'}`];
  start(process.execPath, ['scripts/bootstrap.mjs', 'turbo:run', ...options, ...names], 3_600_000);
  const [file] = existsSync(summaries) ? readdirSync(summaries) : [];
  const { tasks = [] } = (file && read(path.join(summaries, file))) || {};
  return names.map((name) =>
    rowOfTasks(
      name,
      tasks.filter(({ task }) => task === name),
    ),
  );
}

/** A build is a task for each package. One that is not there did not run. */
export function rowOfTasks(name, tasks) {
  const runs = tasks.map(({ execution }) => execution).filter(Boolean);
  const passed = runs.length > 0 && runs.length === tasks.length && runs.every(({ exitCode }) => exitCode === 0);
  const seconds = runs.reduce((sum, { startTime, endTime }) => sum + (endTime - startTime) / 1000, 0);
  const isCached = runs.length > 0 && tasks.every(({ cache }) => cache.status === 'HIT');
  const [, group] = /^test:(.*)/.exec(name) ?? [];
  return rowOf({ name, passed, seconds, isCached }, group && read(reportOf(group)));
}

function main([part, ...names]) {
  const tests = groups.map((group) => `test:${group}`);
  const parts = { '--tests': tests, '--gates': gates };
  rmSync(path.dirname(reportOf('')), { recursive: true, force: true });
  mkdirSync(path.dirname(reportOf('')), { recursive: true });
  const fast = part === '--gates' ? [] : ['test:fast'];
  const named = names.map((name) => (part === '--tests' ? `test:${name}` : name));
  const others = named.length > 0 ? named : (parts[part] ?? [...gates, ...tests]);
  // CI runs the fast ones as a newcomer does, on a machine that has nothing yet.
  const rows = process.env.CI
    ? [...fast.map(fastTests), ...othersByTurbo(others)]
    : othersByTurbo([...fast, ...others]);
  console.log(`\n${rows.map(textOf).join('\n')}\n`);
  console.log(`${totalOf(rows, 'passed')} passed, ${totalOf(rows, 'failed')} failed`);
  const flaky = rows.flatMap((row) => row.flaky);
  if (flaky.length > 0) console.log(`\nFlaky, passed at the second try:\n${flaky.join('\n')}`);
  if (rows.some(({ passed }) => !passed)) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
