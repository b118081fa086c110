import { SdkError, type Connection } from '@hexagent/ports';
import { linkedTransport, microtasks, plainLaunch } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';

async function linked(): Promise<{ connection: Connection; agent: ReturnType<typeof linkedTransport>['agent'] }> {
  const { transport, agent } = linkedTransport();
  return { connection: await transport.connect(plainLaunch()), agent };
}

async function lines(connection: Connection): Promise<string[]> {
  const all: string[] = [];
  for await (const batch of connection.frames) all.push(...batch);
  return all;
}

describe('A linked transport', () => {
  it('gives the agent its launch', async () => {
    const { transport, agent } = linkedTransport();
    expect(agent.launch).toBeUndefined();
    await transport.connect(plainLaunch({ args: ['--verbose'] }));
    expect(agent.launch?.args).toEqual(['--verbose']);
    expect(await agent.launched).toBe(agent.launch);
  });

  it('delivers each write of the agent as one batch, and everything before the exit', async () => {
    const { connection, agent } = await linked();
    agent.writeLines(['one', 'two']);
    agent.write({ type: 'three' });
    agent.exit();
    const batches: (readonly string[])[] = [];
    for await (const batch of connection.frames) batches.push(batch);
    expect(batches).toEqual([['one', 'two'], ['{"type":"three"}']]);
    expect(await connection.exit).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      closed: false,
      unterminated: undefined,
    });
  });

  it('keeps lines that the agent writes during a pause, and delivers them as one batch', async () => {
    const { connection, agent } = await linked();
    connection.pause();
    expect(agent.paused).toBe(true);
    agent.writeLines(['one']);
    agent.writeLines(['two']);
    expect(agent.unread).toEqual(['one', 'two']);
    connection.resume();
    expect(agent.unread).toEqual([]);
    agent.exit();
    expect(await lines(connection)).toEqual(['one', 'two']);
  });

  it('finds frames of the SDK, earlier or later ones, each once', async () => {
    const { connection, agent } = await linked();
    await connection.send('{"type":"user","n":1}');
    await connection.send('{"type":"user","n":2}');
    const interrupt = agent.next('interrupt');
    expect(await agent.next('user')).toMatchObject({ n: 1 });
    expect(await agent.next((frame) => frame['n'] === 2)).toMatchObject({ n: 2 });
    await connection.send('{"type":"control_request","request_id":"r","request":{"subtype":"interrupt"}}');
    expect(await interrupt).toMatchObject({ request_id: 'r' });
    expect(agent.received).toHaveLength(3);
  });

  it('rejects next() when the frame can no longer arrive', async () => {
    const { connection, agent } = await linked();
    const waiting = agent.next('user');
    await connection.end();
    await expect(waiting).rejects.toThrow('wrote no user');
    await expect(agent.next('user')).rejects.toThrow('wrote no user');
  });

  it('keeps send() pending while the agent does not read, and ends its input only after those lines', async () => {
    const { connection, agent } = await linked();
    agent.stopReading();
    let sent = false;
    const sending = connection.send('{"type":"user"}').then(() => (sent = true));
    const ending = connection.end();
    await microtasks();
    expect([sent, agent.lines.length, agent.inputEnded]).toEqual([false, 0, false]);
    agent.startReading();
    await Promise.all([sending, ending]);
    expect([agent.lines.length, agent.inputEnded]).toEqual([1, true]);
  });

  it('rejects pending send() calls when the agent exits', async () => {
    const { connection, agent } = await linked();
    agent.stopReading();
    const sending = connection.send('{}');
    agent.exit({ code: 1 });
    await expect(sending).rejects.toSatisfy((error) => SdkError.is(error) && error.code === 'CHANNEL_CLOSED');
    await connection.end();
  });

  it('ends an agent that does not exit at the end of its input, and keeps the exit of one that does', async () => {
    const staying = await linked();
    await staying.connection.close();
    expect(await staying.connection.exit).toMatchObject({ code: 143, closed: true });
    const leaving = await linked();
    leaving.agent.onInputEnd(() => leaving.agent.exit({ code: 0, stderr: 'bye' }));
    await leaving.connection.close();
    expect(await leaving.connection.exit).toMatchObject({ code: 0, stderr: 'bye', closed: true });
  });

  it('gives each connection an agent of its own', async () => {
    const { transport, agents } = linkedTransport((agent) => agent.writeLines([String(agent.launch?.cwd)]));
    const first = await transport.connect(plainLaunch({ cwd: 'a' }));
    const second = await transport.connect(plainLaunch({ cwd: 'b' }));
    for (const agent of agents) agent.exit();
    expect([await lines(first), await lines(second)]).toEqual([['a'], ['b']]);
    expect(agents).toHaveLength(2);
  });

  it('turns an agent function that throws into an agent that exits with the error', async () => {
    const { transport } = linkedTransport(async () => {
      throw new Error('script is wrong');
    });
    const connection = await transport.connect(plainLaunch());
    expect((await connection.exit).stderr).toContain('script is wrong');
  });
});
