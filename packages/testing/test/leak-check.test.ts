import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { leakCheck, type LeakCheck } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';

/** Other processes of this machine may have files of ours as well. */
const temporaryPrefix = `hexagent-leak-check-${process.pid}-`;

/** Expects that `left` is reported after `open`, and no longer after `close`. */
async function seen(
  leaks: LeakCheck,
  left: RegExp,
  { open, close }: { open: () => unknown; close: () => unknown },
): Promise<void> {
  await open();
  expect(leaks.leftovers().join('\n')).toMatch(left);
  await close();
  await leaks.verify();
}

describe('A leak check', () => {
  it('finds nothing where nothing was done', async () => {
    const leaks = leakCheck({ temporaryPrefix });
    await leaks.verify();
    expect(leaks.leftovers()).toEqual([]);
  });

  it('does not report the pipe of an output that is written to for the first time', async () => {
    const testing = new URL('../src/index.ts', import.meta.url).href;
    const program = `const { leakCheck } = await import(${JSON.stringify(testing)});
      const leaks = leakCheck({ temporaryPrefix: ${JSON.stringify(temporaryPrefix)} });
      console.log('first');
      console.error('first');
      const left = leaks.leftovers();
      console.log(JSON.stringify(left));`;
    const args = ['--conditions=@hexagent/source', '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe('first\n[]\n');
  });

  it('reports a child process until it has ended', async () => {
    const leaks = leakCheck({ temporaryPrefix });
    let child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await seen(leaks, /child process \d+: .*setInterval/, {
      open: () => (child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])),
      close: () => child.kill('SIGKILL'),
    });
  });

  it('reports a handle that keeps the process alive', async () => {
    const server = createServer();
    await seen(leakCheck({ temporaryPrefix }), /active resource TCPServerWrap/, {
      open: async () => await once(server.listen(0, '127.0.0.1'), 'listening'),
      close: () => server.close(),
    });
  });

  it.skipIf(process.platform !== 'linux')('reports an open file by its name', async () => {
    let fd = -1;
    await seen(leakCheck({ temporaryPrefix }), /open file \d+: .*leak-check\.test\.ts/, {
      open: () => (fd = openSync(import.meta.filename, 'r')),
      close: () => closeSync(fd),
    });
  });

  it('reports a listener on process', async () => {
    const listener = (): void => {};
    await seen(leakCheck({ temporaryPrefix }), /listener on process for SIGUSR2/, {
      open: () => process.on('SIGUSR2', listener),
      close: () => process.off('SIGUSR2', listener),
    });
  });

  it('reports a listener on a signal', async () => {
    const { signal } = new AbortController();
    const listener = (): void => {};
    await seen(leakCheck({ temporaryPrefix, signals: [signal] }), /listener on signal 1/, {
      open: () => signal.addEventListener('abort', listener),
      close: () => signal.removeEventListener('abort', listener),
    });
  });

  it('reports a temporary file', async () => {
    let folder = '';
    await seen(leakCheck({ temporaryPrefix }), /temporary file hexagent-leak-check-/, {
      open: async () => (folder = await mkdtemp(join(tmpdir(), temporaryPrefix))),
      close: async () => await rm(folder, { recursive: true }),
    });
  });

  it('reports only what there is more of than before', async () => {
    const listener = (): void => {};
    process.on('SIGUSR2', listener);
    const leaks = leakCheck({ temporaryPrefix });
    process.on('SIGUSR2', listener);
    process.on('SIGUSR2', listener);
    expect(leaks.leftovers()).toEqual(['2 × listener on process for SIGUSR2']);
    process.removeAllListeners('SIGUSR2');
  });

  it('rejects with a list of what is still left', async () => {
    const leaks = leakCheck({ temporaryPrefix, withinMs: 50 });
    const listener = (): void => {};
    process.on('SIGUSR2', listener);
    await expect(leaks.verify()).rejects.toThrow('Still there after 50 ms:\n- listener on process for SIGUSR2');
    process.off('SIGUSR2', listener);
  });
});
