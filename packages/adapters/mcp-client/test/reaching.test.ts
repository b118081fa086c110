import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { external, type AuthProvider } from '../src/index.ts';
import { expectEcho, hello, notes, openSession } from './dialling.ts';
import { notesHandler, olderNotesHandler, reach, startWeb } from './web.ts';

vi.setConfig({ testTimeout: 60_000 }); // a bound for a busy machine, never waited for

describe.each([
  ['standard streams', () => notes()],
  ['streamable HTTP', () => reach(notesHandler(), { type: 'http' })],
  ['server-sent events', () => reach(olderNotesHandler(), { type: 'sse' })],
] as const)('A server that uses %s', (_, start) => {
  it('is introduced to the agent in its own words, and the agent to it', async () => {
    await using reached = await start();
    const { ask, send, call } = openSession(reached.server);
    expect(await ask('initialize', hello, { id: '1fc1a771:0' })).toMatchObject({
      jsonrpc: '2.0',
      id: '1fc1a771:0',
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true }, resources: {}, logging: {} },
        serverInfo: { name: 'notes', version: '3' },
        instructions: 'Take notes.',
      },
    });
    expect(await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
    // The agent's other capabilities cannot be relayed, so the server does not receive them.
    const { introduction } = JSON.parse(await call('look')) as { introduction: unknown };
    expect(introduction).toEqual({ ...hello, capabilities: {} });
  });

  it('is listed and called as it is: nothing is lost on the way', async () => {
    await using reached = await start();
    const { ask, call } = openSession(reached.server);
    await expectEcho({ ask, call });
    expect(await ask('tools/call', { name: 'boom' }, { id: 5 })).toMatchObject({ id: 5, error: { message: 'kaboom' } });
  });

  it('reports progress under the token that the agent chose, and notifies every agent of what changed', async () => {
    await using reached = await start();
    const [one, two] = [openSession(reached.server), openSession(reached.server)];
    await one.call('report', {}, { progressToken: 'mine' });
    expect(await one.next()).toMatchObject({ params: { progressToken: 'mine', progress: 1, total: 2 } });
    await one.call('announce');
    for (const { next } of [one, two])
      expect(await next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });
});

describe.each([
  ['streamable HTTP', 'http', notesHandler],
  ['server-sent events', 'sse', olderNotesHandler],
] as const)('A server with a url that uses %s', (_, type, handler) => {
  it('gets the headers with each request', async () => {
    await using reached = await reach(handler(), { type, headers: { 'x-key': 'made-up-key' } });
    await openSession(reached.server).call('echo');
    expect(reached.web.requests.length).toBeGreaterThan(2);
    for (const { headers } of reached.web.requests) expect(headers['x-key']).toBe('made-up-key');
  });

  it('that cannot be reached is reported with the cause', async () => {
    const web = await startWeb(handler());
    await web.stop();
    const server = external({ name: 'notes', url: `${web.url}?key=made-up-key`, type });
    expect(await openSession(server).ask('initialize', hello)).toMatchObject({
      error: {
        code: -32000,
        message: expect.stringMatching(/^The MCP server notes cannot be reached: connect ECONNREFUSED/),
      },
    });
    await server.close();
  });

  it('that never answers is left when its session is closed', async () => {
    await using reached = await reach(() => {}, { type });
    const { ask, session } = openSession(reached.server);
    const answer = ask('initialize', hello);
    await expect.poll(() => reached.web.requests.length, { timeout: 20_000 }).toBe(1);
    await session.close();
    expect(await answer).toMatchObject({ error: { code: -32000 } });
    await expect.poll(() => reached.web.open(), { timeout: 20_000 }).toBe(0);
  });
});

