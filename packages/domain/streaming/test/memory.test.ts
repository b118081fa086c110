import { describe, expect, it } from 'vitest';
import type { ObservedEvent, SessionFeature } from '@hexagent/ports';
import { answering, microtasks } from '@hexagent/testing';
import { collect, converse, init, lifecycle, result, assistantText } from './support.ts';

const allowAll: SessionFeature = answering({ can_use_tool: async () => ({ behavior: 'allow' }) });
const kilobyte = 'x'.repeat(1000);
const permission = {
  type: 'control_request',
  request_id: 'p',
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' },
};

describe('#40 A slow reader', () => {
  it('pauses the agent before it has begun, where all messages are delivered to it', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 1000 });
    conversation.allMessages();
    agent.write(assistantText(kilobyte));
    await microtasks();
    expect(agent.paused).toBe(true);
  });

  it('pauses the agent at 2 MB by default, and with callbacks at 64 MB', async () => {
    const megabyte = assistantText('x'.repeat(1024 * 1024));
    const unread = async (...features: SessionFeature[]): Promise<number> => {
      const { conversation, agent } = await converse({ features });
      agent.write(lifecycle(conversation.send('a').id, 'started'));
      let count = 0;
      for (; !agent.paused && count < 100; count += 1) {
        agent.write(megabyte);
        await microtasks();
      }
      agent.exit({ code: 0 });
      return count;
    };
    expect([await unread(), await unread(allowAll)]).toEqual([2, 64]);
    const asked = (mayBeAsked: boolean): SessionFeature => ({ ...allowAll, mayBeAsked: () => mayBeAsked });
    expect([await unread(asked(false)), await unread(asked(true))]).toEqual([2, 64]);
  });

  it('stalls the agent at the hard mark, which is observed, and lets it continue after catching up', async () => {
    const events: ObservedEvent['kind'][] = [];
    const observer = { observe: (event: ObservedEvent) => void events.push(event.kind) };
    const { conversation, agent } = await converse(
      { softMarkBytes: 2000, hardMarkBytes: 5000, features: [allowAll] },
      { observer },
    );
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    for (let count = 0; count < 20; count += 1) agent.write(assistantText(kilobyte));
    agent.write(permission);
    await microtasks();
    expect(agent.paused).toBe(true);
    expect(events).toContain('stalled');
    agent.write(result());
    expect((await collect(turn)).length).toBe(22);
    expect(await agent.next('control_response')).toMatchObject({ response: { request_id: 'p' } });
    expect(events).toContain('resumed');
  });

  it('of unsolicited turns gets the first 16, or an error where there were more: none pile up', async () => {
    const { conversation, agent } = await converse();
    for (let count = 0; count < 16; count += 1) agent.write(init(), result({ result: `${count}` }));
    await microtasks();
    const kept = await conversation.turns[Symbol.asyncIterator]().next();
    expect(await kept.value.result).toMatchObject({ text: '0' });
    const { conversation: other, agent: busy } = await converse();
    for (let count = 0; count < 17; count += 1) busy.write(init(), result());
    await microtasks();
    await expect(other.turns[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'MESSAGES_DISCARDED' });
  });

  it('caps all unsolicited turns together at `softMarkBytes`', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 24_000 });
    agent.write(init(), assistantText('short'), result({ user_message_uuids: [] }));
    agent.write(init(), assistantText(kilobyte), result());
    await microtasks();
    const unsent = conversation.turns[Symbol.asyncIterator]();
    expect(await collect((await unsent.next()).value)).toHaveLength(3);
    await expect(collect((await unsent.next()).value)).rejects.toMatchObject({ code: 'MESSAGES_DISCARDED' });
  });

  it('of `turns` gets up to `softMarkBytes` of each unsolicited turn when it reads them as they come', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 16_000 });
    const unsent = conversation.turns[Symbol.asyncIterator]();
    for (let count = 0; count < 10; count += 1) agent.write(init(), assistantText(kilobyte), result());
    for (let count = 0; count < 10; count += 1) expect(await collect((await unsent.next()).value)).toHaveLength(3);
  });
});
