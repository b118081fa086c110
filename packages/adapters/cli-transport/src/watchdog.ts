import { spawn, type ChildProcess } from 'node:child_process';
import { watchdogScript } from './watchdog-script.ts';

/** How long it stays when no agent lives: programs that start one after another should not pay for each. */
const lingerMs = 1000;

/**
 * Ends agents when this process dies in a way that leaves it no time, `kill -9` included: a small shell that holds a
 * pipe from us and knows whom to end when it breaks. One per process; the agents' life is what keeps it.
 */
export class Watchdog {
  /** What it was told, by pid: the folder to remove at the end, or nothing. */
  readonly #told = new Map<number, string>();
  #shell: ChildProcess | undefined;
  /** What is still to be told of agents that have ended. */
  #over = '';
  #telling: NodeJS.Immediate | undefined;
  #leaving: NodeJS.Timeout | undefined;

  /** Whether it is there, as far as is known. */
  get wakes(): boolean {
    return this.#shell !== undefined;
  }

  /**
   * Starts it before the agent that it is for. When a process dies its pipes break in the order of their numbers: this
   * one has to come before an agent's, which begins to act when its input ends.
   */
  prepare(): void {
    if (this.#shell === undefined) this.#start();
    if (this.#told.size === 0) this.#linger();
  }

  watch(pid: number, folder = ''): void {
    this.prepare();
    clearTimeout(this.#leaving);
    // A line ends at its line end; such a folder is left to the operating system.
    const said = folder.includes('\n') ? '' : folder;
    this.#told.set(pid, said);
    this.#tell(`+ ${pid} ${said}\n`);
  }

  forget(pid: number): void {
    if (!this.#told.delete(pid)) return;
    // It has ended by itself, so there is no hurry: agents that come and go together cost one write.
    this.#over += `- ${pid}\n`;
    this.#telling ??= setImmediate(() => this.#tell(''));
    if (this.#told.size === 0) this.#linger();
  }

  #linger(): void {
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => this.#leave(), lingerMs).unref();
  }

  #leave(): void {
    const shell = this.#shell;
    this.#shell = undefined;
    shell?.stdin?.end();
  }

  #start(): void {
    let shell;
    try {
      shell = this.#spawn();
    } catch {
      return; // without a shell, agents end by the end of their input alone
    }
    this.#shell = shell;
    const lost = (): void => {
      // The next agent starts another one, which is told everything.
      if (this.#shell === shell) this.#shell = undefined;
    };
    shell.on('error', lost);
    shell.on('exit', lost);
    shell.stdin?.on('error', lost);
    shell.unref();
    // A socket, which its type does not say.
    if (shell.stdin !== null && 'unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
    for (const [pid, folder] of this.#told) this.#tell(`+ ${pid} ${folder}\n`);
  }

  #spawn(): ChildProcess {
    return spawn('/bin/sh', ['-c', watchdogScript], {
      // A session of its own, so that Ctrl-C passes it by; no folder and no output of ours is held.
      detached: true,
      cwd: '/',
      env: { PATH: `/usr/bin:/bin:/usr/sbin:/sbin:${process.env['PATH'] ?? ''}` },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  }

  #tell(text: string): void {
    clearImmediate(this.#telling);
    this.#telling = undefined;
    this.#shell?.stdin?.write(this.#over + text);
    this.#over = '';
  }
}
