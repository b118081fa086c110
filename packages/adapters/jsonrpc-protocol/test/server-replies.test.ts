import type { JsonRpcMessage } from '@hexagent/ports';
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

describe('The call of a server that the program turns off', () => {
  const call = (id: string, server_name = 'own'): string => {
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'add' } };
    const request = { subtype: 'mcp_message', server_name, message };
    return JSON.stringify({ type: 'control_request', request_id: id, request });
  };

  /** Turns it off while it has a call, and has another at the very time that the agent answers. */
  async function toggle(enabled: boolean, outcome: object): Promise<readonly string[]> {
    const ended: string[] = [];
    const { channel, connection } = openStepped(
      {},
      {
        mcp_message: ({ message }, { signal }) =>
          new Promise(() => signal.addEventListener('abort', () => ended.push(String(message.id)))),
      },
    );
    const lines = (): string[] => connection.log.filter((line) => line.startsWith('{'));
    connection.frames.push([call('first'), call('of another', 'other')]);
    await microtasks();
    const toggled = channel.request('mcp_toggle', { serverName: 'own', enabled }).catch(() => {});
    await microtasks();
    const { request_id } = JSON.parse(lines().at(-1) ?? '{}');
    connection.frames.push([
      JSON.stringify({ type: 'control_response', response: { request_id, ...outcome } }),
      call('later'),
    ]);
    await toggled;
    await microtasks();
    return ended;
  }

  it('is cancelled once it is off, and no later one', async () => {
    expect(await toggle(false, { subtype: 'success', response: {} })).toEqual(['first']);
  });

  it.each([
    ['it is turned on', true, { subtype: 'success', response: {} }],
    ['the agent refuses', false, { subtype: 'error', error: 'no' }],
  ])('continues where %s', async (_, enabled, outcome) => {
    expect(await toggle(enabled, outcome)).toEqual([]);
  });
});

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

  it('has the id of the message, also where the server gave it another', async () => {
    expect(await received({ jsonrpc: '2.0', id: 2, result: { content: [] } })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [] },
    });
  });
});
