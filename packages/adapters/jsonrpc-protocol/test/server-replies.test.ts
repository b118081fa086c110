import { JsonReply, type JsonRpcMessage } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { openStepped } from './connection.ts';

/** What the agent receives of a server that replies with this. */
async function received(reply: JsonRpcMessage): Promise<unknown> {
  const { connection } = openStepped({}, { mcp_message: async () => reply });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add' } };
  const request = { subtype: 'mcp_message', server_name: 'own', message };
  connection.frames.push([JSON.stringify({ type: 'control_request', request_id: 'call', request })]);
  await microtasks();
  const answer = connection.log.filter((line) => line.startsWith('{')).at(-1) ?? '{}';
  return JSON.parse(answer).response?.response?.mcp_response;
}

describe('The reply of a server', () => {
  it('is copied before it is written', async () => {
    const result = { content: [], structuredContent: new Map([[1, 2]]) };
    expect(await received({ jsonrpc: '2.0', id: 1, result })).toMatchObject({
      error: { message: expect.stringContaining('is a Map') },
    });
  });

  it.each([
    [new Date(0), 'a string in place of a result'],
    [{ toJSON: () => undefined }, 'undefined in place of a result'],
    [{ content: [], _meta: new Date(0) }, 'a `_meta` that is a string'],
  ])('is an error where nothing that the agent reads is left of it in JSON: %o', async (result, why) => {
    expect(await received({ jsonrpc: '2.0', id: 1, result })).toMatchObject({
      error: { message: expect.stringContaining(why) },
    });
  });

  it('is not copied again where it is a copy', async () => {
    // Which this one is not: without a copy nobody sees what JSON empties.
    const reply = new JsonReply(1, { content: [], structuredContent: new Map([[1, 2]]) });
    expect(await received(reply)).toMatchObject({ result: { content: [], structuredContent: {} } });
  });

  it.each<[string, (reply: JsonRpcMessage) => JsonRpcMessage]>([
    ['a wrapper made it from one', (reply) => ({ ...reply, result: { content: new Map() } })],
    ['its result was exchanged', (reply) => Object.assign(reply, { result: { content: new Map() } })],
  ])('is copied as any other where %s', async (_, changed) => {
    const reply = changed(new JsonReply(1, { content: [] }));
    expect(await received(reply)).toMatchObject({ error: { message: expect.stringContaining('is a Map') } });
  });

  it('has the id of the message, also where the server gave it another', async () => {
    expect(await received(new JsonReply(2, { content: [] }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [] },
    });
  });
});
