import { HandClock } from '@hexagent/testing';
import { describe, expect, it, vi } from 'vitest';
import { external, type ServerStatus } from '../src/index.ts';
import { code, MemoryProvider, startGuarded, type Guarded } from './authorisation.ts';
import { hello, openSession } from './dialling.ts';
import { json, rawHandler, reach, startWeb } from './web.ts';

vi.setConfig({ testTimeout: 60_000 }); // a bound for a busy machine, never waited for

interface SignIn extends AsyncDisposable {
  readonly guarded: Guarded;
  readonly provider: MemoryProvider;
  readonly server: ReturnType<typeof external>;
  readonly statuses: ServerStatus[];
}

async function guardedServer(): Promise<SignIn> {
  const guarded = await startGuarded();
  const provider = new MemoryProvider(guarded);
  const statuses: ServerStatus[] = [];
  const server = external({
    name: 'notes',
    url: guarded.notes.url,
    authProvider: provider,
    headers: { 'x-key': 'made-up-key' },
    onStatus: (status) => statuses.push(status),
  });
  return {
    guarded,
    provider,
    server,
    statuses,
    async [Symbol.asyncDispose]() {
      await server.close();
      await guarded[Symbol.asyncDispose]();
    },
  };
}

const why = 'The MCP server notes needs a person to let this client in.';

describe('A server that needs a person to sign in', () => {
  it('reports where, and is connected when the person comes back with a code', async () => {
    await using place = await guardedServer();
    const { guarded, provider, server } = place;
    await expect(server.connect()).rejects.toMatchObject({ code: 'MCP_AUTH_NEEDED', message: why });
    expect(server.status).toMatchObject({ state: 'auth', why, httpStatus: 401, url: String(provider.pages[0]) });
    expect(String(provider.pages[0])).toContain(`${new URL(guarded.issuer.url).origin}/authorize?`);
    await server.finishAuth(code);
    expect(server.status).toMatchObject({ state: 'connected' });
    const { ask, call } = openSession(server);
    expect(await ask('initialize', hello)).toHaveProperty('result.serverInfo.name', 'notes');
    expect(await call('echo')).toBe('{}');
    expect(guarded.grants).toEqual(['authorization_code']);
  });

  it('is reported to an agent at once, and to no other origin are the headers of the program sent', async () => {
    await using place = await guardedServer();
    const { guarded, server } = place;
    expect(await openSession(server).ask('initialize', hello)).toMatchObject({ error: { code: -32000, message: why } });
    await server.finishAuth(code);
    expect(guarded.issuer.requests.map(({ path }) => path)).toContain('/token');
    for (const { headers } of guarded.issuer.requests) expect(headers).not.toHaveProperty('x-key');
    for (const { headers } of guarded.notes.requests) expect(headers['x-key']).toBe('made-up-key');
  });

  it('sends a person to one page, whatever number of agents asks meanwhile, so that the code of that page counts', async () => {
    await using place = await guardedServer();
    const { server, provider } = place;
    const agents = [openSession(server), openSession(server)];
    for (const { ask } of [...agents, ...agents])
      expect(await ask('initialize', hello)).toHaveProperty('error.message', why);
    expect(provider.pages).toHaveLength(1);
    await server.finishAuth(code);
    expect(await agents[0]?.call('echo')).toBe('{}');
  });

  it('is reported as one that works to the agents that it had refused', async () => {
    await using place = await guardedServer();
    const { server } = place;
    const agents = [openSession(server), openSession(server), openSession(server)];
    for (const { ask } of agents.slice(1)) await ask('initialize', hello);
    expect(server.failure()).toMatchObject({ why, httpStatus: 401, auth: { url: String(place.provider.pages[0]) } });
    await server.finishAuth(code);
    expect(agents.map(({ notices }) => notices)).toEqual([[], ['recovered'], ['recovered']]);
    for (const { ask } of agents)
      expect(await ask('initialize', hello)).toHaveProperty('result.serverInfo.name', 'notes');
    expect(agents.map(({ notices }) => notices)).toEqual([[], ['recovered'], ['recovered']]);
  });

  it('is tried again by connect(), as when the program has got tokens in another way', async () => {
    await using place = await guardedServer();
    const { server, provider } = place;
    await expect(server.connect()).rejects.toThrow(why);
    await expect(server.connect()).rejects.toThrow(why);
    expect(provider.pages).toHaveLength(2);
  });

  it('refuses a wrong code without repeating it, and another can be tried', async () => {
    await using place = await guardedServer();
    const { server } = place;
    await expect(server.connect()).rejects.toThrow(why);
    const refusal = server.finishAuth('a-wrong-code');
    await expect(refusal).rejects.toMatchObject({ code: 'MCP_AUTH_NEEDED' });
    await expect(refusal).rejects.not.toThrow('a-wrong-code');
    await server.finishAuth(code);
    expect(server.status).toMatchObject({ state: 'connected' });
  });

  it('has nothing to finish before it began', async () => {
    await using place = await guardedServer();
    await expect(place.server.finishAuth(code)).rejects.toMatchObject({ code: 'MCP_AUTH_NEEDED' });
    await expect(place.server.finishAuth('')).rejects.toThrow(TypeError);
  });
});

