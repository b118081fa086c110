import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSdk, createSdkMcpServer, McpNotReady, SdkError, tool, toolResult } from '@hexagent/sdk';
import type { AnyServer, McpServer, Session, SessionOptions } from '@hexagent/sdk';
import { HandClock, linkedTransport, microtasks, scriptedAgent, type LinkedAgent } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';

type Controls = NonNullable<NonNullable<Parameters<typeof scriptedAgent>[0]>['controls']>;
type State = readonly [name: string, status: string, error?: string];

interface Open {
  readonly session: Session;
  readonly agent: LinkedAgent;
  readonly clock: HandClock;
  /** How many times the agent was asked. */
  readonly asked: () => number;
}

/** `states` of one round after the other; the last one stays. */
async function open(
  states: readonly (readonly State[])[],
  options: SessionOptions = {},
  controls: Controls = {},
): Promise<Open> {
  const clock = new HandClock();
  let rounds = 0;
  const status: Controls[string] = () => {
    const now = states[Math.min(rounds, states.length - 1)] ?? [];
    rounds += 1;
    return { mcpServers: now.map(([name, state, error]) => ({ name, status: state, ...(error && { error }) })) };
  };
  const { transport, agent } = linkedTransport(scriptedAgent({ controls: { mcp_status: status, ...controls } }));
  const session = await createSdk({ transport, clock, onWarning: () => {} }).openSession(options);
  await session.ready;
  return { session, agent, clock, asked: () => rounds };
}

const own = (): AnyServer =>
  createSdkMcpServer({
    name: 'own',
    tools: [tool('hi', 'd', {}, () => toolResult.text('hello')), tool('hang', 'd', {}, () => new Promise(() => {}))],
  });

/** Answers everything; only its `failure()` is in the status. */
const polite = {
  handle: async ({ id }: { readonly id?: string | number | null | undefined }) => ({
    jsonrpc: '2.0' as const,
    id,
    result: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'polite', version: '1' },
      tools: [],
    },
  }),
  close: async () => {},
};

/** Lets the pauses pass until the promise settles. */
async function pass<T>(clock: HandClock, promise: Promise<T>): Promise<T> {
  const state = { isSettled: false };
  promise.finally(() => (state.isSettled = true)).catch(() => {});
  for (let round = 0; round < 500 && !state.isSettled; round += 1) {
    await microtasks();
    clock.advance(25);
  }
  return await promise;
}

