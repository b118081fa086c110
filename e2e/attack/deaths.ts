import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processesMentioning } from '@hexagent/testing/cli';

// Programs, agents and watchdogs die at moments that chance chooses. What is left is counted. Plain functions, so that a
// test runs a few rounds and a command as many as there is time for.

export interface Rounds {
  readonly runs: number;
  /** From 0 to below 1, as `Math.random`; seeded where a run is to be repeated. */
  readonly random: () => number;
  /** How many programs at the same time. Default 2. */
  readonly atOnce?: number | undefined;
}

/** What an agent is started with. The default is a stand-in that does everything to outlive its program. */
export interface AttackedAgent {
  readonly executable?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** What was still there long after the last death. All empty: nothing was left. */
export interface Left {
  readonly runs: number;
  /** The command lines of processes that should have ended, watchdogs included. */
  readonly processes: readonly string[];
  /** Private files of launches. */
  readonly folders: readonly string[];
}

const program = fileURLToPath(new URL('./fixtures/attacked-program.ts', import.meta.url));
const stubborn = fileURLToPath(new URL('./fixtures/stubborn-agent.mjs', import.meta.url));
/** An upper bound for a busy machine. How soon the rest goes is for `bench` to measure. */
const boundMs = 30_000;

/** Programs killed with SIGKILL at some moment of the first milliseconds of a session. */
export function programsKilledEarly(
  rounds: Rounds,
  { withinMs = 30, agent }: { readonly withinMs?: number | undefined; readonly agent?: AttackedAgent | undefined } = {},
): Promise<Left> {
  return attack(rounds, agent, async (scene) => {
    const victim = scene.start({ mode: 'open' });
    await victim.waitForLine('now');
    await sleep(rounds.random() * withinMs);
    await victim.end('SIGKILL');
  });
}

/** Programs that abort a session while it starts, and end themselves as soon as they get the order. */
export function startsAborted(rounds: Rounds, agent?: AttackedAgent): Promise<Left> {
  return attack(rounds, agent, async (scene) => {
    // Below 0: in the same turn of the event loop as the start.
    await scene.start({ mode: 'abort', ms: Math.floor(rounds.random() * 40) - 10 }).ended;
  });
}

/**
 * Agents killed with SIGKILL while they work, by whose death a loop ends, and with it the program at once. What a finished
 * tool of the stand-in put into the background may stay: a query leaves that, as in the official package.
 */
export function agentsKilled(rounds: Rounds, agent?: AttackedAgent): Promise<Left> {
  const mayStay = /^sleep 299$/;
  return attack({ ...rounds, mayStay }, agent, async (scene) => {
    const victim = scene.start({ mode: 'loop' });
    await victim.waitForLine('message');
    await sleep(rounds.random() * 200);
    kill(victim.agent());
    await Promise.race([victim.ended, sleep(boundMs, undefined, { ref: false })]);
    await victim.end('SIGKILL');
  });
}

const signals = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Watchdogs killed up to three times before the program dies of a signal. */
export function watchdogsKilled(rounds: Rounds, agent?: AttackedAgent): Promise<Left> {
  return attack(rounds, agent, async (scene) => {
    const victim = scene.start({ mode: 'open' });
    await victim.waitForLine('message');
    for (let times = rounds.random() * 3; times > 0; times -= 1) {
      const watchdog = victim.watchdog();
      kill(watchdog);
      const deadline = performance.now() + boundMs;
      // Its program learns of it in its own time; one that dies before has no watchdog.
      while ([undefined, watchdog].includes(victim.watchdog())) {
        if (performance.now() > deadline) throw new Error('A watchdog that was killed was not started again.');
        await sleep(10);
      }
    }
    await victim.end(pick(signals, rounds.random()));
  });
}

/** Some of what an agent runs is stopped with SIGSTOP, and perhaps the agent, then the program dies of a signal. */
export function processesStopped(rounds: Rounds, agent?: AttackedAgent): Promise<Left> {
  return attack(rounds, agent, async (scene) => {
    const victim = scene.start({ mode: 'open' });
    await victim.waitForLine('message');
    for (const { pid } of victim.below()) if (rounds.random() < 0.5) kill(pid, 'SIGSTOP');
    await victim.end(pick(signals, rounds.random()));
  });
}

type Process = ReturnType<typeof processesMentioning>[number];

/** One attack: everything that it starts carries its name, and its files lie in one folder. */
class Scene {
  readonly #name = `hexagent-attack-${randomUUID()}`;
  readonly #folder: string;
  readonly #agent: AttackedAgent;
  #count = 0;

