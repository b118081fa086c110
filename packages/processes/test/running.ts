import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { readEntry } from '../src/proc.ts';
import { trySignal } from '../src/process-tree.ts';

/** The path of a small program in `fixtures/`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

/** Waits until none of the processes runs, at most `withinMs`, and returns those that still do. */
export async function survivors(pids: readonly number[], withinMs: number): Promise<readonly number[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const left = pids.filter((pid) => readEntry(pid) !== undefined);
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(10); // the end of a process that is not our child can only be polled
  }
}

/** Finds the `sleep`s of one test among all that runs, by a variable that its program and everything below it carries. */
export class Sleepers implements AsyncDisposable {
  readonly #marker = `hexagent-run-${randomUUID()}`;
  /** For the environment of the program. */
  readonly env: Readonly<Record<string, string>> = { HEXAGENT_TEST_RUN: this.#marker };

  /** How long each of them sleeps. */
  now(): readonly number[] {
    return this.#pids()
      .map((pid) => /^(?:\S*\/)?sleep (\d+)$/.exec(read(pid, 'cmdline').replaceAll('\0', ' ').trim())?.[1])
      .filter((seconds) => seconds !== undefined)
      .map(Number)
      .toSorted((one, other) => one - other);
  }

  /** Resolves when only these are left: what was killed takes its time to end on a busy machine. */
  async leave(seconds: readonly number[]): Promise<void> {
    await this.are(seconds);
  }

  /** Resolves when these are there: a tool that was started takes its time to start what it starts. */
  async are(seconds: readonly number[]): Promise<void> {
    await vi.waitFor(() => assert.deepEqual(this.now(), seconds), { timeout: 20_000, interval: 20 });
  }

  /** Ends whatever a test leaves on purpose, or by mistake. */
  async [Symbol.asyncDispose](): Promise<void> {
    // What starts another process at this moment is found in the next round.
    for (let rounds = 0; rounds < 100; rounds += 1) {
      const left = this.#pids();
      if (left.length === 0) return;
      for (const pid of left) trySignal(pid, 'SIGKILL');
      await new Promise(setImmediate);
    }
  }

  #pids(): readonly number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid && read(pid, 'environ').includes(this.#marker))
      .filter((pid) => readEntry(pid) !== undefined);
  }
}

function read(pid: number, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // it has ended meanwhile, or belongs to another user
  }
}
