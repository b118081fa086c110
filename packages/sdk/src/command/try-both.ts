import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { realpath, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { errorText } from '@hexagent/checks';
import { copyProject, projectRootOf } from './project-copy.ts';
import { testCountsIn, type TestCounts } from './test-counts.ts';

const official = '@anthropic-ai/claude-agent-sdk';
const ours = '@hexagent/claude-agent-sdk';

const usage = 'Usage: hexagent try -- COMMAND [ARGUMENT...], such as: npx hexagent try -- npm test\n';

const isWindows = process.platform === 'win32';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Run {
  /** The name and the version of the package. */
  readonly subject: string;
  readonly exitCode: number;
  readonly counts: TestCounts | undefined;
}

/** Runs a command with the official package and with ours, each in a copy of the project, and compares what the tests report. */
export async function tryBoth(given: readonly string[]): Promise<number> {
  const [dashes, ...command] = given;
  if (dashes !== '--' || command.length === 0) return complain(usage, 2);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await compare(command, stop.signal);
  } catch (error) {
    return stop.signal.aborted ? complain('Stopped.\n', 130) : complain(`${errorText(error)}\n`);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

async function compare(command: readonly string[], signal: AbortSignal): Promise<number> {
  const folder = await realpath(process.cwd());
  const root = projectRootOf(folder);
  if (root === undefined) throw new Error(`There is no package.json in ${folder} or above.`);
  const dropIn = await findDropIn(folder);
  if (dropIn === undefined) throw new Error(`${ours} is not installed. Run: npm install --save-dev ${ours}`);
  const trial = { root, folder, command, signal };
  const runs = [await runInCopy(trial), await runInCopy({ ...trial, swap: dropIn })];
  process.stdout.write(`\n${formatRuns(runs)}`);
  return areAlike(runs) ? 0 : 1;
}

function complain(message: string, exitCode = 1): number {
  process.stderr.write(message);
  return exitCode;
}

/** The folder of the drop-in: that of the project comes first, since in a strict tree this package does not see it. */
async function findDropIn(folder: string): Promise<string | undefined> {
  for (const from of [join(folder, 'package.json'), import.meta.url]) {
    try {
      return await realpath(dirname(createRequire(from).resolve(`${ours}/package.json`)));
    } catch {
      // The next one.
    }
  }
  return undefined;
}

interface Trial {
  readonly root: string;
  readonly folder: string;
  readonly command: readonly string[];
  /** The package that takes the place of the official one. */
  readonly swap?: string;
  readonly signal: AbortSignal;
}

async function runInCopy({ root, folder, command, swap, signal }: Trial): Promise<Run> {
  process.stderr.write(`Copying ${root}.\n`);
  const copy = await copyProject(root, signal);
  try {
    const places = (await copy.installed(official)).filter((place) => manifestOf(place).name === official);
    const [first] = places;
    if (first === undefined)
      throw new Error(`${official} is not installed in ${root}: there is nothing to compare with.`);
    const { name, version } = manifestOf(swap ?? first);
    const subject = `${name} ${version}`;
    if (swap !== undefined) for (const place of places) await replace(place, copy.at(swap));
    process.stderr.write(`With ${subject}: ${command.join(' ')}\n`);
    const env = movedEnvironment(root, copy.at(root));
    return { subject, ...(await runCommand(command, { cwd: copy.at(folder), env, signal })) };
  } finally {
    await copy[Symbol.asyncDispose]();
  }
}

function manifestOf(folder: string): { readonly name?: string; readonly version?: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

async function replace(place: string, swap: string): Promise<void> {
  await rm(place, { recursive: true });
  await symlink(swap, place, 'junction');
}

/** `npx` and `npm` name the project in variables, `PATH` among them: the programs of the copy are meant. */
function movedEnvironment(root: string, copy: string): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value?.replaceAll(root, copy)]));
}

interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Shows the output while it arrives. */
async function runCommand(
  [file = '', ...args]: readonly string[],
  { cwd, env, signal }: CommandOptions,
): Promise<Pick<Run, 'exitCode' | 'counts'>> {
  signal.throwIfAborted();
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
    detached: !isWindows,
  });
  signal.addEventListener('abort', () => endGroup(child));
  const [fromStdout, fromStderr] = [tail(child.stdout, process.stdout), tail(child.stderr, process.stderr)];
  const exitCode = await new Promise<number>((resolve) => {
    child.once('error', (error) => resolve(complain(`${file} could not be started: ${error.message}\n`, 127)));
    child.once('close', (code, killedBy) =>
      resolve(code ?? 128 + (killedBy === null ? 0 : constants.signals[killedBy])),
    );
  });
  signal.throwIfAborted();
  return { exitCode, counts: testCountsIn(`${fromStdout()}\n${fromStderr()}`) };
}

/** The command and all it has started: it leads a group of processes. */
function endGroup(child: ChildProcess): void {
  const send = (signal: NodeJS.Signals): void => {
    try {
      if (isWindows || child.pid === undefined) child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // It has exited meanwhile.
    }
  };
  send('SIGTERM');
  const timer = setTimeout(send, 5_000, 'SIGKILL');
  child.once('close', () => clearTimeout(timer));
}

/** The last of what is written, where a summary is. */
function tail(from: NodeJS.ReadableStream, to: NodeJS.WritableStream): () => string {
  const kept = 1_000_000;
  let text = '';
  from.setEncoding('utf8').on('data', (piece: string) => {
    to.write(piece);
    text = (text + piece).slice(-kept);
  });
  return () => text;
}

function areAlike(runs: readonly Run[]): boolean {
  return new Set(runs.map(({ exitCode, counts }) => JSON.stringify([exitCode, counts]))).size === 1;
}

function formatRuns(runs: readonly Run[]): string {
  const rows = runs.map(({ subject, exitCode, counts }) => [
    subject,
    ...(['passed', 'failed', 'skipped'] as const).map((name) => String(counts?.[name] ?? '?')),
    String(exitCode),
  ]);
  const table = [['', 'passed', 'failed', 'skipped', 'exit code'], ...rows];
  const width = Math.max(...rows.map(([subject = '']) => subject.length));
  const lines = table.map(([subject = '', ...cells]) => [
    subject.padEnd(width),
    ...cells.map((cell) => cell.padStart(9)),
  ]);
  const unread = runs.some(({ counts }) => counts === undefined)
    ? ['The counts of this test runner cannot be read: only the exit codes are compared.']
    : [];
  return `${[...lines.map((line) => line.join('  ')), '', ...unread, areAlike(runs) ? 'The same.' : 'Not the same.'].join('\n')}\n`;
}