  constructor(folder: string, agent: AttackedAgent) {
    this.#folder = folder;
    this.#agent = agent;
  }

  start(what: { readonly mode: string; readonly ms?: number }): Victim {
    const { executable = stubborn, cwd, env = { PATH: process.env['PATH'] ?? '' } } = this.#agent;
    const name = `${this.#name}-${(this.#count += 1)}-`;
    const options = { executable, cwd, env: { ...env, HEXAGENT_TEST_RUN: name } };
    const args = ['--conditions=@hexagent/source', program, JSON.stringify({ ...what, options })];
    // A watchdog is given the PATH of its program, by which it is found here.
    const path = `${process.env['PATH']}:/${name}`;
    return new Victim(
      name,
      spawn(process.execPath, args, { env: { ...process.env, PATH: path, TMPDIR: this.#folder } }),
    );
  }

  /** Waits for the rest to go, ends what does not, and returns it. */
  async left({ runs, mayStay }: Attack): Promise<Left> {
    const deadline = performance.now() + boundMs;
    const folders = async (): Promise<readonly string[]> =>
      (await readdir(this.#folder)).filter((name) => name.startsWith('hexagent-launch-'));
    const wrong = (): readonly Process[] => this.#processes().filter(({ command }) => mayStay?.test(command) !== true);
    while ((wrong().length > 0 || (await folders()).length > 0) && performance.now() < deadline) await sleep(50);
    const processes = wrong().map(({ command }) => command.slice(0, 200));
    for (const { pid } of this.#processes()) kill(pid);
    return { runs, processes, folders: await folders() };
  }

  #processes(): readonly Process[] {
    return processesMentioning(this.#name);
  }
}

/** A program that is made to die. */
class Victim {
  readonly ended: Promise<unknown>;
  readonly #name: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(name: string, child: ChildProcessWithoutNullStreams) {
    this.#name = name;
    this.#child = child;
    this.ended = once(child, 'exit');
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** The agent and everything that it started. */
  below(): readonly Process[] {
    return processesMentioning(`HEXAGENT_TEST_RUN=${this.#name}`);
  }

  agent(): number | undefined {
    return this.below().find(({ parent }) => parent === this.#child.pid)?.pid;
  }

  watchdog(): number | undefined {
    const agents = this.below().map(({ pid }) => pid);
    const children = processesMentioning(`:/${this.#name}`).filter(({ parent }) => parent === this.#child.pid);
    return children.find(({ pid }) => !agents.includes(pid))?.pid;
  }

  /**
   * Reads on to this word.
   * @throws {Error} when the program ends without it: what dies by itself is not attacked.
   */
  async waitForLine(word: string): Promise<void> {
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (value === word) return;
      if (done === true) throw new Error(`The program ended before it said "${word}".`);
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal);
    await this.ended;
  }
}

/** Rounds, and the command lines of what need not have ended after them. */
type Attack = Rounds & { readonly mayStay?: RegExp };

async function attack(rounds: Attack, agent: AttackedAgent = {}, play: (scene: Scene) => Promise<void>): Promise<Left> {
  const { runs, atOnce = 2 } = rounds;
  const folder = await mkdtemp(join(tmpdir(), 'hexagent-attack-'));
  try {
    const scene = new Scene(folder, agent);
    let begun = 0;
    const work = async (): Promise<void> => {
      while (begun < runs) {
        begun += 1;
        await play(scene);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return await scene.left(rounds);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pick<T>(from: readonly T[], random: number): T {
  // The index is below the length, so the value is there, even where T admits undefined.
  return from[Math.floor(random * from.length)] as T;
}

/** It may have been ended meanwhile. */
function kill(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // It has ended by itself just now.
  }
}
