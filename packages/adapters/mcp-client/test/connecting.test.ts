import { describe, expect, it, vi } from 'vitest';
import { hello, notes, openSession, started } from './dialling.ts';
import { polling, watched } from './watched.ts';
import { reach } from './web.ts';

vi.setConfig({ testTimeout: 60_000 }); // a bound for real processes on a busy machine, never waited for

describe('A server that does not introduce itself', () => {
  it('in time is given up, with its last words', async () => {
    const { clock, options } = watched();
    await using dialled = await notes(['silent', 'complaining'], { ...options, connectTimeoutMs: 5000 });
    const { ask } = openSession(dialled.server);
    const answer = ask('initialize', hello);
    await started(dialled);
    clock.advance(5000);
    expect(await answer).toHaveProperty(
      'error.message',
      expect.stringMatching(
        /^The MCP server notes did not introduce itself within 5000 ms\. Then it has ended with .* It last wrote: waiting for the ink$/s,
      ),
    );
    expect(dialled.server.status).toMatchObject({ state: 'failed' });
  });

  it('in time by HTTP is given up', async () => {
    const { clock, options } = watched();
    const asked = Promise.withResolvers<void>();
    await using reached = await reach(() => asked.resolve(), { ...options, connectTimeoutMs: 5000 });
    const answer = openSession(reached.server).ask('initialize', hello);
    await asked.promise;
    clock.advance(5000);
    expect(await answer).toHaveProperty(
      'error.message',
      'The MCP server notes did not introduce itself within 5000 ms.',
    );
    await expect.poll(() => reached.web.open(), polling).toBe(0);
  });
});

describe('connect()', () => {
  it('makes the connection that the first session then uses', async () => {
    await using dialled = await notes();
    await dialled.server.connect();
    expect(dialled.server.status).toMatchObject({
      state: 'connected',
      introduction: { serverInfo: { name: 'notes' } },
    });
    const { ask, session } = openSession(dialled.server);
    expect(await ask('initialize', hello)).toHaveProperty('result.serverInfo.name', 'notes');
    expect(await dialled.pids()).toHaveLength(1);
    await session.close();
    expect(dialled.server.status).toEqual({ state: 'idle' });
  });

  it('rejects with the reason, and tries again when it is called again', async () => {
    await using dialled = await notes(['dying']);
    const message = 'The MCP server notes has ended with code 3. It last wrote: cannot reach the café';
    expect(dialled.server.failure()).toBeUndefined();
    await expect(dialled.server.connect()).rejects.toMatchObject({ code: 'MCP_SERVER_FAILED', message });
    expect(dialled.server.failure()).toMatchObject({ why: message, exit: { code: 3 } });
    await expect(dialled.server.connect()).rejects.toMatchObject({ code: 'MCP_SERVER_FAILED' });
    expect(await dialled.pids()).toHaveLength(2);
  });

  it('rejects when the server is closed meanwhile', async () => {
    await using dialled = await notes(['silent']);
    const connecting = dialled.server.connect();
    const outcome = expect(connecting).rejects.toMatchObject({
      code: 'MCP_SERVER_FAILED',
      message: 'The MCP server notes was closed.',
    });
    await started(dialled);
    await dialled.server.close();
    await outcome;
  });
});
