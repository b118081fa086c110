import type { JsonRpcMessage, McpServer, McpSession } from '@hexagent/ports';
import { brokenPromises, mcpServerContract, type McpServerFixture } from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { engines } from './engines.ts';

type Handle = McpSession['handle'];

/** Spoils the sessions of a server that keeps its promises. */
function spoiled(change: (handle: Handle) => Handle, more: Partial<McpSession> = {}): McpServerFixture {
  const [light] = engines;
  if (light === undefined) throw new Error('There is no engine.');
  const { fixture } = light;
  return {
    ...fixture,
    async createServer(tools): Promise<McpServer> {
      const server = await fixture.createServer(tools);
      return {
        ...server,
        async open(client) {
          const session = await server.open(client);
          return { handle: change((...given) => session.handle(...given)), close: () => session.close(), ...more };
        },
      };
    },
  };
}

const brokenBy = (fixture: McpServerFixture): Promise<readonly string[]> =>
  brokenPromises((runner) => mcpServerContract(runner, fixture), { rounds: 2000 });

const reply =
  (change: (reply: JsonRpcMessage, request: JsonRpcMessage) => JsonRpcMessage | undefined) =>
  (handle: Handle): Handle =>
  async (message, context) => {
    const answer = await handle(message, context);
    return answer && change(answer, message);
  };

const result = (method: string, change: (result: never) => unknown) =>
  reply((answer, request) =>
    request.method === method && answer.result !== undefined
      ? { ...answer, result: change(answer.result as never) }
      : answer,
  );

const isCall = (message: JsonRpcMessage): boolean => message.method === 'tools/call';

/** Answers one request at a time. */
function serial(handle: Handle): Handle {
  let last: Promise<unknown> = Promise.resolve();
  return (message, context) => {
    if (message.id === undefined) return handle(message, context);
    const next = last.then(() => handle(message, context));
    last = next.catch(() => {});
    return next;
  };
}

const faults: readonly (readonly [string, McpServerFixture, string])[] = [
  ['says nothing', spoiled(() => async () => undefined), 'answers a ping'],
  ['answers with another id', spoiled(reply((answer) => ({ ...answer, id: 'other' }))), 'answers a ping'],
  [
    'answers notifications',
    spoiled(
      (handle) => async (message, context) => (await handle(message, context)) ?? { jsonrpc: '2.0', id: 0, result: {} },
    ),
    'accepts a notification without a reply',
  ],
  [
    'declares what it does not have',
    spoiled(result('initialize', (given: object) => ({ ...given, capabilities: { tools: {}, prompts: {} } }))),
    'declares the capabilities that it has, and no others',
  ],
  [
    'declares nothing',
    spoiled(result('initialize', (given: object) => ({ ...given, capabilities: {} }))),
    'declares the capabilities that it has, and no others',
  ],
  [
    'answers unknown methods with a result',
    spoiled(
      reply((answer) => (answer.error?.code === -32_601 ? { jsonrpc: '2.0', id: answer.id, result: {} } : answer)),
    ),
    'answers an unknown method with the error -32601',
  ],
  [
    'throws at what is malformed',
    spoiled((handle) => async (message, context) => {
      if (message.jsonrpc !== '2.0') throw new Error('malformed');
      return await handle(message, context);
    }),
    'answers a malformed request with an error, and continues',
  ],
  [
    'can be initialized once',
    spoiled((handle) => {
      let count = 0;
      return async (message, context) => {
        if (message.method === 'initialize' && (count += 1) > 1)
          return { jsonrpc: '2.0', id: message.id, error: { code: 1, message: 'again' } };
        return await handle(message, context);
      };
    }),
    'may be initialized again, as after a reconnect',
  ],
  [
    'lists no annotations',
    spoiled(
      result('tools/list', ({ tools }: { tools: object[] }) => ({
        tools: tools.map((tool) => ({ ...tool, annotations: {} })),
      })),
    ),
    'lists each tool with its description, schema, annotations and `_meta`',
  ],
  [
    'loses `isError`',
    spoiled(result('tools/call', (given: object) => ({ ...given, isError: false }))),
    'answers with the message of an error that a tool throws, or rejects with',
  ],
  [
    'keeps text alone',
    spoiled(
      result('tools/call', ({ content }: { content: { type: string }[] }) => ({
        content: content.filter(({ type }) => type === 'text'),
      })),
    ),
    'hands on content of every kind as the tool returned it',
  ],
  [
    'cuts off what is long',
    spoiled(
      result('tools/call', ({ content }: { content: { text?: string }[] }) => ({
        content: content.map((item) => ({ ...item, text: item.text?.slice(0, 1_000_000) })),
      })),
    ),
    'hands on a result of 20 MB',
  ],
  [
    'loses the `_meta` of a call',
    spoiled(
      (handle) => (message, context) =>
        handle(
          isCall(message) ? { ...message, params: { ...(message.params as object), _meta: undefined } } : message,
          context,
        ),
    ),
    'calls a tool with its arguments and the `_meta` of the call',
  ],
  ['answers one request at a time', spoiled(serial), 'runs calls concurrently'],
  [
    'is not notified that a call was cancelled',
    spoiled(
      (handle) => async (message, context) =>
        message.method === 'notifications/cancelled' ? undefined : await handle(message, context),
    ),
    'answers a call that the agent cancels, although the tool still runs',
  ],
  [
    'is not notified that a request was withdrawn',
    spoiled((handle) => (message) => handle(message, { signal: new AbortController().signal })),
    'answers a call whose request the agent withdraws',
  ],
  [
    'takes a second request for another',
    spoiled((handle) => async (message, context) => {
      if (message.id !== 'same' || !JSON.stringify(message).includes('add')) return await handle(message, context);
      return { ...(await handle({ ...message, id: 'other' }, context)), jsonrpc: '2.0', id: 'same' };
    }),
    'refuses a second request with an id that is in use, and answers the first',
  ],
  [
    'leaves calls open when it is closed',
    spoiled((handle) => handle, { close: async () => {} }),
    'answers running calls when its session is closed, and requests that arrive later',
  ],
];

describe('The contract of MCP servers', () => {
  it.each(faults)('is broken by a server that %s', async (_, fixture, promise) => {
    expect(await brokenBy(fixture)).toContain(promise);
  });

  it('is kept by the server that these were made of', async () => {
    expect(await brokenBy(spoiled((handle) => handle))).toEqual([]);
  });
});
