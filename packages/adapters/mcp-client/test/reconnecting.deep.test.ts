import { HandClock } from '@hexagent/testing';
import { describe, expect, it, vi } from 'vitest';
import { external, type ExternalServer, type ServerStatus } from '../src/index.ts';
import { hello, notes, openSession } from './dialling.ts';
import { connected, polling, watched } from './watched.ts';
import { bodyOf, json, notesHandler, rawHandler, reach, startWeb, textResult } from './web.ts';

vi.setConfig({ testTimeout: 60_000 }); // a bound for real processes on a busy machine, never waited for

const listChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

describe('A connection by HTTP that breaks', () => {
  it('answers what is under way with the reason, and is made again with growing pauses', async () => {
    const { clock, states, options } = watched();
    await using web = await startWeb(notesHandler());
    const server = external({ name: 'notes', url: web.url, ...options });
    const { ask, call, next, notices } = openSession(server);
    await ask('initialize', hello);
    const waiting = ask('tools/call', { name: 'wait', _meta: { progressToken: 1 } });
    await next();
    await web.stop();
    expect(await waiting).toMatchObject({
      error: { code: -32000, message: expect.stringContaining('did not answer') },
    });
    await expect.poll(() => states.at(-1), polling).toBe('1/5 in 500');
    expect(server.status).toMatchObject({ state: 'reconnecting', why: expect.stringContaining('ECONNREFUSED') });
    await expect(call('echo')).rejects.toThrow('ECONNREFUSED');
    expect(notices).toEqual([expect.stringContaining('ECONNREFUSED')]);
    clock.advance(500);
    await expect.poll(() => states.at(-1), polling).toBe('2/5 in 1000');
    await using again = await startWeb(notesHandler(), Number(new URL(web.url).port));
    clock.advance(1000);
    expect(await next()).toEqual(listChanged);
    expect(await call('echo')).toBe('{}');
    expect(states).toEqual([
      'connecting',
      'connected',
      '1/5 in 500',
      'connecting',
      '2/5 in 1000',
      'connecting',
      'connected',
    ]);
    expect(notices.at(-1)).toBe('recovered');
    expect(again.requests.filter(({ method }) => method === 'POST').length).toBe(3);
    await server.close();
    expect(states.at(-1)).toBe('idle');
    expect(clock.waiting).toBe(0);
  });

  it('is given up after the attempts it was given, and tried again for a session that introduces itself', async () => {
    const { clock, states, options } = watched();
    await using web = await startWeb(notesHandler());
    const server = external({
      name: 'notes',
      url: web.url,
      ...options,
      reconnect: { attempts: 3, delayMs: 10, maxDelayMs: 15 },
    });
    const { ask, call } = openSession(server);
    await ask('initialize', hello);
    await web.stop();
    await expect(call('echo')).rejects.toThrow('ECONNREFUSED');
    for (const pause of ['1/3 in 10', '2/3 in 15', '3/3 in 15']) {
      await expect.poll(() => states.at(-1), polling).toBe(pause);
      clock.advance(15);
    }
    await expect.poll(() => states.at(-1), polling).toBe('failed');
    await expect.poll(() => clock.waiting, polling).toBe(0); // the farewell to the server has its own limit
    await using _ = await startWeb(notesHandler(), Number(new URL(web.url).port));
    expect(await ask('initialize', hello)).toHaveProperty('result.serverInfo.name', 'notes');
    expect(await call('echo')).toBe('{}');
    await server.close();
  });

  it('is not made again when it is not needed any more', async () => {
    const { clock, states, options } = watched();
    await using web = await startWeb(notesHandler());
    const server = external({ name: 'notes', url: web.url, ...options });
    const { ask, call, session } = openSession(server);
    await ask('initialize', hello);
    await web.stop();
    await expect(call('echo')).rejects.toThrow('ECONNREFUSED');
    await expect.poll(() => states.at(-1), polling).toBe('1/5 in 500');
    await session.close();
    expect(states.at(-1)).toBe('idle');
    await expect.poll(() => clock.waiting, polling).toBe(0); // the farewell to the server has its own limit
  });

  it('stays broken with `reconnect: false`', async () => {
    const { clock, states, options } = watched();
    await using web = await startWeb(notesHandler());
    const server = external({ name: 'notes', url: web.url, ...options, reconnect: false });
    const { ask, call } = openSession(server);
    await ask('initialize', hello);
    await web.stop();
    await expect(call('echo')).rejects.toThrow('ECONNREFUSED');
    await expect.poll(() => states.at(-1), polling).toBe('failed');
    await expect.poll(() => clock.waiting, polling).toBe(0); // the farewell to the server has its own limit
    await server.close();
  });

  it('for one request only is no break: the others continue', async () => {
    const { states, options } = watched();
    const handler = rawHandler(({ id, method, params }, response) => {
      if (method === 'ping')
        return json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'No ping here.' } });
      if ((params as { name: string }).name === 'cut') return response.destroy();
      return json(response, textResult(id, 'fine'));
    });
    await using reached = await reach(handler, options);
    const { ask, call } = openSession(reached.server);
    await ask('initialize', hello);
    await expect(call('cut')).rejects.toThrow('The MCP server notes cannot be reached: ');
    expect(await call('x')).toBe('fine');
    expect(states).toEqual(['connecting', 'connected']);
  });

  it('because the server answers no more is noticed when a request fails', async () => {
    const { clock, states, options } = watched();
    const pinged = Promise.withResolvers<void>();
    const handler = rawHandler(({ method }, response) => (method === 'ping' ? pinged.resolve() : response.destroy()));
    await using reached = await reach(handler, options);
    const { ask, call } = openSession(reached.server);
    await ask('initialize', hello);
    await expect(call('cut')).rejects.toThrow('cannot be reached');
    await pinged.promise;
    clock.advance(10_000);
    await expect.poll(() => states.at(-1), polling).toBe('1/5 in 500');
    expect(reached.server.status).toMatchObject({ why: expect.stringContaining('does not answer any more') });
  });
});