describe('session.mcp.ready()', () => {
  it('asks until all servers are connected, with growing pauses', async () => {
    const pending: readonly State[] = [['a', 'pending']];
    const { session, clock, asked } = await open([...Array.from({ length: 7 }, () => pending), [['a', 'connected']]]);
    const ready = session.mcp.ready();
    expect(await pass(clock, ready)).toEqual([{ name: 'a', state: 'connected', isHosted: false }]);
    expect(asked()).toBe(8);
    // 25 + 50 + 100 + 200 + 400 + 800 + 1000, and what passed until the answers came.
    expect(clock.now()).toBeGreaterThanOrEqual(2575);
    expect(clock.waiting).toBe(0);
    await session.close();
  });

  it.each(['failed', 'needs-auth', 'disabled'])('rejects at once for a server that is %s', async (status) => {
    const { session, clock } = await open([
      [
        ['a', status, 'no ink'],
        ['b', 'connected'],
        ['c', 'pending'],
      ],
    ]);
    const rejected = expect(session.mcp.ready({ servers: ['a', 'b', 'c'] })).rejects;
    await rejected.toMatchObject({
      code: 'MCP_NOT_READY',
      message: `MCP servers are not ready: a is ${status}: no ink; c is pending`,
      servers: [
        { name: 'a', state: status, error: 'no ink' },
        { name: 'c', state: 'pending' },
      ],
    });
    expect(clock.waiting).toBe(0);
    await session.close();
  });

  it('does not wait for what was turned off, unless it is named', async () => {
    const { session } = await open([
      [
        ['a', 'disabled'],
        ['b', 'connected'],
      ],
    ]);
    expect(await session.mcp.ready()).toMatchObject([{ name: 'b' }]);
    await session.close();
  });

  it('does not count a server as ready that failed after it was connected', async () => {
    const { session } = await open([[['a', 'connected', 'has ended']]]);
    await expect(session.mcp.ready({ timeoutMs: 0 })).rejects.toThrow('a is connected: has ended');
    await session.close();
  });

  it('rejects after its time, also when the agent does not answer at all', async () => {
    const silent: Controls = { mcp_status: () => new Promise(() => {}) };
    const { session, clock } = await open([], { tools: [{ a: { command: 'a' }, b: { command: 'b' } }] }, silent);
    const error = await pass(clock, session.mcp.ready({ servers: ['b'], timeoutMs: 100 })).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(McpNotReady);
    expect(error).toBeInstanceOf(SdkError);
    expect(error).toMatchObject({
      message: 'MCP servers are not ready after 100 ms: b is pending',
      cause: { code: 'REQUEST_TIMEOUT' },
    });
    const other = await open([[['a', 'pending']]]);
    await expect(pass(other.clock, other.session.mcp.ready({ timeoutMs: 100 }))).rejects.toThrow(
      'after 100 ms: a is pending',
    );
    expect(other.clock.now()).toBeLessThanOrEqual(200);
    await Promise.all([session.close(), other.session.close()]);
  });

  it('ends with its signal and with the session, in a pause as well', async () => {
    const { session, clock } = await open([[['a', 'pending']]]);
    const controller = new AbortController();
    const stopped = session.mcp.ready({ signal: controller.signal });
    const ended = session.mcp.ready({ timeoutMs: Infinity });
    await microtasks();
    controller.abort('enough');
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    await session.close();
    await expect(ended).rejects.toMatchObject({ code: expect.stringMatching(/CLOSED|EXITED/) });
    expect(clock.waiting).toBe(0);
  });

  it('counts servers of this process that the agent does not list yet', async () => {
    const failure = { why: 'no luck', httpStatus: 503 };
    const port: McpServer = { name: 'x', open: () => polite, failure: () => failure };
    const { session } = await open([[]], { tools: [{ mine: port }] });
    await expect(session.mcp.ready({ timeoutMs: 0 })).rejects.toMatchObject({
      servers: [{ name: 'mine', state: 'pending', error: 'no luck', httpStatus: 503, isHosted: true }],
    });
    await session.close();
  });
});

