import { describe, expect, it } from 'vitest';
import type { Channel, SessionFeature } from '@hexagent/ports';
import { ConversationService } from '@hexagent/streaming';
import { HandClock, linkedTransport, microtasks, plainLaunch } from '@hexagent/testing';
import { converse, stillClock } from './support.ts';

describe('close()', () => {
  it('ends an agent that does not exit within 400 ms', async () => {
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

  it('leaves no timer behind when the agent exits', async () => {
    const clock = new HandClock();
    const feature: SessionFeature = { name: 'test', close: async () => {} };
    const { conversation, agent } = await converse({ features: [feature] }, { clock });
    conversation.send('a').result.catch(() => {});
    const closed = conversation.close();
    await agent.ended;
    agent.exit({ code: 0 });
    await closed;
    expect(clock.waiting).toBe(0);
  });

  it('waits for the clean-up, also after the agent has exited', async () => {
    const closing = Promise.withResolvers<void>();
    const feature: SessionFeature = { name: 'test', close: () => closing.promise };
    const { conversation, agent } = await converse({ features: [feature] });
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

describe('suspend()', () => {
  it('ends an agent with a turn without an interrupt, an answer or the end of its input', async () => {
    const { conversation, agent } = await converse();
    const { result } = conversation.send('a');
    await agent.next('user');
    const suspended = Promise.all([conversation.suspend(), conversation.suspend()]);
    await expect(result).rejects.toMatchObject({ code: 'SESSION_SUSPENDED' });
    await suspended;
    expect(await conversation.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(agent.received.map(({ type }) => type)).toEqual(['control_request', 'user']);
    expect(() => conversation.send('b')).toThrow('suspended');
  });

  it('closes an agent without work in order', async () => {
    const { conversation, agent } = await converse();
    const closed = conversation.suspend();
    await agent.ended;
    await closed;
    expect(await conversation.exited).toMatchObject({ closed: true });
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
