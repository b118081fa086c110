import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { processesMentioning } from '@hexagent/testing/cli';
import { describe, expect, it, vi } from 'vitest';
import { endNow, Sleepers } from './left-behind.ts';
import { fixture } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 90_000 });

const bound = 20_000;
const tools = { start: 'nohup sleep 301 & setsid sleep 302 & wait' };

class Program implements AsyncDisposable {
  readonly sleepers = new Sleepers();
  readonly #marker = `hexagent-marker-${process.pid}-${Math.random()}`;
  readonly #child;
  readonly #lines;

  constructor(afterMs: number) {
    this.#child = spawn(process.execPath, ['--conditions=@hexagent/source', fixture('freezing.ts'), String(afterMs)], {
      // Its watchdog has it too.
      env: { ...process.env, PATH: `${process.env['PATH']}:/${this.#marker}` },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  get isStopped(): boolean {
    return readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.startsWith('T') === true;
  }

  /** What runs beside it and its agents: its shells, and what these started. */
  get shells(): readonly string[] {
    return processesMentioning(this.#marker)
      .filter(({ pid, command }) => pid !== this.#child.pid && !command.includes('running-tools'))
      .map(({ command }) => command.slice(0, 20));
  }

  /** Stops the shell that waits for its beats. */
  stopTimer(): void {
    const [timer] = processesMentioning(this.#marker).filter(({ command }) => command.includes('read -r next'));
    process.kill(-(timer?.pid ?? Number.NaN), 'SIGSTOP');
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async start(): Promise<void> {
    await this.do({ start: [tools], env: this.sleepers.env });
    await this.sleepers.are([301, 302]);
  }

  async do(instruction: object): Promise<string> {
    this.#child.stdin.write(`${JSON.stringify(instruction)}\n`);
    return await this.line();
  }

  async line(): Promise<string> {
    return (await this.#lines.next()).value ?? 'the end';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill('SIGKILL');
    await this.sleepers[Symbol.asyncDispose]();
    for (const { pid } of processesMentioning(this.#marker)) endNow(pid);
  }
}

describe.runIf(process.platform === 'linux')('A program whose agents end when it is frozen', () => {
  it('has none left while it is stopped, and starts others when it continues', async () => {
    await using program = new Program(2000);
    for (let times = 0; times < 2; times += 1) {
      await program.start();
      program.kill('SIGSTOP');
      await expect.poll(() => program.sleepers.commands(), { timeout: bound }).toEqual([]);
      expect(program.isStopped).toBe(true);
      program.kill('SIGCONT');
      expect(await program.line()).toBe('exited SIGKILL');
    }
    await expect.poll(() => program.shells, { timeout: bound }).toEqual([]);
  });

  it('has none left while its event loop is blocked', async () => {
    await using program = new Program(2000);
    await program.start();
    const blocked = program.do({ blockMs: 60_000, times: 1 });
    await expect.poll(() => program.sleepers.commands(), { timeout: bound }).toEqual([]);
    program.kill('SIGKILL');
    expect(await blocked).toBe('the end');
  });

  it('has none left when it continues, where its shells were frozen too', async () => {
    await using program = new Program(2000);
    await program.start();
    program.stopTimer();
    expect(await program.do({ blockMs: 2500, times: 1 })).toBe('blocked');
    expect(await program.line()).toBe('exited SIGKILL');
    expect(program.sleepers.commands()).toEqual([]);
  });

  it('keeps them while it is busy, but not for so long', async () => {
    await using program = new Program(4000);
    await program.start();
    expect(await program.do({ blockMs: 1500, times: 4 })).toBe('blocked');
    await program.sleepers.are([301, 302]);
    program.kill('SIGKILL');
    await expect.poll(() => [...program.sleepers.now(), ...program.shells], { timeout: bound }).toEqual([]);
  });
});
