import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { heartbeatScript } from '../src/heartbeat-script.ts';
import { endAgentsWhenFrozen } from '../src/index.ts';
import { readFamily } from '../src/proc.ts';
import { Watchdog } from '../src/watchdog.ts';
import { watchdogScript } from '../src/watchdog-script.ts';
import { survivors } from './running.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

const poll = { timeout: 20_000 };
const shells = ['/bin/dash', '/bin/bash', '/bin/busybox'].map((shell) => [shell, existsSync(shell)] as const);
const childrenOf = (parent: number | undefined): readonly number[] =>
  readFamily(parent ?? 0)
    .filter((entry) => entry.parent === parent)
    .map(({ pid }) => pid);

function start(shell: string, script: string, env: NodeJS.ProcessEnv = {}) {
  const args = shell.endsWith('busybox') ? ['sh', '-c', script] : ['-c', script];
  const stdio = ['pipe', 'ignore', 'ignore', 'pipe'] as const;
  const child = spawn(shell, args, { detached: true, env: { ...process.env, ...env }, stdio: [...stdio] });
  const output = child.stdio[3] as Readable; // of a pipe that it writes to
  return {
    child,
    pid: child.pid ?? 0,
    send: (text: string) => child.stdin?.write(text),
    end: () => child.stdin?.end(),
    output,
  };
}

/** Of the one `sleep` of a timer. */
function sleeping(timer: number): readonly number[] {
  return childrenOf(timer)
    .flatMap(childrenOf)
    .filter((pid) => isSleep(pid));
}

function isSleep(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('sleep\0');
  } catch {
    return false; // it has ended meanwhile
  }
}

describe.runIf(process.platform === 'linux').each(shells)('In %s', (shell, isHere) => {
  it.runIf(isHere)('a timer reports the last beat when no further one came, and does not end', async () => {
    const timer = start(shell, heartbeatScript, { AFTER: '1' });
    timer.send('7\n8\n');
    expect(String(await once(timer.output, 'data'))).toBe('late 8\n');
    expect(await survivors([timer.pid], 0)).toEqual([timer.pid]);
    timer.end();
    await once(timer.child, 'exit');
  });

  it.runIf(isHere)('each beat replaces the timer, and nothing is left of any when the input ends', async () => {
    const timer = start(shell, heartbeatScript, { AFTER: '301' });
    const seen: number[] = [];
    for (const beat of [1, 2, 3]) {
      timer.send(`${beat}\n`);
      await expect.poll(() => sleeping(timer.pid).filter((pid) => !seen.includes(pid)), poll).toHaveLength(1);
      expect(await survivors(seen, 20_000)).toEqual([]);
      seen.push(...sleeping(timer.pid));
    }
    const family = [timer.pid, ...childrenOf(timer.pid), ...seen];
    timer.end();
    expect(String(await once(timer.output, 'data'))).toBe('late 3\n');
    expect(await survivors(family, 20_000)).toEqual([]);
  });

  it.runIf(isHere)(
    'a watchdog ends what is listed at the `late` of the last beat alone, although its input is open',
    async () => {
      const agents = [1, 2].map(() => spawn('/bin/cat', { detached: true }).pid ?? 0);
      const ids = agents.map(() => randomUUID().replaceAll('-', ''));
      const watchdog = start(shell, watchdogScript);
      const lines = ids.map((id, at) => `new ${id} end -\npid ${id} ${agents[at]}\n`);
      watchdog.send(`${lines[0]}beat 1\nbeat 2\nlate 1\n${lines[1]}late 2\n`);
      expect(await survivors(agents, 20_000)).toEqual([]);
      await once(watchdog.child, 'exit');
    },
  );
});

describe.runIf(process.platform === 'linux')('A watchdog with a heartbeat', () => {
  it('has its timer started again when that was killed, and leaves with it', async () => {
    const before = childrenOf(process.pid);
    const shellsNow = (): readonly number[] => childrenOf(process.pid).filter((pid) => !before.includes(pid));
    const watchdog = new Watchdog();
    watchdog.endWhenFrozen(2);
    expect(shellsNow()).toEqual([]);
    watchdog.watch({ id: 'a', leftovers: 'end', folder: undefined });
    await expect.poll(() => shellsNow().flatMap(childrenOf), poll).toHaveLength(1);
    const [dog, timer = 0] = shellsNow();
    process.kill(timer, 'SIGKILL');
    await expect.poll(() => shellsNow().filter((pid) => pid !== timer), poll).toHaveLength(2);
    expect(shellsNow()).toContain(dog);
    watchdog.forget('a');
    await expect.poll(shellsNow, poll).toEqual([]);
  });

  it('ends with its timer when it is killed, and both are started again', async () => {
    const before = childrenOf(process.pid);
    const shellsNow = (): readonly number[] => childrenOf(process.pid).filter((pid) => !before.includes(pid));
    const watchdog = new Watchdog();
    watchdog.watch({ id: 'a', leftovers: 'end', folder: undefined });
    watchdog.endWhenFrozen(2);
    const first = shellsNow();
    expect(first).toHaveLength(2);
    process.kill(first[0] ?? 0, 'SIGKILL');
    expect(await survivors(first, 20_000)).toEqual([]);
    await expect.poll(shellsNow, poll).toHaveLength(2);
    watchdog.forget('a');
    await expect.poll(shellsNow, poll).toEqual([]);
  });
});

describe('The time after which a process counts as frozen', () => {
  it.each([1999, Number.NaN, Infinity, '5000'])('is refused where it is %s', (afterMs) => {
    // As a program without types passes it.
    expect(() => endAgentsWhenFrozen({ afterMs: afterMs as number })).toThrow(TypeError);
  });
});
