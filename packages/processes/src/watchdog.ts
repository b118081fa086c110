import type { ChildProcess } from 'node:child_process';
import type { Launch } from '@hexagent/ports';
import { Heartbeat } from './heartbeat.ts';
import { startShell } from './shell-beside.ts';
import { systemClock } from './system-clock.ts';
import { watchdogScript } from './watchdog-script.ts';

/** A program that must not outlive this process. */
export interface ProcessToTrack {
  /** The id in its mark. */
  readonly id: string;
  readonly leftovers: Launch['leftovers'];
  /** A folder of private files, to be removed. */
  readonly folder: string | undefined;
}

export interface StartedProcess {
  readonly pid: number;
  /** When it began, as `/proc` writes it, so that a process that is given its number later is left alone. */
  readonly began: string | undefined;
}

/** How long it runs without a program: programs that start one after another share one watchdog. */
const lingerMs = 1000;
/** Linux takes no variable of more than 128 KB. */
const longestVariable = 100_000;
/** How often it is started again when it is killed at once. */
const quickLosses = { shorterThanMs: 1000, atMost: 20 } as const;

/**
 * Ends programs when this process dies in a way that leaves it no time, `kill -9` included: a small shell that reads
 * from a pipe of ours which programs run, and ends them when the pipe breaks. One per process; it runs while one of them does.
 */
export class Watchdog {
  /** The lines of each program. */
  readonly #lines = new Map<string, string>();
  #shell: ChildProcess | undefined;
  #startedAt = 0;
  #quickLosses = 0;
  #leaving: NodeJS.Timeout | undefined;
  /** `undefined` where a frozen process keeps its programs. */
  #frozenSeconds: number | undefined;
  #heartbeat: Heartbeat | undefined;

  /** Whether its exit has not been reported yet. */
  get isRunning(): boolean {
    return this.#shell !== undefined;
  }

  /** Ends the programs also when this process shows no sign of life for so many seconds. */
  endWhenFrozen(seconds: number): void {
    this.#frozenSeconds = seconds;
    this.#heartbeat?.stop();
    this.#startHeartbeat();
  }

  /**
   * Written before the program is started and its files are written, so that it finds the program by its mark even if this
   * process dies while it starts it. And when a process dies its pipes break in the order of their numbers: this one has
   * to come before a program's, which begins to act when its input ends.
   */
  watch({ id, leftovers, folder = '-' }: ProcessToTrack): void {
    clearTimeout(this.#leaving);
    const line = `new ${id} ${leftovers === 'leave' ? 'leave' : 'end'} ${escape(folder)}`;
    this.#lines.set(id, `${line}\n`);
    if (this.#shell === undefined) this.#start();
    else this.#write(`${line}\n`);
  }

  started(id: string, { pid, began = '' }: StartedProcess): void {
    this.#report(id, `pid ${id} ${pid} ${began}`);
  }

  shellKnown(id: string, shell: string): void {
    this.#report(id, `shell ${id} ${escape(shell)}`);
  }

  numberFreed(id: string): void {
    this.#report(id, `freed ${id}`);
  }

  forget(id: string): void {
    if (!this.#lines.delete(id)) return;
    this.#write(`gone ${id}\n`);
    if (this.#lines.size > 0) return;
    this.#leaving = setTimeout(() => this.#leave(), lingerMs).unref();
  }

  #report(id: string, line: string): void {
    if (this.#remember(id, line)) this.#write(`${line}\n`);
  }

  /** Keeps a line for a watchdog that is started later. Returns `false` for a program of which nothing is left. */
  #remember(id: string, line: string): boolean {
    const lines = this.#lines.get(id);
    if (lines !== undefined) this.#lines.set(id, `${lines}${line}\n`);
    return lines !== undefined;
  }

  #leave(): void {
    const shell = this.#shell;
    this.#shell = undefined;
    this.#heartbeat?.stop();
    shell?.stdin?.end();
  }

  /** Starts the shell with the lines so far in its environment: this process may be killed before it can write. */
  #start(): void {
    const lines = [...this.#lines.values()].join('');
    const isLong = Buffer.byteLength(lines) > longestVariable;
    const shell = startShell(watchdogScript, { WATCHED: isLong ? '' : lines });
    if (shell === undefined) return; // programs end by the end of their input alone
    this.#shell = shell;
    this.#startedAt = systemClock.now();
    shell.on('exit', () => this.#lost(shell));
    if (isLong) this.#write(lines);
    this.#startHeartbeat();
  }

  /** The shell was killed, or took this process for frozen. Another one is started with the same lines. */
  #lost(shell: ChildProcess): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    this.#heartbeat?.stop();
    const isQuick = systemClock.now() - this.#startedAt < quickLosses.shorterThanMs;
    this.#quickLosses = isQuick ? this.#quickLosses + 1 : 0;
    if (this.#lines.size > 0 && this.#quickLosses <= quickLosses.atMost) this.#start();
  }

  #startHeartbeat(): void {
    const input = this.#shell?.stdin;
    if (input && this.#frozenSeconds !== undefined) this.#heartbeat = new Heartbeat(input, this.#frozenSeconds);
  }

  /** The system takes a few lines at once, so they are out when this returns. */
  #write(lines: string): void {
    this.#shell?.stdin?.write(lines);
  }
}

/** A line ends at its line end. The shell's `printf %b` undoes this. */
function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\012');
}
