import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { delay, hasCode } from '@hexagent/checks';
import { readHostEnvironment, systemClock, systemTool } from '@hexagent/processes';
import { missingLines } from './missing-lines.ts';
import { readTape, type Tape } from './read-tape.ts';
import { sentOn } from './sent-lines.ts';

export interface ReplayProgramOptions {
  /** The program and its arguments, such as `['node', 'agent.mjs']`. */
  readonly command: readonly string[];
  /** Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** How long the program may be silent where it has something to send or to end. Default 10 s. */
  readonly waitMs?: number | undefined;
  /** How long the program may run before it is killed. Default 30 s. */
  readonly timeoutMs?: number | undefined;
}

/** What a program did while a tape was played to it. */
export interface ProgramRun {
  /** What it sent, in a few words each, as `sentOn()` describes it. */
  readonly sent: readonly string[];
  /** Where it departed from the tape, for a person to read; `undefined` where it did not. */
  readonly departure: string | undefined;
  /** It was killed because it did not end in time. */
  readonly timedOut: boolean;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program whose agents are those of a tape, and reports what it did. The program needs no change: both doors read the
 * variable `HEXAGENT_REPLAY`. A program that does not end in time is killed with all that it started.
 * @throws {TypeError} when the file is not a tape, the command is empty, or a limit is not a number of milliseconds.
 */
export async function replayProgram(tape: string | URL, options: ReplayProgramOptions): Promise<ProgramRun> {
  const file = path.resolve(typeof tape === 'string' ? tape : fileURLToPath(tape));
  const tapeOfThen = readTape(file);
  delay(options.waitMs, 'waitMs');
  delay(options.timeoutMs, 'timeoutMs');
  const folder = await mkdtemp(path.join(tmpdir(), 'hexagent-replay-'));
  try {
    const seen = path.join(folder, 'run.tape');
    const limit = options.waitMs === undefined ? {} : { HEXAGENT_REPLAY_WAIT_MS: String(options.waitMs) };
    const ended = await run(options, { HEXAGENT_REPLAY: file, HEXAGENT_RECORD: seen, ...limit });
    if (!existsSync(seen)) return { ...ended, sent: [], departure: 'The program has not started an agent.' };
    const tapeOfRun = readTape(seen);
    const departure = departureOn(tapeOfRun) ?? lackingOn(tapeOfThen, tapeOfRun);
    return { ...ended, sent: sentOn(tapeOfRun), departure };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function departureOn({ entries }: Tape): string | undefined {
  const errors = entries.flatMap((entry) => ('broken' in entry ? entry.broken : 'failed' in entry ? entry.failed : []));
  return errors.find(({ code }) => code === 'TAPE_DEPARTED')?.message;
}

/** A program that closes the connection early has departed, too, and receives no error. */
function lackingOn(then: Tape, run: Tape): string | undefined {
  const [first] = missingLines(then, run);
  return first === undefined ? undefined : `The program has not sent what is on the tape: ${first}`;
}

const isWindows = process.platform === 'win32';

type Ended = Omit<ProgramRun, 'sent' | 'departure'>;

async function run(
  { command, cwd, env = {}, timeoutMs = 30_000 }: ReplayProgramOptions,
  variables: Readonly<Record<string, string>>,
): Promise<Ended> {
  const [name, ...args] = command;
  if (name === undefined) throw new TypeError('`command` is empty. Pass the program and its arguments.');
  const child = spawn(name, args, {
    cwd,
    env: { ...process.env, ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Elsewhere the program leads a group of processes, which is killed as a whole.
    ...(isWindows ? { shell: true } : { detached: true }),
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout = tailOf(output.stdout + text)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr = tailOf(output.stderr + text)));
  let timedOut = false;
  const kill = (): void => killAll(child);
  // What has left the group of the program, and was not killed with it, may hold them open.
  const letGo = (): void => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const onTimeout = (): void => {
    timedOut = true;
    kill();
    stopTimer = systemClock.after(killMs, letGo, { keepsAlive: true });
  };
  let stopTimer = systemClock.after(timeoutMs, onTimeout, { keepsAlive: true });
  process.once('exit', kill);
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { exitCode, timedOut, ...output };
  } finally {
    stopTimer();
    process.off('exit', kill);
    kill(); // what it has left running
  }
}

/** How long killed processes may take to be gone. */
const killMs = 2000;

/** A program may print more than a test wants to hold. */
const mostOutput = 1_000_000;
const tailOf = (text: string): string => text.slice(-mostOutput);

/** The program may have exited before what it started: its group is there as long as one of them. */
function killAll({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined) return;
  if (isWindows) {
    if (exitCode !== null || signalCode !== null) return;
    const taskkill = systemTool('taskkill', readHostEnvironment({ env: {}, platform: 'win32' }));
    spawnSync(taskkill, ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // All have ended; macOS reports those that were not yet waited for by the second code.
    if (!hasCode(error, 'ESRCH') && !hasCode(error, 'EPERM')) throw error;
  }
}
