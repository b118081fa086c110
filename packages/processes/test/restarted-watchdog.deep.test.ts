import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { readFamily } from '../src/proc.ts';
import { Watchdog } from '../src/watchdog.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

const children = (): readonly number[] =>
  readFamily(process.pid)
    .filter(({ parent }) => parent === process.pid)
    .map(({ pid }) => pid);

describe.runIf(process.platform === 'linux')('A watchdog that was killed', () => {
  it('is started again, however many bytes its lines have', async () => {
    const before = children();
    const started = (): number | undefined => children().find((pid) => !before.includes(pid));
    const watchdog = new Watchdog();
    const ids = Array.from({ length: 30 }, () => randomUUID().replaceAll('-', ''));
    // 45,000 characters, and 135,000 bytes: more than Linux takes in one variable.
    for (const id of ids) watchdog.watch({ id, leftovers: 'end', folder: `/nowhere/${'夜'.repeat(1500)}` });
    await expect.poll(started, { timeout: 20_000 }).toBeDefined();
    const first = started() ?? Number.NaN;
    process.kill(first, 'SIGKILL');
    await expect.poll(() => started() ?? first, { timeout: 20_000 }).not.toBe(first);
    for (const id of ids) watchdog.forget(id);
    await expect.poll(started, { timeout: 20_000 }).toBeUndefined();
  });
});
