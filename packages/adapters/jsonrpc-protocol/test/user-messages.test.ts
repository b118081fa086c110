import { describe, expect, it } from 'vitest';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import type { Channel, Host } from '@hexagent/ports';
import { linkedTransport, plainLaunch, type LinkedAgent } from '@hexagent/testing';

async function open(handlers: Partial<Host> = {}): Promise<{ channel: Channel; agent: LinkedAgent }> {
  const { transport, agent } = linkedTransport();
  const ids = { request: () => 'r', uuid: () => 'u' };
  const protocol = new JsonRpcProtocol({ parser: wireParser, ids, clock: { now: () => 0, after: () => () => {} } });
  const connection = await transport.connect(plainLaunch());
  const host = { message: () => {}, exited: () => {}, ...handlers };
  return {
    channel: protocol.open(connection, { conversation: 'c', initialize: {}, host }),
    agent,
  };
}

describe('A user message', () => {
  it('is written with its content as it was given', async () => {
    const { channel, agent } = await open();
    await channel.send({ content: 'hi', uuid: 'a' });
    expect(await agent.next('user')).toEqual({
      type: 'user',
      message: { role: 'user', content: 'hi' },
      parent_tool_use_id: null,
      session_id: '',
      uuid: 'a',
    });
  });

  it('carries further fields, which never replace those of the SDK', async () => {
    const { channel, agent } = await open();
    const fields = { shouldQuery: false, parent_tool_use_id: 'tool', session_id: 's', type: 'other', uuid: 'other' };
    await channel.send({ content: 'hi', uuid: 'a', priority: 'later', fields });
    expect(await agent.next('user')).toMatchObject({
      type: 'user',
      uuid: 'a',
      priority: 'later',
      shouldQuery: false,
      parent_tool_use_id: 'tool',
      session_id: 's',
    });
  });
});

describe('An elicitation', () => {
  it('that is answered elsewhere gets no answer from us', async () => {
    const asked = Promise.withResolvers<void>();
    const { channel, agent } = await open({ elicitation: async () => (asked.resolve(), null) });
    agent.write({
      type: 'control_request',
      request_id: 'e',
      request: { subtype: 'elicitation', mcp_server_name: 's', message: 'm' },
    });
    await asked.promise;
    await channel.send({ content: 'after', uuid: 'a' });
    await agent.next('user');
    expect(agent.received.some((frame) => frame.type === 'control_response')).toBe(false);
  });
});
