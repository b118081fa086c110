import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CliTransport } from '@hexagent/cli-transport';
import type { Connection, Launch } from '@hexagent/ports';
import { hermeticEnv, hermeticHome, processesMentioning, survivors, userFrame, wireArgs } from '@hexagent/testing/cli';
import { silent, slow, startLoopback, toolUse, type Loopback, type Script } from '@hexagent/testing/loopback';
import { expect } from 'vitest';
import { cli } from '../support/cli.ts';
import { compileCache } from '../support/compile-cache.ts';

const bound = 3000;

export interface Scene extends AsyncDisposable {
  readonly loopback: Loopback;
  readonly launch: Launch;
  /** Every process of the scene, also those that a tool started. */
  processes(): readonly number[];
}

/** A model that plays `script`, and how to launch the CLI towards it. */
export async function scene(script: Script, flags: readonly string[] = []): Promise<Scene> {
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
  const marker = `hexagent-run-${randomUUID()}`;
  const env = hermeticEnv({ loopback, home, extra: { HEXAGENT_TEST_RUN: marker } });
  const processes = (): readonly number[] => processesMentioning(marker).map(({ pid }) => pid);
  return {
    loopback,
    launch: { args: [...wireArgs, ...flags], env, cwd: home.cwd, initialize: {} },
    processes,
    async [Symbol.asyncDispose]() {
      for (const pid of processes()) process.kill(pid, 'SIGKILL');
      await loopback.close();
      await home.remove();
    },
  };
}

/** What the CLI is doing when something happens to it. */
interface Doing {
  readonly script: Script;
  readonly flags?: readonly string[];
  /** Some 20 ms after its input has ended it asks the model again, unless it is stopped before. */
  readonly isQuick?: boolean;
  /** Resolves when it does that. */
  reached(scene: Scene, seen: (type: string) => Promise<void>): Promise<unknown>;
}

// The CLI refuses to sleep in the foreground.
const waiting = 'tail -f /dev/null --pid=1';
const ignoring = `trap '' TERM INT HUP; ${waiting}; ${waiting}`;

const inForeground: Doing = {
  script: [toolUse('Bash', { command: waiting }), 'Never said.'],
  flags: ['--allowedTools=Bash'],
  reached: () => runs(waiting),
};

export const doings: Readonly<Record<string, Doing>> = {
  'it is idle': { script: ['Hello.'], reached: (_, seen) => seen('result') },
  'it streams': {
    script: [slow('word '.repeat(2000), { chunks: 2000, everyMs: 20 })],
    flags: ['--include-partial-messages'],
    reached: (_, seen) => seen('stream_event'),
  },
  'the API hangs': { script: [silent()], reached: ({ loopback }) => loopback.received(1) },
  'it runs a foreground command': inForeground,
  'it runs a command that ignores every polite signal': {
    script: [toolUse('Bash', { command: ignoring }), 'Never said.'],
    flags: ['--allowedTools=Bash'],
    reached: () => runs(waiting),
  },
  'it runs a background command': {
    script: [toolUse('Bash', { command: ignoring, run_in_background: true }), 'It runs.'],
    flags: ['--allowedTools=Bash'],
    reached: async (_, seen) => await Promise.all([runs(waiting), seen('result')]),
  },
  'it waits for a permission': {
    script: [toolUse('Bash', { command: 'touch here' }), 'Never said.'],
    flags: ['--permission-prompt-tool=stdio'],
    isQuick: true,
    reached: (_, seen) => seen('control_request'),
  },
};

async function runs(command: string): Promise<void> {
  await expect.poll(() => processesMentioning(command).length, { timeout: 20_000 }).toBeGreaterThan(0);
}

/** Which types of frames have arrived, and who waits for one. */
export class Seen {
  readonly #types = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  line(line: string): void {
    const type = /"type":"(\w+)"/.exec(line)?.[1] ?? '';
    this.#types.add(type);
    this.#waiting.get(type)?.();
  }

  type(type: string): Promise<void> {
    if (this.#types.has(type)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(type, resolve));
  }
}

export const hello = JSON.stringify(userFrame('Hello.'));

/** A program that runs the CLI. */
function program({ launch }: Scene, frozenAfterMs?: number): { child: ChildProcessWithoutNullStreams; seen: Seen } {
  const args = [
    '--conditions=@hexagent/source',
    fileURLToPath(new URL('./fixtures/transport-program.ts', import.meta.url)),
    JSON.stringify({ executable: cli, launch, lines: [hello], frozenAfterMs }),
  ];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...compileCache } });
  const seen = new Seen();
  createInterface({ input: child.stdout }).on('line', (line) => seen.line(line));
  return { child, seen };
}

/** Kills the program while the CLI does this, and expects the CLI and its tools to be gone in time. */
export async function endsWithItsProgram(doing: string): Promise<void> {
  const { script, flags, isQuick = false, reached } = doings[doing]!;
  await using stage = await scene(script, flags);
  const { child, seen } = program(stage);
  await reached(stage, (type) => seen.type(type));
  const [pids, asked] = [stage.processes(), stage.loopback.requests.length];
  expect(pids.length).toBeGreaterThan(0);
  const began = performance.now();
  // As the watchdog does first, whose own test proves that: here the load of the machine would decide which of the two is faster.
  if (isQuick) for (const pid of pids) if (pid !== child.pid) process.kill(pid, 'SIGSTOP');
  child.kill('SIGKILL');
  expect(await survivors(pids, bound)).toEqual([]);
  report(`parent killed while ${doing}`, performance.now() - began);
  expect(stage.processes()).toEqual([]);
  expect(stage.loopback.requests).toHaveLength(asked);
}

/** Stops the program while the CLI does this, and expects the CLI and its tools to be gone in time, and the program still stopped. */
export async function endsWhenFrozen(doing: string): Promise<void> {
  const { script, flags, reached } = doings[doing]!;
  const afterMs = 2000;
  await using stage = await scene(script, flags);
  const { child, seen } = program(stage, afterMs);
  await reached(stage, (type) => seen.type(type));
  const pids = stage.processes().filter((pid) => pid !== child.pid);
  expect(pids.length).toBeGreaterThan(0);
  const began = performance.now();
  child.kill('SIGSTOP');
  expect(await survivors(pids, afterMs + 2000)).toEqual([]);
  report(`parent frozen while ${doing}`, performance.now() - began);
  expect(stage.processes()).toEqual([child.pid]);
}

/** Closes the connection while the CLI does this, and expects the CLI and its tools to be gone in time. */
export async function endsWithClose(doing: string): Promise<void> {
  const { script, flags, reached } = doings[doing]!;
  await using stage = await scene(script, flags);
  const connection = await new CliTransport({ executable: cli }).connect(stage.launch);
  const seen = new Seen();
  void readInto(connection, seen);
  await connection.send(hello);
  await reached(stage, (type) => seen.type(type));
  const pids = stage.processes();
  const began = performance.now();
  await connection.close();
  const took = performance.now() - began;
  report(`closed while ${doing}`, took);
  expect(took).toBeLessThan(2500);
  expect(await survivors(pids, 0)).toEqual([]);
  expect(stage.processes()).toEqual([]);
  expect((await connection.exit).closed).toBe(true);
}

export async function readInto(connection: Connection, seen: Seen): Promise<void> {
  for await (const batch of connection.frames) for (const line of batch) seen.line(line);
}

function report(what: string, ms: number): void {
  if (process.env['HEXAGENT_MEASURE']) console.log(`${what}: ${ms.toFixed(0)} ms`);
}
