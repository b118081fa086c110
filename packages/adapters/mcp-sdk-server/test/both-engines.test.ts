import { McpServer as RealServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Deferred } from '@hexagent/async';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { McpServer } from '@hexagent/ports';
import { hostServer, tool } from '../src/index.ts';
import { hello, lightServer, openSession, text } from './client.ts';

/** What the tools of both engines share with the test. */
class Workshop {
  readonly started = new Deferred<AbortSignal>();
  readonly finish = new Deferred<void>();
}

const add = ({ a, b }: { a: number; b: number }): ReturnType<typeof text> => text(String(a + b));
const boom = (): never => {
  throw new Error('kaboom');
};

function ours(workshop: Workshop): McpServer {
  const shape = { a: z.number(), b: z.number().default(40) };
  return lightServer({
    instructions: 'Count with these.',
    tools: [
      tool('add', 'Adds', shape, add, { annotations: { readOnlyHint: true } }),
      tool('boom', 'Throws', {}, boom),
      tool('slow', 'Waits', {}, async (_, { signal, sendNotification, _meta }) => {
        workshop.started.resolve(signal);
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken: _meta?.['progressToken'], progress: 1 },
        });
        await workshop.finish.promise;
        return text('done');
      }),
    ],
  });
}

function theirs(workshop: Workshop): McpServer {
  const instance = new RealServer({ name: 'calc', version: '1.0.0' }, { instructions: 'Count with these.' });
  instance.registerTool(
    'add',
    {
      description: 'Adds',
      inputSchema: { a: z.number(), b: z.number().default(40) },
      annotations: { readOnlyHint: true },
    },
    add,
  );
  instance.registerTool('boom', { description: 'Throws' }, boom);
  instance.registerTool('slow', { description: 'Waits' }, async ({ signal, sendNotification, _meta }) => {
    workshop.started.resolve(signal);
    await sendNotification({
      method: 'notifications/progress',
      params: { progressToken: _meta?.progressToken ?? 0, progress: 1 },
    });
    await workshop.finish.promise;
    return text('done');
  });
  return hostServer({ type: 'sdk', name: 'calc', instance });
}