describe('external() with a url', () => {
  it('is reached by the fetch it was given', async () => {
    const urls: string[] = [];
    const own = async (url: string | URL, init?: RequestInit): Promise<Response> => {
      urls.push(String(url));
      return await fetch(url, init);
    };
    await using reached = await reach(notesHandler(), { fetch: own });
    expect(await openSession(reached.server).call('echo')).toBe('{}');
    expect(urls).toContain(reached.web.url);
  });

  it('#28 is not held to the five minutes that Node gives a server that is silent', async () => {
    // Where the fetch of Node keeps what sends for it; what is there is used, as a proxy of the program would be.
    const place = Symbol.for('undici.globalDispatcher.1');
    await fetch('data:,'); // loads it
    const original = Reflect.get(globalThis, place) as { dispatch(options: object, handler: unknown): boolean };
    const limits: unknown[] = [];
    const observed = {
      dispatch(
        options: { readonly headersTimeout?: number; readonly bodyTimeout?: number },
        handler: unknown,
      ): boolean {
        limits.push([options.headersTimeout, options.bodyTimeout]);
        return original.dispatch(options, handler);
      },
    };
    Reflect.set(globalThis, place, observed);
    try {
      await using reached = await reach(notesHandler());
      expect(await openSession(reached.server).call('echo')).toBe('{}');
    } finally {
      Reflect.set(globalThis, place, original);
    }
    expect(limits.length).toBeGreaterThan(2);
    for (const limit of limits) expect(limit).toEqual([0, 0]);
  });

  it('notifies the server that its session has ended', async () => {
    await using reached = await reach(notesHandler());
    const { call, session } = openSession(reached.server);
    await call('echo');
    await session.close();
    expect(reached.web.requests.at(-1)).toMatchObject({ method: 'DELETE' });
  });

  it('takes a provider of the MCP SDK', () => {
    expectTypeOf<OAuthClientProvider>().toExtend<AuthProvider>();
  });

  it.each<[string, object]>([
    ['`external(notes).url` must be an http: or https: address, not another one.', { url: 'ftp://127.0.0.1/' }],
    ['`external(notes).url` must be an http: or https: address, not another one.', { url: 'nonsense' }],
    ['`external(notes).url` must be an http: or https: address, not a number.', { url: 5 }],
    [
      '`external(notes).url` holds a user or a password; give them in headers',
      { url: 'https://me:made-up@127.0.0.1/' },
    ],
    ['`external(notes)` has a command and a url', { url: 'http://127.0.0.1/', command: 'x' }],
    ['`external(notes).type` must be one of "http", "sse", not "ws".', { url: 'http://127.0.0.1/', type: 'ws' }],
    ['`external(notes).headers.a` must be a string, not a number.', { url: 'http://127.0.0.1/', headers: { a: 1 } }],
    [
      '`external(notes).headers` must be a plain object',
      { url: 'http://127.0.0.1/', headers: new Headers({ a: 'b' }) },
    ],
    ['`external(notes).headers` must be a plain object', { url: 'http://127.0.0.1/', headers: new Map([['a', 'b']]) }],
    [
      '`external(notes).headers.x-key` has a name or a value that cannot be sent.',
      { url: 'http://127.0.0.1/', headers: { 'x-key': 'made-up\nkey' } },
    ],
    [
      '`external(notes).authProvider` must be an object with the method tokens',
      { url: 'http://127.0.0.1/', authProvider: {} },
    ],
    [
      '`external(notes)` has an authProvider and a header authorization',
      { url: 'http://127.0.0.1/', authProvider: { tokens: () => {} }, headers: { Authorization: 'Bearer made-up' } },
    ],
    ['`external(notes).fetch` must be a function, not a string.', { url: 'http://127.0.0.1/', fetch: 'fetch' }],
    ['`external(notes).args` is not known.', { url: 'http://127.0.0.1/', args: [] }],
    ['`external(notes).header` is not known. Did you mean `headers`?', { url: 'http://127.0.0.1/', header: {} }],
  ])('throws for options that it could not use: %s', (message, options) => {
    const make = (): unknown => external({ name: 'notes', ...options } as never);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow('made-up');
  });
});
