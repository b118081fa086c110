import { CliTransport } from '@hexagent/cli-transport';
import { processesMentioning, survivors } from '@hexagent/testing/cli';
import { describe, expect, it, vi } from 'vitest';
import { launch } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

describe('#26 Connecting that is aborted', () => {
  it('before it begins starts nothing and keeps the reason', async () => {
    const reason = new Error('The person left.');
    const transport = new CliTransport({ executable: '/nowhere/claude' });
    // Not even looked for: an abort is no missing agent.
    const connecting = transport.connect(launch(), { signal: AbortSignal.abort(reason) });
    await expect(connecting).rejects.toMatchObject({ name: 'AbortError', cause: reason });
  });

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

  it('is aborted by its own signal only: a later abort is left to the owner of the connection', async () => {
    const aborting = new AbortController();
    const connection = await new CliTransport({ executable: '/bin/cat' }).connect(launch(), {
      signal: aborting.signal,
    });
    aborting.abort();
    await connection.send('{"still":1}');
    expect(await connection.frames[Symbol.asyncIterator]().next()).toEqual({ done: false, value: ['{"still":1}'] });
    await connection.close();
  });
});
