import { CliTransport } from '@hexagent/cli-transport';
import { describe, expect, it, vi } from 'vitest';
import { agent, fixture, launch } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

const closed = { code: 'CHANNEL_CLOSED' };

describe('A line that is sent', () => {
  it('#32 arrives whole after another one, although it is longer than the pipe', async () => {
    const { transport } = agent('echoing.mjs');
    const connection = await transport.connect(launch());
    const long = JSON.stringify({ text: 'é'.repeat(5_000_000) });
    void connection.send('{"first":true}');
    void connection.send(long);
    void connection.end();
    const lines: string[] = [];
    for await (const batch of connection.frames) lines.push(...batch);
    expect(lines).toEqual(['{"first":true}', long]);
  });

  it('#6 to an agent that dies meanwhile is refused, and nothing is thrown elsewhere', async () => {
    const transport = new CliTransport({ executable: '/bin/sh' });
    const connection = await transport.connect(launch({ args: ['-c', 'read line; kill -9 $$'] }));
    const sending = [connection.send('go'), connection.send('x'.repeat(10_000_000))];
    const [first, second] = await Promise.allSettled(sending);
    // Both travel in one write, which the agent did not take whole.
    expect([first?.status, second?.status]).toEqual(['rejected', 'rejected']);
    await expect(connection.send('more')).rejects.toMatchObject(closed);
    expect(await connection.exit).toMatchObject({ code: null, signal: 'SIGKILL', closed: false });
  });

  it('to an agent that closed its input is refused, while the agent continues', async () => {
    const transport = new CliTransport({ executable: '/bin/sh' });
    const connection = await transport.connect(launch({ args: ['-c', 'exec <&-; echo closed; sleep 0.2; echo on'] }));
    const frames = connection.frames[Symbol.asyncIterator]();
    expect((await frames.next()).value).toEqual(['closed']);
    await expect(connection.send('{}')).rejects.toMatchObject(closed);
    expect((await frames.next()).value).toEqual(['on']);
    expect(await connection.exit).toMatchObject({ code: 0 });
  });

  it('is released when the agent is gone but its grandchild still holds the pipe', async () => {
    const transport = new CliTransport({ executable: fixture('writing.mjs') });
    const connection = await transport.connect(launch());
    await connection.send('{"stay":true,"exit":0}');
    await expect(connection.send('x'.repeat(10_000_000))).rejects.toMatchObject(closed);
    await connection.exit;
  });
});