describe('session.mcp', () => {
  it('#47 ends a call of a server in this process with its time, its signal and the session', async () => {
    const { session, clock } = await open([[['own', 'connected']]], { tools: [{ own: own() }] });
    expect(await session.mcp.call('own', 'hi')).toMatchObject({ content: [{ text: 'hello' }] });
    await session.mcp.call('own', 'hi', {}, { timeoutMs: 50 });
    expect(clock.waiting).toBe(0);
    const late = session.mcp.call('own', 'hang', {}, { timeoutMs: 50 });
    await microtasks();
    clock.advance(50);
    await expect(late).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT', message: expect.stringContaining('own') });
    const signal = AbortSignal.abort('enough');
    await expect(session.mcp.call('own', 'hang', {}, { signal })).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
    });
    const cut = session.mcp.call('own', 'hang');
    await microtasks();
    await session.close();
    await expect(cut).rejects.toMatchObject({ code: expect.stringMatching(/CLOSED|REQUEST_FAILED/) });
    expect(clock.waiting).toBe(0);
  });

  it('ends a call with the session, also of a server that does not end its calls', async () => {
    const handle = async ({
      id,
      method,
    }: Parameters<typeof polite.handle>[0] & { readonly method?: string | undefined }) =>
      method === 'tools/call' ? await new Promise<never>(() => {}) : await polite.handle({ id });
    const stubborn: McpServer = { name: 'x', open: () => ({ ...polite, handle }) };
    const { session } = await open([[['mine', 'connected']]], { tools: [{ mine: stubborn }] });
    const cut = session.mcp.call('mine', 'any');
    await microtasks();
    await session.close();
    await expect(cut).rejects.toMatchObject({
      code: 'CONVERSATION_CLOSED',
      message: 'The session ended before the MCP server mine answered.',
    });
  });

  it(
    'keeps nothing of a call in this process that was answered, however many a session makes',
    { timeout: 120_000 },
    async () => {
      const program = fileURLToPath(new URL('fixtures/many-calls.mjs', import.meta.url));
      const args = ['--expose-gc', '--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } });
      expect(Number(stdout)).toBeLessThan(200);
    },
  );

  it('does not ask a server in this process that the agent has sent nothing to', async () => {
    const silent: McpServer = { name: 'x', open: () => Promise.reject(new Error('no ink')) };
    const { session } = await open([[]], { tools: [{ mine: silent }] });
    await expect(session.mcp.call('mine', 'hi')).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: 'The MCP server mine is not connected yet. no ink',
    });
    await session.close();
  });

  it('refuses to replace servers by what the agent would not see, and changes nothing then', async () => {
    const before = own();
    const { session, agent } = await open([[['own', 'connected']]], { tools: [{ own: before }] });
    await expect(session.mcp.setServers({ own: own() })).rejects.toThrow(
      '`servers.own` is another server than the one',
    );
    expect(JSON.stringify(agent.received)).not.toContain('mcp_set_servers');
    await session.close();
  });

  it('takes a server in this process also where the session was opened without one, with what it is held to', async () => {
    const change = { added: ['own'], removed: [], errors: {} };
    const { session, agent } = await open([[]], {}, { mcp_set_servers: () => Promise.resolve(change) });
    const config = { ...own(), timeout: 7, tools: [{ name: 'hi', permission_policy: 'always_ask' as const }] };
    expect(await session.mcp.setServers({ own: config })).toEqual(change);
    const { timeout, tools } = config;
    expect(agent.received.map(({ request }) => request)).toContainEqual({
      subtype: 'mcp_set_servers',
      servers: { own: { type: 'sdk', name: 'own', timeout, tools } },
    });
    expect(await session.mcp.call('own', 'hi')).toMatchObject({ content: [{ text: 'hello' }] });
    await session.close();
  });

  it('forgets new servers when the agent refuses the change', async () => {
    const refusing: Controls = { mcp_set_servers: () => Promise.reject(new Error('not today')) };
    const { session } = await open([[['own', 'connected']]], { tools: [{ own: own() }] }, refusing);
    const late = createSdkMcpServer({ name: 'late', tools: [tool('hi', 'd', {}, () => toolResult.text('hi'))] });
    await expect(session.mcp.setServers({ late })).rejects.toThrow('not today');
    await expect(session.mcp.call('late', 'hi')).rejects.toThrow('`server` names "late"');
    expect(await session.mcp.call('own', 'hi')).toMatchObject({ content: [{ text: 'hello' }] });
    await session.close();
  });

  it.each<[string, (mcp: Session['mcp']) => Promise<unknown>]>([
    ['`options.server` is not known. Did you mean `servers`?', (mcp) => mcp.ready({ server: 'a' } as never)],
    ['`options.timeout` is not known. Did you mean `timeoutMs`?', (mcp) => mcp.ready({ timeout: 1 } as never)],
    ['`options.timeoutMs` must be a number of milliseconds', (mcp) => mcp.ready({ timeoutMs: -1 })],
    ['`options.servers` must be a list of names', (mcp) => mcp.ready({ servers: 'own' as never })],
    [
      '`servers[0]` names "oown", which is no MCP server of this session. Did you mean `own`?',
      (mcp) => mcp.ready({ servers: ['oown'] }),
    ],
    ['`server` names "other", which is no MCP server of this session. It has: own.', (mcp) => mcp.reconnect('other')],
    ['`server` must be the name of a server, not an empty one', (mcp) => mcp.toggle('', true)],
    ['`enabled` must be true or false', (mcp) => mcp.toggle('own', 'no' as never)],
    ['`tool` must be the name of a tool, not a number', (mcp) => mcp.call('own', 7 as never)],
    ['`args` must be a plain object', (mcp) => mcp.call('own', 'hi', [] as never)],
    ['`uri` must be the address of a resource, not an empty one', (mcp) => mcp.readResource('own', '')],
    ['`servers.x.comand` is not known. Did you mean', (mcp) => mcp.setServers({ x: { comand: 'a' } as never })],
  ])('refuses with %s', async (problem, call) => {
    const { session } = await open([[['own', 'connected']]], { tools: [{ own: own() }] });
    await expect(call(session.mcp)).rejects.toThrow(problem);
    await expect(call(session.mcp)).rejects.toBeInstanceOf(TypeError);
    await session.close();
  });
});
