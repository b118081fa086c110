import { assert } from './assert.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { agentFrames } from '../doubles/agent-frames.ts';
import { converse, unwritable, type ConversationsPromises } from './conversations-fixture.ts';
import { assertMatches, assertRejects, track } from './matching.ts';

const { init, lifecycle, result, assistantText } = agentFrames;

/** `received` of a turn. */
export const receiving: ConversationsPromises = {
  'resolves when the agent confirms the message, while another turn runs': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const running = conversation.send('a');
    agent.write(lifecycle(running.id, 'started'), init(running.id));
    const waiting = conversation.send('b');
    const receipt = track(waiting.received);
    await microtasks();
    assert.equal(receipt.settled, false);
    agent.write(lifecycle(waiting.id, 'queued'));
    await waiting.received;
  },

  'resolves when the turn begins, if the agent confirms nothing': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    const receipt = track(turn.received);
    await microtasks();
    assert.equal(receipt.settled, false);
    agent.write(init());
    await turn.received;
  },

  'resolves when a result names the message': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    agent.write(init(), result({ user_message_uuids: [first.id, second.id] }));
    await second.received;
  },

  'resolves although the messages before the confirmation are not read': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 100 });
    const messages = conversation.allMessages();
    const reader = messages[Symbol.asyncIterator]();
    const running = conversation.send('a');
    agent.write(lifecycle(running.id, 'started'), init(running.id), assistantText('x'.repeat(200)));
    assertMatches((await reader.next()).value, { subtype: 'init' });
    const waiting = conversation.send('b');
    agent.write(assistantText('y'.repeat(200)), lifecycle(waiting.id, 'queued'));
    await waiting.received;
  },

  'rejects as the result does': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    await assertRejects(conversation.send(unwritable).received, { code: 'FRAME_INVALID' });
    const turn = conversation.send('a');
    agent.exit({ code: 1 });
    const failure = await turn.result.catch((error: unknown) => error);
    assert.equal(await turn.received.catch((error: unknown) => error), failure);
  },
};
