import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { CallbackAttack } from './callbacks.ts';

/** Runs in a process of its own, which an unhandled rejection or an uncaught exception would end. */
async function run<T>(fixture: string): Promise<T> {
  const path = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const args = ['--no-warnings', '--conditions=@hexagent/source', path];
  const bounds = { maxBuffer: 64 * 1024 * 1024, timeout: 220_000, killSignal: 'SIGKILL' } as const;
  const { stdout } = await promisify(execFile)(process.execPath, args, bounds);
  return JSON.parse(stdout) as T; // what the fixture prints
}

describe('A callback that does anything', () => {
  it('ends no program, hangs no conversation, and is called in every run', { timeout: 240_000 }, async () => {
    const { runs, unreached, complaints } = await run<CallbackAttack>('odd-callbacks.ts');
    expect(complaints).toEqual([]);
    expect(unreached).toEqual([]);
    expect(runs).toBeGreaterThan(5000);
  });
});

describe('A promise of the SDK that is not awaited', () => {
  it('is no unhandled rejection, however the conversation ends', async () => {
    const { calls } = await run<{ calls: number }>('left-alone.ts');
    expect(calls).toBeGreaterThan(300);
  });
});
