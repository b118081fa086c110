import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { processesMentioning } from '@hexagent/testing/cli';
import { vi } from 'vitest';

/** Finds the `sleep`s of one test among all that runs, by a variable that its agent and everything below it carries. */
export class Sleepers implements AsyncDisposable {
  readonly #marker = `hexagent-run-${randomUUID()}`;
  /** For the environment of the agent. */
  readonly env: Readonly<Record<string, string>> = { HEXAGENT_TEST_RUN: this.#marker };

  /** Everything that runs, the agent included. */
  commands(): readonly string[] {
    return this.#processes().map(({ command }) => command);
  }

  /** How long each of them sleeps. */
  now(): readonly number[] {
    return this.commands()
      .map((command) => /^(?:\S*\/)?sleep (\d+)$/.exec(command)?.[1])
      .filter((seconds) => seconds !== undefined)
      .map(Number)
      .toSorted((one, other) => one - other);
  }

  /** Resolves when these are there: a tool that was started takes its time to start what it starts. */
  async are(seconds: readonly number[]): Promise<void> {
    await vi.waitFor(() => assert.deepEqual(this.now(), seconds), { timeout: 20_000, interval: 20 });
  }

  /** Ends whatever a test leaves on purpose, or by mistake. */
  async [Symbol.asyncDispose](): Promise<void> {
    // What starts another process at this moment is found in the next round.
    for (let rounds = 0; rounds < 100; rounds += 1) {
      const left = this.#processes();
      if (left.length === 0) return;
      for (const { pid } of left) endNow(pid);
      await new Promise(setImmediate);
    }
  }

  #processes(): ReturnType<typeof processesMentioning> {
    return processesMentioning(this.#marker);
  }
}

/** Ways in which a tool that finishes leaves something running. */
export const background = {
  'with nohup': 'nohup sleep 301 >/dev/null 2>&1 &',
  'in a session of its own': 'setsid sleep 301 >/dev/null 2>&1 &',
  'after forking twice': '(setsid sh -c "sleep 301 & exec sleep 302" >/dev/null 2>&1 &)',
} as const;

export function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
