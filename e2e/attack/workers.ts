import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome, Task } from './worker.ts';

const program = fileURLToPath(new URL('worker.ts', import.meta.url));
/**
 * A worker that says nothing for so long is blocked. Much more than the bounds of a run together, which on a busy machine
 * wait one behind the other for programs that start and end, and say what they waited for.
 */
const blockedMs = 300_000;

export interface WorkerOptions {
  readonly folder: string;
  readonly jobs: number;
  readonly done: (outcome: Outcome) => void;
}

/** Runs every task, so many at a time, each job in a process of its own that is replaced when it breaks. */
export async function runTasks(tasks: readonly Task[], { folder, jobs, done }: WorkerOptions): Promise<void> {
  const queue = [...tasks];
  const work = async (job: number): Promise<void> => {
    let worker: ChildProcess | undefined;
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      worker ??= await start(folder, job);
      const outcome = await runOne(worker, task);
      done(outcome);
      // What it violated may spoil what comes after it.
      if (outcome.violations.length === 0) continue;
      await stop(worker);
      worker = undefined;
    }
    if (worker !== undefined) await stop(worker);
  };
  await Promise.all(Array.from({ length: jobs }, (_, job) => work(job)));
}

let count = 0;

async function start(folder: string, job: number): Promise<ChildProcess> {
  count += 1;
  const temporary = join(folder, `temporary-${job}-${count}`);
  mkdirSync(temporary);
  const worker = fork(program, {
    execArgv: ['--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning'],
    // Nothing of the person's own is near: no key, no home.
    env: {
      PATH: process.env['PATH'],
      CLAUDE_CODE_PATH: process.env['CLAUDE_CODE_PATH'],
      HOME: temporary,
      TMPDIR: temporary,
      ATTACK_FOLDER: folder,
    },
  });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('exit', (code) => reject(new Error(`A worker left with code ${code} before it began.`)));
  });
  return worker;
}

function runOne(worker: ChildProcess, task: Task): Promise<Outcome> {
  return new Promise((resolve) => {
    const finish = (outcome: Outcome): void => {
      clearTimeout(blocked);
      worker.off('message', answered);
      worker.off('exit', left);
      resolve(outcome);
    };
    const failed = (what: string): void => finish({ ...task, violations: [what] });
    const answered = (outcome: unknown): void => finish(outcome as Outcome); // a worker sends nothing else
    const left = (code: number | null, signal: string | null): void => failed(`the program left: ${signal ?? code}`);
    const blocked = setTimeout(() => failed(`the program was blocked for ${blockedMs} ms`), blockedMs);
    worker.on('message', answered);
    worker.on('exit', left);
    worker.send(task);
  });
}

async function stop(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const left = new Promise((resolve) => worker.once('exit', resolve));
  worker.kill('SIGKILL');
  await left;
}