/** Resolves when it does; a test that waits for it in vain runs into its time limit. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

describe.each([
  { engine: 'made by createSdkMcpServer()', make: ours },
  { engine: "that is the user's own McpServer", make: theirs },
])('An in-process server $engine', ({ make }) => {
  const start = async (workshop = new Workshop()): ReturnType<typeof openSession> => await openSession(make(workshop));

  it('answers "initialize", and accepts "initialized" without a reply', async () => {
    const { ask, notify } = await start();
    expect(await ask('initialize', hello, { id: '1fc1a771:0' })).toMatchObject({
      jsonrpc: '2.0',
      id: '1fc1a771:0',
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'calc' },
        instructions: 'Count with these.',
      },
    });
    expect(await notify('notifications/initialized')).toBeUndefined();
  });

  it('answers in the requested version of the protocol, or in the newest one when that is unknown', async () => {
    const { ask } = await start();
    expect(await ask('initialize', { ...hello, protocolVersion: '2024-11-05' })).toHaveProperty(
      'result.protocolVersion',
      '2024-11-05',
    );
    expect(await ask('initialize', { ...hello, protocolVersion: '1999-01-01' })).toHaveProperty(
      'result.protocolVersion',
      '2025-11-25',
    );
  });

  it('may be initialized again, as after a reconnect', async () => {
    const { ask, call } = await start();
    await ask('initialize', hello);
    expect(await ask('initialize', hello)).toHaveProperty('result.serverInfo');
    expect(await call('add', { a: 1, b: 2 })).toMatchObject(text('3'));
  });

  it('answers a ping', async () => {
    const { ask } = await start();
    expect(await ask('ping')).toMatchObject({ result: {} });
  });

  it('lists its tools with their schemas and annotations', async () => {
    const { listed } = await start();
    const [tool] = await listed();
    expect(tool).toMatchObject({
      name: 'add',
      description: 'Adds',
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number', default: 40 } },
        required: ['a'],
      },
    });
  });

  it('calls the handler with parsed arguments, defaults included, also before "initialize"', async () => {
    const { call } = await start();
    expect(await call('add', { a: 2 })).toMatchObject(text('42'));
  });

  it('does not call the handler with wrong arguments: the model reads which one and why', async () => {
    const { call } = await start();
    const { isError, content } = await call('add', { a: 'two' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/Invalid arguments for.* add/);
    expect(content[0]?.text).toMatch(/"?a"?[\s\S]*expected number, received string/);
  });

  it('answers with the message of an error that a handler throws', async () => {
    const { call } = await start();
    expect(await call('boom')).toMatchObject({ ...text('kaboom'), isError: true });
  });

  it('forwards progress while the tool runs', async () => {
    const workshop = new Workshop();
    const { ask, received } = await start(workshop);
    const answer = ask('tools/call', { name: 'slow', arguments: {}, _meta: { progressToken: 7 } });
    await workshop.started.promise;
    workshop.finish.resolve();
    expect(await answer).toMatchObject({ result: text('done') });
    expect(received).toMatchObject([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
    ]);
  });

  it('#58 answers a call that the agent cancels, although its handler still runs', async () => {
    const workshop = new Workshop();
    const { ask, notify } = await start(workshop);
    const answer = ask('tools/call', { name: 'slow' }, { id: 'c:1' });
    const signal = await workshop.started.promise;
    expect(
      await notify('notifications/cancelled', { requestId: 'c:1', reason: 'AbortError: remote-cancel' }),
    ).toBeUndefined();
    expect(await answer).toMatchObject({ id: 'c:1', error: { message: expect.stringContaining('cancelled') } });
    expect(signal.aborted).toBe(true);
  });

  it('#57 answers a call whose request the agent withdraws', async () => {
    const workshop = new Workshop();
    const withdrawal = new AbortController();
    const { ask } = await start(workshop);
    const answer = ask('tools/call', { name: 'slow' }, { signal: withdrawal.signal });
    const signal = await workshop.started.promise;
    withdrawal.abort();
    expect(await answer).toHaveProperty('error.message');
    await aborted(signal);
  });

  it('does not start a call that was withdrawn before', async () => {
    const workshop = new Workshop();
    const { ask } = await start(workshop);
    expect(await ask('tools/call', { name: 'slow' }, { signal: AbortSignal.abort() })).toHaveProperty('error.message');
    expect(workshop.started.settled).toBe(false);
  });

  it('answers running calls when its session is closed, and calls that arrive later', async () => {
    const workshop = new Workshop();
    const { ask, session, notify } = await start(workshop);
    const answer = ask('tools/call', { name: 'slow' });
    const signal = await workshop.started.promise;
    await session.close();
    await session.close();
    expect(await answer).toMatchObject({ error: { code: -32000 } });
    expect(signal.aborted).toBe(true);
    expect(await ask('tools/list')).toMatchObject({
      error: { code: -32000, message: expect.stringContaining('calc') },
    });
    expect(await notify('notifications/initialized')).toBeUndefined();
  });

  it('runs calls concurrently', async () => {
    const workshop = new Workshop();
    const { ask, call } = await start(workshop);
    const slow = ask('tools/call', { name: 'slow' });
    await workshop.started.promise;
    expect(await call('add', { a: 1, b: 1 })).toMatchObject(text('2'));
    workshop.finish.resolve();
    expect(await slow).toMatchObject({ result: text('done') });
  });

  it('refuses a second request with an id that is in use, and answers the first', async () => {
    const workshop = new Workshop();
    const { ask } = await start(workshop);
    const first = ask('tools/call', { name: 'slow' }, { id: 'same' });
    await workshop.started.promise;
    expect(await ask('tools/call', { name: 'add' }, { id: 'same' })).toMatchObject({
      id: 'same',
      error: { code: -32600 },
    });
    workshop.finish.resolve();
    expect(await first).toMatchObject({ id: 'same', result: text('done') });
  });

  it('answers a method that it does not have with an error', async () => {
    const { ask } = await start();
    expect(await ask('tools/fetch')).toMatchObject({ error: { code: -32601 } });
  });

  it.each<[string, unknown, number]>([
    ['no JSON-RPC version', { id: 1, method: 'ping' }, -32600],
    ['a method that is no string', { jsonrpc: '2.0', id: 1, method: 5 }, -32600],
    ['nothing but an id', { jsonrpc: '2.0', id: 1 }, -32600],
    ['an id that is no string or integer', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600],
    ['params that are no object', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32602],
    ['a _meta that is no object', { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: 'x' } }, -32602],
    [
      'a progress token that is none',
      { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { progressToken: {} } } },
      -32602,
    ],
    ['no object at all', 'ping', -32600],
  ])('answers a malformed request: %s', async (_, message, code) => {
    const { send, ask } = await start();
    expect(await send(message)).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } });
    expect(await ask('ping')).toHaveProperty('result');
  });

  it('answers a request with a field that JSON-RPC does not define', async () => {
    const { send } = await start();
    expect(await send({ jsonrpc: '2.0', id: 1, method: 'ping', trace: 'x' })).toMatchObject({ id: 1, result: {} });
  });

  it.each<[string, unknown]>([
    ['a notification it does not know', { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }],
    ['a malformed notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: 'c:1' }],
    [
      'the cancelling of a call that is not there',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'gone' } },
    ],
    ['an answer to what it never asked', { jsonrpc: '2.0', id: 3, result: {} }],
  ])('ignores %s', async (_, message) => {
    const { send, ask } = await start();
    expect(await send(message)).toBeUndefined();
    expect(await ask('ping')).toHaveProperty('result');
  });
});
