import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { processTable } from '../src/process-table.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 90_000 });

/** A process with a mark in the midst of its environment. */
function sleeper(): { readonly pid: number; kill(): boolean } {
  const env = { PATH: process.env['PATH'], A: 'x'.repeat(100_000), HEXAGENT_AGENT: 'outer:ours', SHLVL: '7' };
  const child = spawn('sleep', ['300'], { stdio: 'ignore', env });
  return { pid: child.pid ?? Number.NaN, kill: () => child.kill('SIGKILL') };
}

describe('What carries a mark is found', () => {
  it.skipIf(process.platform !== 'linux')('in /proc, at once and later', async () => {
    const child = sleeper();
    const table = processTable('linux');
    const expected = {
      pid: child.pid,
      parent: process.pid,
      origin: { marks: ['outer', 'ours'], shell: 'SHLVL=7,_=' },
    };
    try {
      const found = [table.now?.marked() ?? [], await table.marked()].map((all) =>
        all.find(({ pid }) => pid === child.pid),
      );
      expect(found).toEqual([expect.objectContaining(expected), expect.objectContaining(expected)]);
    } finally {
      child.kill();
    }
  });

  it.skipIf(!existsSync('/proc/self/environ'))('by `ps`, where it is asked as on macOS', async () => {
    await using folder = await temporaryFolder();
    const path = process.env['PATH'];
    // The same question in the words of the `ps` of Linux.
    await folder.file('ps', `#!/bin/sh\n[ "$2" = -E ] && shift 3 && exec /bin/ps axeww "$@"\nexec /bin/ps "$@"\n`);
    process.env['PATH'] = `${folder.path}:${path}`;
    const child = sleeper();
    try {
      const found = (await processTable('darwin').marked()).find(({ pid }) => pid === child.pid);
      expect(found).toMatchObject({ parent: process.pid, origin: { marks: ['outer', 'ours'] } });
    } finally {
      child.kill();
      process.env['PATH'] = path;
    }
  });
});
