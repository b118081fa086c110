import { describe, expect, it } from 'vitest';
import type { Channel, McpServer } from '@hexagent/ports';
import { ConversationService } from '@hexagent/streaming';
import { HandClock, linkedTransport, microtasks, plainLaunch } from '@hexagent/testing';
import { answer, collect, converse, init, lifecycle, result, says, stillClock, wholeTurn } from './support.ts';

const long = says('x'.repeat(2000));

describe('close()', () => {
  it('reads what the agent has left to say, though much of earlier turns lies unread', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 1000 });
    const unread = conversation.send('a');
    agent.write(lifecycle(unread.id, 'started'), init(unread.id), long, result({ user_message_uuids: [unread.id] }));
    const running = conversation.send('b');
    await microtasks();
    expect(agent.paused).toBe(true);
    const closed = conversation.close();
    answer(agent, await agent.next('interrupt'));
    await microtasks();
    agent.write(
      lifecycle(running.id, 'started'),
      result({ user_message_uuids: [running.id], terminal_reason: 'aborted_streaming' }),
    );
    expect(await running.result).toMatchObject({ kind: 'interrupted' });
    agent.exit({ code: 0 });
    await closed;
    expect(await collect(unread)).toHaveLength(3);
  });

  it('ends an agent that does not leave within its grace', async () => {
    const clock = new HandClock();
    const { conversation, agent } = await converse({}, { clock });
    const turn = conversation.send('a');
    const closed = Promise.all([conversation.close(), conversation.close()]);
    await agent.ended;
    await microtasks();
    expect(clock.waiting).toBe(1);
    clock.advance(399);
    await microtasks();
    await expect(Promise.race([closed, Promise.resolve('still there')])).resolves.toBe('still there');
    clock.advance(1);
    await closed;
    await expect(turn.result).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
    expect(clock.waiting).toBe(0);
  });

  it('leaves no timer behind when the agent leaves by itself', async () => {
    const clock = new HandClock();
    const server: McpServer = { name: 'mine', open: () => ({ handle: async () => undefined, close: async () => {} }) };
    const { conversation, agent } = await converse({ servers: [server] }, { clock });
    conversation.send('a').result.catch(() => {});
    const closed = conversation.close();
    await agent.ended;
    agent.exit({ code: 0 });
    await closed;
    expect(clock.waiting).toBe(0);
  });

  it('waits for what is being cleaned up, also after the agent has left by itself', async () => {
    const closing = Promise.withResolvers<void>();
    const server: McpServer = {
      name: 'mine',
      open: () => ({ handle: async () => undefined, close: () => closing.promise }),
    };
    const { conversation, agent } = await converse({ servers: [server] });
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const request = { subtype: 'mcp_message', server_name: 'mine', message };
    agent.write({ type: 'control_request', request_id: 'm', request });
    await agent.next('control_response');
    agent.exit({ code: 0 });
    await conversation.exited;
    let isClosed = false;
    const closed = conversation.close().then(() => (isClosed = true));
    await microtasks();
    expect(isClosed).toBe(false);
    closing.resolve();
    await closed;
  });
});

describe('An agent that leaves with code 1', () => {
  it('after a good result has failed for a reason of its own', async () => {
    const { conversation, agent } = await converse({ delivery: 'all' });
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'fine'));
    agent.exit({ code: 1, stderr: 'and then\nit\nwent\nall\nwrong\nat once\n' });
    const error: unknown = await collect(conversation.messages).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'AGENT_EXITED', exitCode: 1, lost: [] });
    // The last lines are enough for a message; all of them are in `stderr`.
    expect(String(error)).toContain('it\nwent\nall\nwrong\nat once');
    expect(String(error)).not.toContain('and then');
  });
});

describe('A conversation that cannot be made', () => {
  it('leaves no agent behind', async () => {
    const { transport, agent } = linkedTransport();
    const protocol = {
      open: (): Channel => {
        throw new TypeError('not this way');
      },
    };
    const ids = { request: () => 'r', uuid: () => 'u' };
    const service = new ConversationService({ transport, protocol, clock: stillClock, ids });
    await expect(service.open({ launch: plainLaunch() })).rejects.toThrow('not this way');
    expect(agent.inputEnded).toBe(true);
  });
});
