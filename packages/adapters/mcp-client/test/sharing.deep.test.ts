import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { gone, hello, notes, openSession, started } from './dialling.ts';

const run = promisify(execFile);

vi.setConfig({ testTimeout: 90_000 }); // a bound for real processes on a busy machine, never waited for

describe('One connection', () => {
  it('is not opened before an agent sends something', async () => {
    await using dialled = await notes();
    openSession(dialled.server);
    expect(await dialled.pids()).toEqual([]);
  });

  it('stays while a session is open, and ends with the last one', async () => {
    await using dialled = await notes();
    const [one, two] = [openSession(dialled.server), openSession(dialled.server)];
    await one.call('echo');
    await one.session.close();
    expect(await two.call('echo')).toBe('{}');
    expect(await dialled.alive()).toHaveLength(1);
    await two.session.close();
    await two.session.close();
    expect(await dialled.alive()).toEqual([]);
  });

  it('is made anew for a session that comes later', async () => {
    await using dialled = await notes();
    for (let count = 1; count <= 2; count += 1) {
      const { call, session } = openSession(dialled.server);
      expect(await call('echo')).toBe('{}');
      await session.close();
      expect(await dialled.pids()).toHaveLength(count);
    }
    expect(await dialled.alive()).toEqual([]);
  });

  it('ends for all when the server is closed', async () => {
    await using dialled = await notes();
    const { ask, next, session } = openSession(dialled.server);
    const waiting = ask('tools/call', { name: 'wait', _meta: { progressToken: 1 } });
    await next();
    await dialled.server.close();
    await dialled.server.close();
    expect(await waiting).toMatchObject({
      error: { code: -32000, message: 'The session of the MCP server notes is closed.' },
    });
    expect(await dialled.alive()).toEqual([]);
    expect(await ask('initialize', hello)).toMatchObject({ error: { code: -32000 } });
    await session.close();
  });

  it('of one session that is closed answers what it still waits for, and leaves the others theirs', async () => {
    await using dialled = await notes();
    const [one, two] = [openSession(dialled.server), openSession(dialled.server)];
    const ours = one.ask('tools/call', { name: 'wait', _meta: { progressToken: 1 } });
    const theirs = two.ask('tools/call', { name: 'wait', _meta: { progressToken: 1 } }, { id: 'w' });
    await Promise.all([one.next(), two.next()]);
    await one.session.close();
    expect(await ours).toHaveProperty('error.code', -32000);
    expect(await two.next()).toMatchObject({ params: { data: 'stopped waiting' } }); // our call, in the server
    expect(await two.call('echo')).toBe('{}');
    await two.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } });
    expect(await theirs).toHaveProperty('error.code', -32800);
  });
});

describe('A server that ends by itself', () => {
  it('is reported with the end of its error stream to pending requests and to later ones', async () => {
    await using dialled = await notes();
    const { ask, call } = openSession(dialled.server);
    const message = 'The MCP server notes has ended with code 3. It last wrote: out of ink';
    expect(await ask('tools/call', { name: 'crash' })).toMatchObject({ error: { code: -32000, message } });
    await expect(call('echo')).rejects.toThrow(message);
  });

  it('because it was killed is reported with the signal', async () => {
    await using dialled = await notes();
    const { ask, call, next } = openSession(dialled.server);
    await call('echo');
    const waiting = ask('tools/call', { name: 'wait', _meta: { progressToken: 1 } });
    await next();
    for (const pid of await dialled.pids()) process.kill(pid, 'SIGKILL');
    const message = 'The MCP server notes has ended with signal SIGKILL. It wrote nothing to its error stream.';
    expect(await waiting).toMatchObject({ error: { code: -32000, message } });
  });

  it('is reported with its reason also to requests made when it reads no more', async () => {
    await using dialled = await notes(['deaf']);
    const { call } = openSession(dialled.server);
    await call('echo');
    await expect(call('echo')).rejects.toThrow('The MCP server notes has ended with');
  });

  it('is started again when an agent reconnects', async () => {
    await using dialled = await notes();
    const { ask, call } = openSession(dialled.server);
    await ask('tools/call', { name: 'crash' });
    expect(await ask('initialize', hello)).toHaveProperty('result.serverInfo.name', 'notes');
    expect(await call('echo')).toBe('{}');
    expect(await dialled.pids()).toHaveLength(2);
  });
});

describe('A server that does not end', () => {
  it('and has not even answered is killed, not left behind', async () => {
    await using dialled = await notes(['stubborn', 'silent']);
    const { ask, session } = openSession(dialled.server);
    const answer = ask('initialize', hello);
    await started(dialled);
    await session.close();
    expect(await answer).toMatchObject({ error: { code: -32000 } });
    await gone(dialled);
  });

  it('does not outlive a program that leaves without closing it', async () => {
    await using dialled = await notes(['stubborn']);
    const program = fileURLToPath(new URL('fixtures/leaves-early.mjs', import.meta.url));
    await run(process.execPath, ['--conditions=@hexagent/source', program, ...dialled.args]);
    expect(await dialled.pids()).toHaveLength(1);
    await gone(dialled);
  });

  it('does not outlive a program that is killed, although it ignores the end of its input and SIGTERM', async () => {
    await using dialled = await notes(['stubborn']);
    const program = fileURLToPath(new URL('fixtures/stays.mjs', import.meta.url));
    const child = spawn(process.execPath, ['--conditions=@hexagent/source', program, ...dialled.args]);
    await once(child.stdout, 'data');
    expect(await dialled.alive()).toHaveLength(1);
    child.kill('SIGKILL');
    await gone(dialled);
  });

  it('leaves nothing behind that it started itself, once it is closed', async () => {
    await using dialled = await notes(['stubborn', 'forking']);
    const { call, session } = openSession(dialled.server);
    await call('echo');
    await expect.poll(() => dialled.alive(), { timeout: 20_000 }).toHaveLength(2);
    await session.close();
    expect(await dialled.alive()).toEqual([]);
  });

  it('leaves no listener behind', async () => {
    const before = process.listenerCount('exit');
    await using dialled = await notes();
    const { call, session } = openSession(dialled.server);
    await call('echo');
    expect(process.listenerCount('exit')).toBe(before + 1);
    await session.close();
    expect(process.listenerCount('exit')).toBe(before);
  });
});
