import type { JsonRpcMessage } from '@hexagent/ports';
import { createSdk, type McpServer, type Session } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';

const introduction = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'x', version: '1' },
};
const tools = [{ name: 'odd', inputSchema: { type: 'object' } }];

/** A server of one's own, which replies so to each call. */
function replying(reply: object, introduced: unknown = introduction): McpServer {
  const results: Readonly<Record<string, unknown>> = { initialize: introduced, 'tools/list': { tools } };
  const handle = async ({ id, method = '' }: JsonRpcMessage): Promise<JsonRpcMessage> => {
    const result = results[method];
    return { jsonrpc: '2.0', id, ...(result === undefined ? reply : { result }) };
  };
  return { name: 'mine', open: () => ({ handle, close: async () => {} }) };
}

const open = (place: Stage, mine: McpServer): Promise<Session> =>
  createSdk({ onWarning: () => {} }).openSession({
    ...place.options,
    tools: [{ mine }],
    permissions: { allow: ['mcp__mine'] },
  });

withCli('#58 A reply that JSON-RPC does not allow', () => {
  it.each<[object, string]>([
    [{ result: null }, 'answered tools/call with null in place of a result'],
    [{ result: 'x' }, 'answered tools/call with a string in place of a result'],
    [{ result: [] }, 'answered tools/call with a list in place of a result'],
    [{ result: { content: [], _meta: 'x' } }, 'answered tools/call with a `_meta` that is a string'],
    [{ result: new Date(0) }, 'answered tools/call with a string in place of a result'],
    [{ result: { content: [], _meta: new Date(0) } }, 'answered tools/call with a `_meta` that is a string'],
    [{ result: { toJSON: () => undefined } }, 'answered tools/call with undefined in place of a result'],
    [{ result: { content: [], count: new Map() } }, 'something that is lost: `result.count` is a Map'],
    [{}, 'gave no reply to tools/call'],
    [{ error: 'out of ink' }, 'out of ink'],
    [{ error: { code: 'E', message: 'out of ink' } }, 'out of ink'],
    [{ error: { message: 'out of ink' } }, 'out of ink'],
    [{ error: { code: 1.5, message: 'out of ink' } }, 'out of ink'],
    [{ error: { code: 1 } }, 'an object with the keys code'],
    [{ result: { content: [] }, error: { code: 1, message: 'out of ink' } }, 'out of ink'],
    [{ result: { content: [{ type: 'text', text: 'fine' }] }, trace: 'x' }, 'fine'],
  ])('does not leave the agent waiting for ever: %j', async (reply, words) => {
    await using place = await stage(callOnce('mcp__mine__odd', {}));
    await using session = await open(place, replying(reply));
    expect(await session.send('go').result).toMatchObject({ text: expect.stringContaining(words) });
  });
});

withCli('An introduction that the agent does not accept', () => {
  it('is the reason in the status, which the agent does not give', async () => {
    await using place = await stage();
    await using session = await open(place, replying({}, { ...introduction, serverInfo: {} }));
    await expect(session.mcp.ready()).rejects.toThrow(
      'mine is failed: Its answer to initialize has undefined as `serverInfo.name`, and a string is accepted.',
    );
  });
});