describe('A listener of the status', () => {
  it.each([
    ['closes the server', async (server: ExternalServer) => await server.close(), 'idle', 1],
    ['connects it at once', async (server: ExternalServer) => await server.connect(), 'connected', 2],
  ] as const)('that %s when it breaks has the last word', async (_, act, state, starts) => {
    const clock = new HandClock();
    const dialledServers: ExternalServer[] = [];
    const onStatus = (status: ServerStatus): void => {
      if (status.state === 'reconnecting') for (const server of dialledServers) void act(server);
    };
    await using dialled = await notes([], { clock, onStatus });
    dialledServers.push(dialled.server);
    const { ask, call } = openSession(dialled.server);
    await ask('initialize', hello);
    await expect(call('crash')).rejects.toThrow(/out of ink|closed/);
    await expect.poll(() => dialled.server.status.state, polling).toBe(state);
    expect(clock.waiting).toBe(0);
    expect(await dialled.pids()).toHaveLength(starts);
  });
});

describe('A server that has forgotten the session', () => {
  it.each([
    [404, 'Session not found'],
    [400, 'Bad Request: No valid session ID provided'],
  ])('is introduced anew, and asked again what it had refused: HTTP %i', async (status, words) => {
    const { states, options } = watched();
    const introductions: unknown[] = [];
    const executed: unknown[] = [];
    const knows = new Set<unknown>();
    const handler = rawHandler(({ id }, response, request) => {
      if (!knows.has(request.headers['mcp-session-id'])) return response.writeHead(status).end(words);
      executed.push(id);
      return json(response, textResult(id, 'fine'));
    });
    await using reached = await reach(async (request, response) => {
      if (request.method !== 'POST' || request.headers['mcp-session-id'] !== undefined)
        return handler(request, response);
      const { id } = await bodyOf(request);
      const session = `s${introductions.push(id)}`;
      knows.add(session);
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'raw', version: '1' },
      };
      return json(response, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': session });
    }, options);
    const { ask, call, next } = openSession(reached.server);
    await ask('initialize', hello);
    expect(await call('x')).toBe('fine');
    knows.clear();
    expect(await call('x')).toBe('fine');
    expect(await next()).toEqual(listChanged);
    expect(introductions).toHaveLength(2);
    expect(executed).toHaveLength(2);
    expect(states).toEqual(['connecting', 'connected', '1/5 in 0', 'connecting', 'connected']);
  });

  it('and forgets each new one at once is not introduced for ever', async () => {
    const { states, options } = watched();
    await using reached = await reach(
      rawHandler((_, response) => response.writeHead(404).end('Session not found')),
      {
        ...options,
        reconnect: { attempts: 2 },
      },
    );
    const { ask, call } = openSession(reached.server);
    await ask('initialize', hello);
    await expect(call('x')).rejects.toThrow('answered HTTP 404: Session not found');
    expect(states).toEqual(['connecting', 'connected', '1/2 in 0', 'connecting', 'connected', '2/2 in 1000']);
  });
});

describe('A program that ends by itself', () => {
  it('is started again after a pause, and requests meanwhile fail with the reason', async () => {
    const { clock, states, options } = watched();
    await using dialled = await notes([], options);
    const { ask, call, next, notices } = openSession(dialled.server);
    await ask('initialize', hello);
    const why = 'The MCP server notes has ended with code 3. It last wrote: out of ink';
    await expect(call('crash')).rejects.toThrow(why);
    await expect(call('echo')).rejects.toThrow(why);
    expect(dialled.server.status).toMatchObject({
      state: 'reconnecting',
      why,
      exit: { code: 3, stderr: 'out of ink\n' },
    });
    clock.advance(500);
    expect(await next()).toEqual(listChanged);
    expect(await call('echo')).toBe('{}');
    expect(states).toEqual(['connecting', 'connected', '1/5 in 500', 'connecting', 'connected']);
    expect(notices).toEqual([why, 'recovered']);
    expect(await dialled.pids()).toHaveLength(2);
  });

  it('each time that it is called is not started for ever', async () => {
    const { clock, states, options } = watched();
    await using dialled = await notes([], { ...options, reconnect: { attempts: 2, delayMs: 1 } });
    const { ask, call } = openSession(dialled.server);
    await ask('initialize', hello);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(call('crash')).rejects.toThrow('out of ink');
      clock.advance(10);
      await connected(dialled.server);
    }
    await expect(call('crash')).rejects.toThrow('out of ink');
    expect(states.at(-1)).toBe('failed');
    expect(clock.waiting).toBe(0);
  });

  it('after it worked for a while has all its attempts again', async () => {
    const { clock, states, options } = watched();
    await using dialled = await notes([], { ...options, reconnect: { attempts: 1, delayMs: 1, maxDelayMs: 1000 } });
    const { ask, call } = openSession(dialled.server);
    await ask('initialize', hello);
    for (let count = 1; count <= 3; count += 1) {
      clock.advance(1000);
      await expect(call('crash')).rejects.toThrow('out of ink');
      expect(states.at(-1)).toBe('1/1 in 1');
      clock.advance(1);
      await connected(dialled.server);
    }
  });
});
