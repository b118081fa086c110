import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { PosixEnding } from '../src/ending.ts';
import { processTable } from '../src/process-table.ts';
import { ProcessTree } from '../src/process-tree.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

describe.runIf(process.platform === 'linux')('Where reading all processes takes too long', () => {
  it('an agent that ignores everything is killed', async () => {
    const stubborn = `trap '' TERM; echo up; while :; do sleep 0.05; done`;
    const child = spawn('/bin/sh', ['-c', stubborn], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      await once(child.stdout, 'data');
      const never = (): Promise<never> => new Promise(() => {});
      const table = { ...processTable('linux'), all: never, marked: never };
      const tree = new ProcessTree({ root: child.pid ?? 0, id: 'nobody', table, onNumberFreed: () => {} });
      const exited = once(child, 'exit');
      void new PosixEnding(tree, 'end').end(
        () => child.stdin.end(),
        exited.then(() => tree.rootEnded()),
      );
      expect(await exited).toEqual([null, 'SIGKILL']);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
