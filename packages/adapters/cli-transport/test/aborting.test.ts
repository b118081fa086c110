import { CliTransport } from '@hexagent/cli-transport';
import { processesMentioning, survivors } from '@hexagent/testing/cli';
import { describe, expect, it, vi } from 'vitest';
import { launch } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

describe('#26 Connecting that is aborted', () => {
  it('at any moment leaves no process behind', async () => {
    const marker = `hexagent-marker-${process.pid}-${Math.random()}`;
    const transport = new CliTransport({ executable: '/bin/sh' });
    const left: Promise<unknown>[] = [];
    for (let turns = 0; turns < 40; turns += 1) {
      const aborting = new AbortController();
      const args = ['-c', 'exec cat', marker, { name: 'file', content: 'x' }];
      const connecting = transport.connect(launch({ args }), { signal: aborting.signal });
      left.push(
        connecting.then(
          (connection) => connection.close(),
          (error: Error) => expect(error.name).toBe('AbortError'),
        ),
      );
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      aborting.abort();
    }
    await Promise.all(left);
    expect(
      await survivors(
        processesMentioning(marker).map(({ pid }) => pid),
        1000,
      ),
    ).toEqual([]);
  });
});
