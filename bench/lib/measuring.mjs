// Runs a row: every subject in a fresh process each round, in turns, so that a busy minute hits all of them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from './median.mjs';

const benchFolder = fileURLToPath(new URL('../', import.meta.url));
const execute = promisify(execFile);
const longestMs = 180_000;

/** `{ limit: { ms: … }, hexagent: …, official: … }`: the median of each metric; or `{ skipped }`, why there is none. */
export async function measure(row, run) {
  const prepared = (await row.prepare?.(run)) ?? {};
  const { skipped = whySkipped(prepared.standIn ?? row.standIn ?? '') } = prepared;
  if (skipped !== undefined) return { skipped };
  const subjects = [...row.subjects, ...(run.also ?? [])];
  const found = new Map(subjects.map((subject) => [subject, []]));
  const rounds = run.rounds ?? (run.quick ? row.rounds.quick : row.rounds.full);
  for (let round = 0; round < rounds; round += 1) {
    const shift = round % subjects.length;
    for (const subject of [...subjects.slice(shift), ...subjects.slice(0, shift)]) {
      found.get(subject).push(await once(row, subject, prepared, run));
      run.progress(`${row.name} ${round + 1}/${rounds} ${subject}`);
    }
  }
  return Object.fromEntries(
    [...found].map(([subject, results]) => [
      subject,
      Object.fromEntries(row.metrics.map(({ key }) => [key, median(results.map((result) => result[key]))])),
    ]),
  );
}

const whySkipped = (standIn) =>
  process.platform === 'win32' && standIn.endsWith('.sh') ? 'its stand-in is a shell script' : undefined;

async function once(
  row,
  subject,
  { env = {}, childEnv = {}, standIn = path.join(benchFolder, 'stand-in', row.standIn ?? '') },
  run,
) {
  const pathOfNode = [path.dirname(run.node), process.env.PATH].join(path.delimiter);
  const own = {
    PATH: pathOfNode,
    HOME: run.folder,
    BENCH_SUBJECT: subject,
    BENCH_MODULE: run.modules[subject === 'hexagent' ? (row.door ?? subject) : subject],
    BENCH_STAND_IN: standIn,
    BENCH_CHILD_ENV: JSON.stringify({ PATH: pathOfNode, HOME: run.folder, ...childEnv }),
    ...env,
  };
  const program = path.join(benchFolder, 'programs', `${row.program}.mjs`);
  const [command, ...args] = [...(row.pinned ? onOneCore : []), run.node, program];
  try {
    // Not synchronously: the scripted model of the real CLI lives in this process.
    const { stdout } = await execute(command, args, { env: own, cwd: run.folder, timeout: longestMs });
    const measured = JSON.parse(stdout);
    // What is not a number is `null` in JSON.
    for (const [name, value] of Object.entries(measured))
      if (value === null) throw new Error(`\`${name}\` was not measured.`);
    return measured;
  } catch (error) {
    throw new Error(
      `${row.name} failed with ${subject}: ${error.signal ?? ''}\n${error.stderr?.slice(-2000) ?? error}`,
      { cause: error },
    );
  }
}

/** Where the system can: keeps a process and its children on one core. */
const onOneCore = existsSync('/usr/bin/taskset') ? ['/usr/bin/taskset', '--cpu-list', '0'] : [];
