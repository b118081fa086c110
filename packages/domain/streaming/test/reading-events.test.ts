import { describe, expect, it } from 'vitest';
import type { ConversationEvent } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { assistantText, collect, converse, init, lifecycle, result } from './support.ts';

const kilobyte = 'x'.repeat(1000);

function kindsOf(steps: readonly IteratorResult<ConversationEvent>[]): unknown[] {
  return steps.map(({ value }) => value?.kind);
}

describe('A reader of events', () => {
  it('gets the events in order, whichever of its pending reads it awaits', async () => {
    const { conversation, agent } = await converse();
    const reader = conversation.events();
    const reads = [reader.next(), reader.next(), reader.next(), reader.next()];
    agent.write(lifecycle(conversation.send('a').id, 'started'), init(), result());
    expect(kindsOf(await Promise.all(reads))).toEqual(['turn_sent', 'turn_started', 'message', 'message']);
  });

  it('gets number, turn and message of an event that was kept as its line', async () => {
    const suggestion = { type: 'prompt_suggestion', suggestion: 'kept too' };
    const { conversation, agent } = await converse({ softMarkBytes: 400 });
    const reader = conversation.events();
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), assistantText('first'), assistantText('kept'), result());
    agent.write(suggestion);
    agent.exit();
    const seen = await collect(reader);
    expect(seen[3]).toMatchObject({ kind: 'message', seq: 4, turn: turn.id, message: assistantText('kept') });
    expect(seen[7]).toEqual({ kind: 'message', seq: 8, turn: undefined, message: suggestion });
  });

  it('that has left holds nothing up, and later turns are kept for late readers again', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 1000 });
    const reader = conversation.events();
    agent.write(init());
    for await (const _ of reader) {
      agent.write(assistantText(kilobyte), result());
      await microtasks();
      expect(agent.paused).toBe(true);
      break;
    }
    expect(agent.paused).toBe(false);
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), result());
    await microtasks();
    expect(await collect(turn)).toHaveLength(2);
  });

  it('that may miss events gets one that is larger than the mark if it waits for it', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 500 });
    const next = conversation.events({ mayMiss: true }).next();
    agent.write(assistantText(kilobyte));
    expect(kindsOf([await next])).toEqual(['message']);
  });
});

describe('What is unread before the first read', () => {
  const unread = async (messages: number) => {
    const { conversation, agent } = await converse({ softMarkBytes: 5000 });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'));
    for (let count = 0; count < messages; count += 1) agent.write(assistantText(kilobyte));
    await microtasks();
    return { conversation, agent, turn };
  };
  const discarded = { code: 'MESSAGES_DISCARDED' };

  it('is kept for the turn and for events, and counts once', async () => {
    const { conversation, agent, turn } = await unread(3);
    expect(agent.paused).toBe(false);
    const reader = conversation.events();
    await expect(collect(turn)).rejects.toMatchObject(discarded);
    agent.exit();
    expect((await collect(reader))[0]).toMatchObject({ kind: 'turn_sent', seq: 1 });
  });

  it('is kept for one of them once that is read', async () => {
    const { conversation, agent, turn } = await unread(3);
    const reading = collect(turn);
    await microtasks();
    const reader = conversation.events();
    agent.write(result());
    expect(await reading).toHaveLength(4);
    expect((await reader.next()).value?.seq).toBeGreaterThan(4);
  });

  it('is at most twice the mark: above it the agent is paused, and nothing is kept for events', async () => {
    const { conversation, agent } = await unread(6);
    expect(agent.paused).toBe(true);
    await expect(conversation.events().next()).rejects.toMatchObject(discarded);
  });
});

describe('A turn that is not read', () => {
  it('does not stop one that is', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 5000 });
    const [unread, read] = [conversation.send('a'), conversation.send('b')];
    const reading = collect(read);
    agent.write(lifecycle(unread.id, 'started'), init(unread.id), result());
    agent.write(lifecycle(read.id, 'started'), init(read.id));
    for (let count = 0; count < 20; count += 1) {
      agent.write(assistantText(kilobyte));
      await microtasks();
    }
    agent.write(result());
    expect(await reading).toHaveLength(22);
  });
});