describe('A token that has expired', () => {
  it('is refreshed once for all calls that were refused, and none of them fails', async () => {
    await using place = await guardedServer();
    const { guarded, server, provider, statuses } = place;
    await server.connect().catch(() => {});
    await server.finishAuth(code);
    const agents = Array.from({ length: 20 }, () => openSession(server));
    await Promise.all(agents.map(({ ask }) => ask('initialize', hello)));
    guarded.expire();
    expect(await Promise.all(agents.map(({ call }) => call('echo')))).toEqual(agents.map(() => '{}'));
    expect(guarded.grants).toEqual(['authorization_code', 'refresh_token']);
    expect(provider.pages).toHaveLength(1);
    expect(statuses.at(-1)).toMatchObject({ state: 'connected' });
  });

  it('when the stream breaks on which the server reports is refreshed once, and the stream is there again', async () => {
    await using place = await guardedServer();
    const { guarded, server } = place;
    await server.connect().catch(() => {});
    await server.finishAuth(code);
    const { call, next } = openSession(server);
    await call('echo');
    const tokens = (): unknown[] =>
      guarded.notes.requests.flatMap(({ method, headers }) => (method === 'GET' ? [headers.authorization] : []));
    await expect.poll(tokens, { timeout: 30_000 }).toContain('Bearer made-up-access-1');
    guarded.expire();
    guarded.cutStreams();
    await expect.poll(tokens, { timeout: 30_000 }).toContain('Bearer made-up-access-2');
    expect(guarded.grants).toEqual(['authorization_code', 'refresh_token']);
    await call('announce');
    expect(await next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('and cannot be refreshed sends a person to one page, and the sessions continue afterwards', async () => {
    await using place = await guardedServer();
    const { guarded, server, provider } = place;
    await server.connect().catch(() => {});
    await server.finishAuth(code);
    const agents = Array.from({ length: 20 }, () => openSession(server));
    await Promise.all(agents.map(({ ask }) => ask('initialize', hello)));
    guarded.revoke();
    const answers = await Promise.all(agents.map(({ ask }) => ask('tools/call', { name: 'echo' })));
    for (const answer of answers) expect(answer).toMatchObject({ error: { code: -32000, message: why } });
    expect(provider.pages).toHaveLength(2);
    expect(server.status).toMatchObject({ state: 'auth', url: String(provider.pages[1]) });
    await server.finishAuth(code);
    expect(await agents[0]?.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(await agents[0]?.call('echo')).toBe('{}');
    expect(agents[0]?.notices).toEqual([why, 'recovered']);
    expect(provider.pages).toHaveLength(2);
    expect(JSON.stringify([answers, agents.map(({ notices }) => notices)])).not.toContain('made-up');
  });
});

describe('A server that issues no tokens', () => {
  it('and never answers is given up, and so are all calls that wait for it', async () => {
    const clock = new HandClock();
    const asked = Promise.withResolvers<void>();
    await using silent = await startWeb(() => asked.resolve());
    await using guarded = await startGuarded();
    const authProvider = new MemoryProvider(guarded);
    await using reached = await reach(
      (request, response) => {
        if (request.url !== '/metadata')
          return response
            .writeHead(401, {
              'www-authenticate': `Bearer resource_metadata="${reached.web.url.replace('/mcp', '/metadata')}"`,
            })
            .end();
        return json(response, { resource: reached.web.url, authorization_servers: [new URL(silent.url).origin] });
      },
      { authProvider, clock },
    );
    const answer = openSession(reached.server).ask('initialize', hello);
    await asked.promise;
    clock.advance(30_000);
    expect(await answer).toHaveProperty('error.message', expect.stringContaining('nothing came within 30000 ms'));
  });
});

describe('A server that refuses credentials that cannot be renewed', () => {
  it('is reported with its status: a person has to give others', async () => {
    await using reached = await reach((_, response) => response.writeHead(401).end('Who is made-up-key?'), {
      headers: { 'x-key': 'made-up-key' },
    });
    const message = 'The MCP server notes answered HTTP 401: Who is [redacted]?';
    expect(await openSession(reached.server).ask('initialize', hello)).toHaveProperty('error.message', message);
    expect(reached.server.status).toEqual({
      state: 'auth',
      why: message,
      httpStatus: 401,
      url: undefined,
      exit: undefined,
      error: undefined,
    });
  });

  it('after it had worked, is reported to the program once', async () => {
    await using reached = await reach(rawHandler((_, response) => response.writeHead(401).end('No more')));
    const { ask, notices } = openSession(reached.server);
    await ask('initialize', hello);
    const message = 'The MCP server notes answered HTTP 401: No more';
    expect(await ask('tools/list')).toHaveProperty('error.message', message);
    expect(await ask('tools/list')).toHaveProperty('error.message', message);
    expect(notices).toEqual([message]);
    expect(reached.server.status).toMatchObject({ state: 'auth' });
  });
});
