import { describe, expect, it } from 'vitest';
import type { HookDispatcher, McpServer } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { begin, converse, init, lifecycle, result } from './support.ts';

const hooks: HookDispatcher = {
  registration: () => ({ PreToolUse: [{ hookCallbackIds: ['hook_0'] }] }),
  dispatch: async () => ({}),
};
const server: McpServer = {
  name: 'mine',
  open: () => ({ handle: async () => ({ jsonrpc: '2.0', id: 1, result: {} }), close: async () => {} }),
};
const refusal = (request_id: string | undefined): object => ({
  type: 'control_response',
  response: { subtype: 'error', request_id, error: 'refused' },
});
const mcpMessage = (request_id: string): object => ({
  type: 'control_request',
  request_id,
  request: { subtype: 'mcp_message', server_name: 'mine', message: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
});

describe('#29 An agent that never answers `initialize`', () => {
  it.each([
    ['hooks', { hooks }],
    ['in-process servers', { servers: [server] }],
  ])('is ended although it works when there are %s, which it then knows nothing of', async (_, options) => {
    const clock = new HandClock();
    const { conversation, agent } = await begin({ ...options, initializeTimeoutMs: 50 }, { clock });
    const turn = conversation.send('go');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    await microtasks();
    clock.advance(50);
    await expect(turn.result).rejects.toMatchObject({ code: 'INITIALIZE_TIMEOUT' });
  });
});

describe('An agent that refuses `initialize`', () => {
  it.each([
    ['hooks', { hooks }],
    ['in-process servers', { servers: [server] }],
  ])('is ended when there are %s, which it then knows nothing of', async (_, options) => {
    const { conversation, agent } = await begin(options);
    const turn = conversation.send('go');
    agent.write(refusal((await agent.next('initialize')).request_id));
    await expect(turn.result).rejects.toMatchObject({ code: 'INITIALIZE_FAILED' });
    await agent.ended;
  });

  it.each([
    ['there are none of either', {}],
    ['hooks are registered for no event', { hooks: { ...hooks, registration: () => undefined } }],
  ])('goes on working when %s', async (_, options) => {
    const { conversation, agent } = await begin(options);
    const turn = conversation.send('go');
    agent.write(refusal((await agent.next('initialize')).request_id));
    await expect(conversation.ready).rejects.toMatchObject({ code: 'INITIALIZE_FAILED' });
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), result({ result: 'done' }));
    expect(await turn.result).toMatchObject({ text: 'done' });
  });

  it('rejects `ready` with its exit when it exits instead', async () => {
    const { conversation, agent } = await begin({ hooks });
    const turn = conversation.send('go');
    agent.exit({ code: 1, stderr: 'boom\n' });
    await expect(conversation.ready).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      message: expect.stringMatching(/before it was ready.*boom/s),
    });
    await expect(turn.result).rejects.toMatchObject({ code: 'AGENT_EXITED', stderr: 'boom\n' });
  });
});

describe('#3 An in-process server', () => {
  it('is closed with the conversation, and close() waits for it', async () => {
    const closing = Promise.withResolvers<void>();
    const slow: McpServer = {
      name: 'mine',
      open: () => ({ handle: async () => undefined, close: () => closing.promise }),
    };
    const { conversation, agent } = await converse({ servers: [slow] });
    agent.write(mcpMessage('m'));
    await agent.next('control_response');
    let closed = false;
    const ending = conversation.close().then(() => (closed = true));
    await agent.exited;
    await microtasks();
    expect(closed).toBe(false);
    closing.resolve();
    await ending;
  });

  it.each([
    ['opening', { name: 'mine', open: () => new Promise<never>(() => {}) }],
    [
      'closing',
      { name: 'mine', open: () => ({ handle: async () => undefined, close: () => new Promise<never>(() => {}) }) },
    ],
  ])('that hangs in %s does not hold back close() or finish() for ever', async (_, stuck) => {
    const clock = new HandClock();
    const { conversation, agent } = await converse({ servers: [stuck] }, { clock });
    agent.write(mcpMessage('m'));
    await microtasks();
    const ending = Promise.all([conversation.finish(), conversation.close()]);
    await agent.exited;
    await microtasks();
    clock.advance(5000);
    await ending;
  });

  it('that could not be opened is tried again, and has nothing to close', async () => {
    let tries = 0;
    const moody: McpServer = {
      name: 'mine',
      open: (client) => ((tries += 1) === 1 ? Promise.reject(new Error('not yet')) : server.open(client)),
    };
    const { conversation, agent } = await converse({ servers: [moody] });
    agent.write(mcpMessage('first'));
    expect(JSON.stringify(await agent.next('control_response'))).toContain('not yet');
    agent.write(mcpMessage('second'));
    expect(JSON.stringify(await agent.next('control_response'))).not.toContain('not yet');
    await conversation.close();
    expect(tries).toBe(2);
  });

  it('cannot share its name with another, and nothing is started then', async () => {
    await expect(begin({ servers: [server, server] })).rejects.toThrow(/mine, mine/);
  });
});
