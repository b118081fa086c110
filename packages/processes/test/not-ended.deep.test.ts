import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { PosixEnding, type Ending } from '../src/ending.ts';
import { ProcessConnection } from '../src/process-connection.ts';
import type { ProcessEntry } from '../src/process-entry.ts';
import type { ProcessTable } from '../src/process-table.ts';
import { ProcessTree } from '../src/process-tree.ts';
import { fixture } from './running.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

function connectionTo(child: ReturnType<typeof spawnAgent>, ending: Ending, onGone: () => void): ProcessConnection {
  return new ProcessConnection(child, {
    ending,
    maxLineBytes: 1024,
    stderrTailBytes: 1024,
    probesInput: false,
    onFirstOutput: () => {},
    onExit: () => Promise.resolve(),
    onGone,
    released: () => Promise.resolve(),
  });
}

function spawnAgent() {
  return spawn(process.execPath, [fixture('stubborn.mjs')], { detached: true });
}

/** No signal of ours ends it: it belongs to another user. */
function endingInVain(pid: number): Ending {
  return {
    inputEnds: () => {},
    end: (endInput) => {
      endInput();
      return Promise.resolve([pid]);
    },
    kill: () => Promise.resolve([pid]),
    sweep: () => Promise.resolve([pid]),
    sweepCutOff: () => Promise.resolve([]),
    now: () => {},
  };
}

describe('An agent that cannot be ended', () => {
  it('is let go by close(), and named in the exit', async () => {
    const child = spawnAgent();
    const pid = child.pid ?? Number.NaN;
    let isForgotten = false;
    const connection = connectionTo(child, endingInVain(pid), () => (isForgotten = true));
    await once(child.stdout, 'data');
    await connection.close();
    expect(await connection.exit).toEqual({ code: null, signal: null, closed: true, stderr: '', notEnded: [pid] });
    expect([isForgotten, child.exitCode, child.signalCode]).toEqual([true, null, null]);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });

  it('is named in the exit when it has left and something that it started has not', async () => {
    const child = spawnAgent();
    const connection = connectionTo(child, endingInVain(4711), () => {});
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    expect(await connection.exit).toMatchObject({ signal: 'SIGKILL', closed: false, notEnded: [4711] });
    await connection.close();
  });

  it('is given up after 2.4 s at most, together with what it started', async () => {
    const root = 2_000_000_000;
    const entry: ProcessEntry = { pid: root, parent: 1, group: root, session: root, began: '1' };
    const entries = [entry, { ...entry, pid: root + 1, parent: root }];
    const read = (): Promise<readonly ProcessEntry[]> => Promise.resolve(entries);
    const table: ProcessTable = { all: read, marked: () => Promise.resolve([]), family: read };
    const tree = new ProcessTree({ root, id: 'x', table, onNumberFreed: () => {} });
    const began = performance.now();
    const never = new Promise<void>(() => {});
    expect(await new PosixEnding(tree).end(() => {}, never)).toEqual([root, root + 1]);
    // The rest is for a machine that is busy.
    expect(performance.now() - began).toBeLessThan(4000);
  });
});
