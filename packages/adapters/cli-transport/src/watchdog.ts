import { spawn, type ChildProcess } from 'node:child_process';
import type { Launch } from '@hexagent/ports';
import { watchdogScript } from './watchdog-script.ts';

/** What must not outlive this process. */
export interface AgentToTrack {
  /** The id in its mark. */
  readonly id: string;
  readonly leftovers: Launch['leftovers'];
  /** A folder of private files, to be removed. */
  readonly folder: string | undefined;
}

export interface StartedAgent {
  readonly pid: number;
  /** When it began, in the words of `/proc`, so that whoever is given its number later is left alone. */
  readonly began: string | undefined;
}

/** How long it stays when no agent lives: programs that start one after another should not pay for each. */
const lingerMs = 1000;
/** Linux takes no variable of more than 128 KB. */
const longestTold = 100_000;
/** One that is killed at once, again and again, is not started for ever. */
const quickLosses = { shorterThanMs: 1000, atMost: 20 } as const;

/**
 * Ends agents when this process dies in a way that leaves it no time, `kill -9` included: a small shell that holds a
 * pipe from us and knows whom to end when it breaks. One per process; the agents' life is what keeps it.
 */
export class Watchdog {
  /** What it was told of each agent, in lines. */
  readonly #told = new Map<string, string>();
  #shell: ChildProcess | undefined;
  #startedAt = 0;
  #quickLosses = 0;
  /** What is still to be told of agents that have gone. */
  #pendingRemovals = '';
  #telling: NodeJS.Immediate | undefined;
  #leaving: NodeJS.Timeout | undefined;

  /** As far as is known. */
  get isRunning(): boolean {
    return this.#shell !== undefined;
  }

  /**
   * Told before the agent is started and its files are written, so that it finds the agent by its mark even if this
   * process dies while it starts it. And when a process dies its pipes break in the order of their numbers: this one has
   * to come before an agent's, which begins to act when its input ends.
   */
  watch({ id, leftovers, folder = '-' }: AgentToTrack): void {
    clearTimeout(this.#leaving);
    const line = `new ${id} ${leftovers === 'leave' ? 'leave' : 'end'} ${escape(folder)}`;
    this.#told.set(id, `${line}\n`);
    if (this.#shell === undefined) this.#start();
    else this.#write(`${line}\n`);
  }

  started(id: string, { pid, began = '' }: StartedAgent): void {
    this.#tell(id, `pid ${id} ${pid} ${began}`);
  }

  shellKnown(id: string, shell: string): void {
    this.#tell(id, `shell ${id} ${escape(shell)}`);
  }

  numberFreed(id: string): void {
    this.#tell(id, `freed ${id}`);
  }

  forget(id: string): void {
    if (!this.#told.delete(id)) return;
    // It has ended by itself, so there is no hurry: agents that come and go together cost one write.
    this.#pendingRemovals += `gone ${id}\n`;
    this.#telling ??= setImmediate(() => this.#write(''));
    if (this.#told.size > 0) return;
    this.#leaving = setTimeout(() => this.#leave(), lingerMs).unref();
  }

  #tell(id: string, line: string): void {
    const told = this.#told.get(id);
    if (told === undefined) return; // what is learned of an agent that has gone is no news
    this.#told.set(id, `${told}${line}\n`);
    this.#write(`${line}\n`);
  }

  #leave(): void {
    const shell = this.#shell;
    this.#shell = undefined;
    shell?.stdin?.end();
  }

  /** It is told by its environment what it must know: this process may die before it could write anything. */
  #start(): void {
    const told = [...this.#told.values()].join('');
    const isLong = told.length > longestTold;
    let shell;
    try {
      shell = this.#spawn(isLong ? '' : told);
    } catch {
      return; // without a shell, agents end by the end of their input alone
    }
    shell.on('error', () => {}); // there is no shell on this system, and so no number
    shell.stdin?.on('error', () => {}); // its exit says the same
    if (shell.pid === undefined) return;
    this.#shell = shell;
    this.#startedAt = process.uptime();
    shell.on('exit', () => this.#lost(shell));
    shell.unref();
    // A socket, which its type does not say.
    if (shell.stdin !== null && 'unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
    this.#pendingRemovals = '';
    if (isLong) this.#write(told);
  }

  /** Somebody killed it. Agents that live are never without one; the next one knows what this one knew. */
  #lost(shell: ChildProcess): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    const isQuick = (process.uptime() - this.#startedAt) * 1000 < quickLosses.shorterThanMs;
    this.#quickLosses = isQuick ? this.#quickLosses + 1 : 0;
    if (this.#told.size > 0 && this.#quickLosses <= quickLosses.atMost) this.#start();
  }

  #spawn(told: string): ChildProcess {
    return spawn('/bin/sh', ['-c', watchdogScript], {
      // A session of its own, so that Ctrl-C passes it by; no folder and no output of ours is held.
      detached: true,
      cwd: '/',
      env: { PATH: `/usr/bin:/bin:/usr/sbin:/sbin:${process.env['PATH'] ?? ''}`, TOLD: told },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  }

  /** The system takes a few lines at once, so they are out when this returns. */
  #write(text: string): void {
    clearImmediate(this.#telling);
    this.#telling = undefined;
    const lines = this.#pendingRemovals + text;
    this.#pendingRemovals = '';
    if (lines !== '') this.#shell?.stdin?.write(lines);
  }
}

/** A line ends at its line end. The shell's `printf %b` undoes this. */
function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\012');
}
