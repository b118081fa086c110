import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';

const program = fileURLToPath(new URL('fixtures/one-of-two-processes.ts', import.meta.url));

/** A process, and what it has written. */
class Running implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #child: ChildProcessWithoutNullStreams;

  constructor(folder: string, how: 'finishes' | 'hangs') {
    const args = ['--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program, folder, how];
    this.#child = spawn(process.execPath, args);
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.lines.push(line));
    this.#child.stderr.on('data', (text: Buffer) => this.lines.push(`error: ${text.toString()}`));
  }

  async has(...lines: readonly string[]): Promise<void> {
    const check = (): void => {
      const missing = lines.filter((line) => !this.lines.includes(line));
      if (missing.length > 0) throw new Error(`${missing.join(', ')} is not in: ${this.lines.join(', ')}`);
    };
    await vi.waitFor(check, { timeout: 20_000, interval: 20 });
  }

  send(text: string): void {
    this.#child.stdin.write(`${text}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

const ran = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.startsWith('runs '));

describe('Two processes over one folder', () => {
  it('take each other’s messages; when one is killed, the other runs what it left, in the same order', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'hexagent-two-'));
    try {
      await using killed = new Running(folder, 'hangs');
      await killed.has('ready');
      killed.send('first');
      await killed.has('runs first');
      await using other = new Running(folder, 'finishes');
      await other.has('ready');
      other.send('second');
      await other.has('accepted elsewhere second');
      killed.send('third');
      await killed.has('accepted here third');
      other.send('fourth');
      await other.has('accepted elsewhere fourth');
      await killed[Symbol.asyncDispose]();
      await other.has('completed second', 'completed fourth');
      expect(ran(killed.lines)).toEqual(['runs first']);
      expect(ran(other.lines)).toEqual(['runs first', 'runs second', 'runs third', 'runs fourth']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('report to each other sooner than they would find out by themselves', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'hexagent-two-'));
    try {
      await using driving = new Running(folder, 'finishes');
      await driving.has('ready');
      driving.send('first');
      await driving.has('completed first');
      await using other = new Running(folder, 'finishes');
      await other.has('ready');
      const began = performance.now();
      const texts = Array.from({ length: 10 }, (_, index) => `more ${index}`);
      for (const text of texts) {
        other.send(text);
        await other.has(`completed ${text}`);
      }
      // Each takes two seconds where the signals do not arrive.
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(ran(driving.lines).slice(1)).toEqual(texts.map((text) => `runs ${text}`));
      expect(ran(other.lines)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
