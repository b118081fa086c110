import { describe, expect, it } from 'vitest';
import type { ObservedEvent, PermissionGate } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { collect, converse, init, lifecycle, result, says } from './support.ts';

const allowAll: PermissionGate = { decide: async () => ({ behavior: 'allow' }) };
const kilobyte = 'x'.repeat(1000);
const permission = {
  type: 'control_request',
  request_id: 'p',
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' },
};

describe('#40 A slow reader', () => {
  it('of the whole pauses the agent even before it has begun', async () => {
    const { agent } = await converse({ softMarkBytes: 1000, delivery: 'all' });
    agent.write(says(kilobyte));
    await microtasks();
    expect(agent.paused).toBe(true);
  });

  it('pauses the agent at 2 MB, and with callbacks at 64 MB, unless told otherwise', async () => {
    const megabyte = says('x'.repeat(1024 * 1024));
    const unread = async (permissions?: PermissionGate): Promise<number> => {
      const { conversation, agent } = await converse({ permissions });
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
  });

  it('stalls the agent at the hard mark, says so, and lets it go on when caught up with', async () => {
    const events: ObservedEvent['kind'][] = [];
    const observer = { observe: (event: ObservedEvent) => void events.push(event.kind) };
    const { conversation, agent } = await converse(
      { softMarkBytes: 2000, hardMarkBytes: 5000, permissions: allowAll },
      { observer },
    );
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    for (let count = 0; count < 20; count += 1) agent.write(says(kilobyte));
    agent.write(permission);
    await microtasks();
    expect(agent.paused).toBe(true);
    expect(events).toContain('stalled');
    agent.write(result());
    expect((await collect(turn)).length).toBe(22);
    expect(await agent.next('control_response')).toMatchObject({ response: { request_id: 'p' } });
    expect(events).toContain('resumed');
  });

  it('of turns that nobody sent finds the first few; beyond them it is told, and nothing piles up', async () => {
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

  it('of turns that nobody sent finds no more of all of them together than the soft mark', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 24_000 });
    agent.write(init(), says('short'), result({ user_message_uuids: [] }));
    agent.write(init(), says(kilobyte), result());
    await microtasks();
    const unsent = conversation.turns[Symbol.asyncIterator]();
    expect(await collect((await unsent.next()).value)).toHaveLength(3);
    await expect(collect((await unsent.next()).value)).rejects.toMatchObject({ code: 'MESSAGES_DISCARDED' });
  });

  it('of turns that nobody sent finds up to the soft mark of each when it reads them as they come', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 16_000 });
    const unsent = conversation.turns[Symbol.asyncIterator]();
    for (let count = 0; count < 10; count += 1) agent.write(init(), says(kilobyte), result());
    for (let count = 0; count < 10; count += 1) expect(await collect((await unsent.next()).value)).toHaveLength(3);
  });

  it('that comes back after it was told of the loss is told nothing twice', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 1000 });
    const turn = conversation.send('a');
    const outcome = turn.result;
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), says(kilobyte), result());
    await outcome;
    await expect(collect(turn)).rejects.toMatchObject({
      code: 'MESSAGES_DISCARDED',
      message: expect.stringContaining('1000'),
    });
    expect(await collect(turn)).toEqual([]);
  });
});
