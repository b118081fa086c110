import { rmSync } from 'node:fs';
import { shown } from '@hexagent/checks';
import { Watchdog, type ProcessToTrack, type StartedProcess } from './watchdog.ts';

const allTracked = new Set<TrackedProcess>();
const watchdog = new Watchdog();

/**
 * Ends a program and removes its files when this process ends, from before the first byte of them is written. One
 * listener for all, and only `exit`: a listener for a signal would take away what the signal does by default, which is the
 * program's to decide.
 */
export function trackProcess(program: ProcessToTrack, { isWatched }: { readonly isWatched: boolean }): TrackedProcess {
  if (allTracked.size === 0) process.on('exit', endAll);
  const tracked = new TrackedProcess(program, isWatched ? watchdog : undefined);
  allTracked.add(tracked);
  return tracked;
}

/** `sleep` takes whole seconds everywhere, and one of them is too short for a busy machine. */
const shortestFreezeMs = 2000;
const longestFreezeMs = 86_400_000;

/**
 * From now on the programs of this process are ended also when it is frozen: stopped, or with an event loop that is blocked,
 * for `afterMs`, which is rounded down to whole seconds. It finds that they were killed when it continues. For a process that may not
 * run agents for longer than it can renew a lease. Does nothing on Windows, where there is no watchdog.
 * @throws {TypeError} for less than two seconds, and more than a day.
 */
export function endAgentsWhenFrozen({ afterMs }: { readonly afterMs: number }): void {
  if (typeof afterMs !== 'number' || !(afterMs >= shortestFreezeMs && afterMs <= longestFreezeMs))
    throw new TypeError(
      `\`afterMs\` must be a number of milliseconds from ${shortestFreezeMs} to ${longestFreezeMs}, not ${shown(afterMs)}.`,
    );
  watchdog.endWhenFrozen(Math.floor(afterMs / 1000));
}

/** How many programs of this process run, or are being started. */
export function runningPrograms(): number {
  return allTracked.size;
}

/** One program that this process and its watchdog end. */
export class TrackedProcess {
  readonly #program: ProcessToTrack;
  readonly #watchdog: Watchdog | undefined;
  #endNow = (): void => {};

  constructor(program: ProcessToTrack, watchdog: Watchdog | undefined) {
    this.#program = program;
    this.#watchdog = watchdog;
    watchdog?.watch(program);
  }

  /** The process runs. `endNow` ends it without waiting, where there is no watchdog. */
  started(process: StartedProcess, endNow: () => void): void {
    this.#endNow = endNow;
    this.#watchdog?.started(this.#program.id, process);
  }

  /** What the environments of its own children have in common: see `ProcessTree.rememberShell`. */
  shellKnown(shell: string | undefined): void {
    if (shell !== undefined) this.#watchdog?.shellKnown(this.#program.id, shell);
  }

  /** Its number may be given to another process now. What it left behind may still run. */
  numberFreed(): void {
    this.#watchdog?.numberFreed(this.#program.id);
  }

  /** Stops tracking it: nothing is left of it. Safe to call twice. */
  forget(): void {
    if (!allTracked.delete(this)) return;
    this.#watchdog?.forget(this.#program.id);
    if (allTracked.size === 0) process.off('exit', endAll);
  }

  /** This process ends. */
  end(): void {
    if (this.#watchdog?.isRunning !== true) this.#endNow();
    if (this.#program.folder !== undefined) rmSync(this.#program.folder, { recursive: true, force: true });
  }
}

function endAll(): void {
  for (const tracked of allTracked) tracked.end();
}
