import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { external, type ExternalServer } from '@hexagent/mcp-client';
import type { McpServerStatus, Warning } from '@hexagent/ports';
import { createSdk, openSession, type Session } from '@hexagent/sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { published } from './servers-of-others.ts';
import { greeting } from './servers.ts';

const polling = { timeout: 30_000, interval: 20 };

async function open(
  place: Stage,
  server: ExternalServer,
  onWarning: (warning: Warning) => void = () => {},
): Promise<Session> {
  const { name } = server;
  const permissions = { allow: [`mcp__${name}`] };
  return await createSdk({ onWarning }).openSession({ ...place.options, tools: [{ [name]: server }], permissions });
}

const statusOf = async (session: Session): Promise<readonly McpServerStatus[]> =>
  (await session.request('mcp_status')).mcpServers;

async function listen(listener: RequestListener): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

withCli('A server that this process dials', () => {
  it('that ended is there again for the same session, with the tools that it has now', async () => {
    await using place = await stage([
      toolUse('mcp__growing__die', {}),
      'It died.',
      toolUse('mcp__growing__tool2', {}),
      'Done.',
    ]);
    const program = fileURLToPath(new URL('fixtures/growing-server.mjs', import.meta.url));
    const args = [program, join(place.home.cwd, 'starts')];
    const states: string[] = [];
    const growing = external({
      name: 'growing',
      command: process.execPath,
      args,
      onStatus: ({ state }) => states.push(state),
    });
    const warnings: Warning[] = [];
    await using session = await open(place, growing, (warning) => warnings.push(warning));
    await session.send('die').result;
    expect(JSON.stringify(place.loopback.requests)).toContain('has ended with code 4. It last wrote: too tired');
    await expect
      .poll(() => statusOf(session), polling)
      .toMatchObject([{ tools: [{}, { name: 'tool1' }, { name: 'tool2' }] }]);
    expect(await statusOf(session)).toMatchObject([{ status: 'connected' }]);
    expect((await statusOf(session))[0]).not.toHaveProperty('error');
    await session.send('go on').result;
    expect(JSON.stringify(place.loopback.requests.at(-1))).toContain('tool2 at start 2');
    expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connecting', 'connected']);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['HEXAGENT_SERVER_FAILED', expect.stringContaining('code 4. It last wrote: too tired')],
    ]);
  });

  it('#59 keeps its secrets from the agent: they are not in its command line, its environment, its files or a warning', async () => {
    const secrets = ['made-up-header-secret', 'made-up-query-secret'];
    await using web = await listen((request, response) => {
      response.writeHead(403).end(`No: ${String(request.headers['x-key'])} ${request.url}`);
    });
    await using place = await stage(['Done.']);
    const url = `${web.url}?key=${secrets[1]}`;
    const tickets = external({ name: 'tickets', url, headers: { 'x-key': `${secrets[0]}` } });
    const warnings: Warning[] = [];
    await using session = await open(place, tickets, (warning) => warnings.push(warning));
    const { pid } = await session.ready;
    await session.send('go').result;
    const seen = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${String(pid)}/${file}`, 'utf8').catch(() => '')),
    );
    // Elsewhere than on Linux they cannot be read like this.
    expect(process.platform === 'linux' && seen.includes('')).toBe(false);
    const reason = 'The MCP server tickets answered HTTP 403: No: [redacted] /mcp?key=[redacted]';
    const status = await statusOf(session);
    expect(status).toMatchObject([{ status: 'failed', error: reason }]);
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_SERVER_FAILED', message: expect.stringContaining(reason) }]);
    const all = JSON.stringify([seen, status, warnings, place.loopback.requests, tickets.status]);
    for (const secret of secrets) expect(all).not.toContain(secret);
  });

  it('#13 is there in the first turn, when it was connected before', async () => {
    await using place = await stage(callOnce('mcp__everything__get-sum', { a: 19, b: 23 }));
    const everything = external({ name: 'everything', ...published('everything', 'stdio') });
    await everything.connect();
    await using session = await open(place, everything);
    const outcome = await session.send('go').result;
    expect(outcome).toMatchObject({ text: expect.stringContaining('The sum of 19 and 23 is 42.') });
  });

  it('#13 and needs a person to act is reported to the program before the first turn', async () => {
    await using web = await listen((_, response) => void response.writeHead(401).end('Who are you?'));
    const tickets = external({ name: 'tickets', url: web.url });
    await expect(tickets.connect()).rejects.toMatchObject({ code: 'MCP_AUTH_NEEDED' });
    expect(tickets.status).toMatchObject({ state: 'auth', httpStatus: 401 });
    await using place = await stage(['Done.']);
    await using session = await open(place, tickets);
    await session.send('go').result;
    expect(await statusOf(session)).toMatchObject([{ status: 'failed', error: expect.stringContaining('HTTP 401') }]);
    await expect(session.mcp.ready()).rejects.toMatchObject({
      servers: [{ state: 'needs-auth', httpStatus: 401, error: expect.stringContaining('HTTP 401') }],
    });
  });

  it('#13 and could not start is there for the sessions that saw it failing, once it is connected', async () => {
    await using place = await stage(callOnce('mcp__late__greet', { name: 'Ann' }));
    const program = join(place.home.cwd, 'late.mjs');
    const late = external({ name: 'late', command: process.execPath, args: [program] });
    const warnings: Warning[] = [];
    await using one = await open(place, late, (warning) => warnings.push(warning));
    await using other = await open(place, late);
    for (const session of [one, other]) await expect(session.mcp.ready()).rejects.toThrow('late is failed');
    const greeting = new URL('../fixtures/greeting-server.mjs', import.meta.url).href;
    await writeFile(program, `await import(${JSON.stringify(greeting)})`);
    await late.connect();
    for (const session of [one, other]) {
      const states = async (): Promise<unknown> =>
        (await session.mcp.status()).map(({ state, error }) => [state, error]);
      await expect.poll(states, polling).toEqual([['connected', undefined]]);
      expect(await session.send('go').result).toMatchObject({ text: expect.stringContaining('Hello Ann') });
    }
    expect(warnings.map(({ code }) => code)).toEqual(['HEXAGENT_SERVER_FAILED']);
  });

  it('stays off where it was turned off, although it is connected meanwhile', async () => {
    await using place = await stage();
    const program = join(place.home.cwd, 'late.mjs');
    const late = external({ name: 'late', command: process.execPath, args: [program] });
    await using session = await open(place, late);
    await expect(session.mcp.ready()).rejects.toThrow('late is failed');
    await session.mcp.toggle('late', false);
    const greeting = new URL('../fixtures/greeting-server.mjs', import.meta.url).href;
    await writeFile(program, `await import(${JSON.stringify(greeting)})`);
    await late.connect();
    // What the connection made the SDK ask comes before the second question.
    await session.mcp.status();
    expect(await session.mcp.status()).toMatchObject([{ name: 'late', state: 'disabled' }]);
    await session.mcp.toggle('late', true);
    expect(await session.mcp.ready()).toMatchObject([{ state: 'connected' }]);
  });

  it('#28 may work for longer than a limit of its transport, and its progress keeps a limit of ours from ending it', async () => {
    await using place = await stage(
      callOnce('mcp__everything__trigger-long-running-operation', { duration: 1.5, steps: 10 }),
    );
    const everything = external({
      name: 'everything',
      ...published('everything', 'stdio'),
      tools: { timeoutMs: 1000 },
    });
    await using session = await open(place, everything);
    const outcome = await session.send('go').result;
    expect(outcome).toMatchObject({ text: expect.stringContaining('Long running operation completed') });
  });
});

withCli('A stdio server that we dial', () => {
  it('is named by its key in `tools`, not by the name that it was given', async () => {
    await using place = await stage(callOnce('mcp__welcome__greet', { name: 'you' }));
    await using session = await openSession({
      ...place.options,
      tools: [{ welcome: greeting() }],
      permissions: { allow: ['mcp__welcome'] },
    });
    expect(await session.send('go').result).toMatchObject({
      text: expect.stringContaining('The tool said: Hello you'),
    });
  });
});
