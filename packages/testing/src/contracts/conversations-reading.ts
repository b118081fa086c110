import { assert } from './assert.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { agentFrames } from '../doubles/agent-frames.ts';
import {
  brief,
  converse,
  permissionRequest,
  withCallbacks,
  type ConversationsPromises,
} from './conversations-fixture.ts';
import { assertMatches, assertRejects, collect } from './matching.ts';

const { init, lifecycle, response, result, assistantText, wholeTurn } = agentFrames;
const kilobyte = 'x'.repeat(1000);

/** Which reader gets which messages, and what happens to unread ones. */
export const reading: ConversationsPromises = {
  'gives the result to a caller that does not read the turn, however long it is': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 5000 });
    const turn = conversation.send('a');
    const outcome = turn.result;
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    for (let count = 0; count < 20; count += 1) agent.write(assistantText(kilobyte));
    await microtasks();
    assert.equal(agent.paused, false);
    agent.write(result());
    assertMatches(await outcome, { kind: 'completed' });
  },

  'reports to a late reader that messages were discarded': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 1000 });
    const turn = conversation.send('a');
    const outcome = turn.result;
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), assistantText(kilobyte), result());
    await outcome;
    await assertRejects(collect(turn), { code: 'MESSAGES_DISCARDED', message: /1000/u });
  },

  'lets a turn be read once: a second reader would find nothing': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'hi'));
    assert.deepEqual((await collect(turn)).map(brief), ['system/init', 'hi', 'result/success']);
    await assertRejects(collect(turn), { code: 'TURN_READ' });
    assertMatches(await turn.result, { kind: 'completed' });
  },

  'gives the turn what belongs to it, and `messages` what belongs to no turn': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'hi'), { type: 'prompt_suggestion', suggestion: 'next' });
    agent.exit();
    assert.deepEqual((await collect(conversation.messages)).map(brief), ['prompt_suggestion']);
    assert.deepEqual((await collect(turn)).map(brief), ['system/init', 'hi', 'result/success']);
  },

  'gives `allMessages()` everything in the order of the wire': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const messages = conversation.allMessages();
    const turn = conversation.send('a');
    const named = conversation.send({ content: 'b', uuid: 'named' });
    agent.write(...wholeTurn(turn.id, 'hi'), { type: 'prompt_suggestion' }, ...wholeTurn(named.id, 'ho'));
    agent.exit();
    assert.deepEqual((await collect(messages)).map(brief), [
      ...['system/init', 'hi', 'result/success'],
      'prompt_suggestion',
      // The state of a message is delivered only where its uuid is the program's own.
      ...['command_lifecycle', 'command_lifecycle', 'system/init', 'ho', 'result/success', 'command_lifecycle'],
    ]);
    await assertRejects(collect(turn), { code: 'MESSAGES_DISCARDED' });
    assertMatches(await turn.result, { text: 'hi' });
  },

  'gives `allMessages()` what came before the call too, and its end': async (fixture) => {
    for (const hasExited of [false, true]) {
      const { conversation, agent } = await converse(fixture, { softMarkBytes: 2000 });
      agent.write(init(), assistantText('early'), assistantText('too'), result());
      await microtasks();
      if (hasExited) {
        agent.exit();
        await conversation.exited;
      }
      const seen: string[] = [];
      const reader = conversation.allMessages((message) => void seen.push(brief(message)));
      const expected = ['system/init', 'early', 'too', 'result/success'];
      assert.deepEqual(seen, expected);
      agent.exit();
      assert.deepEqual((await collect(reader)).map(brief), expected);
    }
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 500 });
    agent.write(assistantText(kilobyte));
    await microtasks();
    await assertRejects(conversation.allMessages().next(), { code: 'MESSAGES_DISCARDED' });
  },

  'calls `onArrival` with each message when it arrives, before anyone reads': async (fixture) => {
    const seen: string[] = [];
    const { conversation, agent } = await converse(fixture);
    conversation.allMessages((message) => void seen.push(brief(message)));
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'hi'));
    await turn.result;
    assert.deepEqual(seen, ['system/init', 'hi', 'result/success']);
  },

  'delivers at once to a reader that waits': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const messages = conversation.allMessages();
    const next = [messages.next(), messages.next()];
    agent.write(assistantText('one'), assistantText('two'));
    const seen = (await Promise.all(next)).map((step) => step.done !== true && brief(step.value));
    assert.deepEqual(seen, ['one', 'two']);
  },

  'pauses the agent for a slow reader, and loses nothing': async (fixture) => {
    for (const readsAll of [false, true]) {
      const { conversation, agent } = await converse(fixture, { softMarkBytes: 5000 });
      const all = readsAll ? conversation.allMessages() : undefined;
      const turn = conversation.send('a');
      agent.write(lifecycle(turn.id, 'started'), init(turn.id));
      for (let count = 0; count < 20; count += 1) agent.write(assistantText(`${count} ${kilobyte}`));
      agent.write(result());
      await microtasks();
      assert.equal(agent.paused, true);
      agent.exit();
      const seen = await collect(all ?? turn);
      assert.deepEqual(
        seen.slice(1, -1).map(brief),
        Array.from({ length: 20 }, (_, count) => `${count} ${kilobyte}`),
      );
    }
  },

  'keeps a message that waits as the agent wrote it': async (fixture) => {
    const { conversation, agent } = await converse(fixture, {
      softMarkBytes: 100,
      ...withCallbacks(),
    });
    const messages = conversation.allMessages();
    const lines = [
      '{"type":"a","number":1e400,"text":"\\u0061 👋 ü"}',
      '{"type":"b","__proto__":{"x":1},"10":1,"9":2}',
    ];
    agent.writeLines([...lines, ...lines, ...lines]);
    await microtasks();
    agent.exit();
    const seen = await collect(messages);
    assert.deepEqual(seen, [...seen.slice(0, 2), ...seen.slice(0, 2), ...seen.slice(0, 2)]);
    assertMatches(seen[4], { type: 'a', number: Infinity, text: 'a 👋 ü' });
  },

  'reads on for the questions of the agent, up to the hard mark': async (fixture) => {
    const marks = { softMarkBytes: 5000, hardMarkBytes: 50_000 };
    const { conversation, agent } = await converse(fixture, { ...marks, ...withCallbacks() });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    for (let count = 0; count < 20; count += 1) agent.write(assistantText(kilobyte));
    agent.write(permissionRequest);
    assertMatches(await agent.next('control_response'), { response: { request_id: 'asked' } });
    assert.equal(agent.paused, false);
    for (let count = 0; count < 40; count += 1) agent.write(assistantText(kilobyte));
    await microtasks();
    assert.equal(agent.paused, true);
  },

  'reads on for the answer to a request, up to the hard mark': async (fixture) => {
    const marks = { softMarkBytes: 2000, hardMarkBytes: 20_000 };
    const { conversation, agent, clock } = await converse(fixture, marks);
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const answered = conversation.control('mcp_status');
    for (let count = 0; count < 10; count += 1) agent.write(assistantText(kilobyte));
    agent.write(response(await agent.next('mcp_status'), { servers: 1 }));
    assert.deepEqual(await answered, { servers: 1 });
    const stalled = conversation.control('mcp_status');
    for (let count = 0; count < 20; count += 1) agent.write(assistantText(kilobyte));
    await microtasks();
    clock.advance(60_000);
    await assertRejects(stalled, { code: 'REQUEST_STALLED', message: /bytes/u });
  },

  'holds nothing up for a reader that has left its loop': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 5000 });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    for await (const _ of turn) break;
    for (let count = 0; count < 20; count += 1) agent.write(assistantText(kilobyte));
    await microtasks();
    assert.equal(agent.paused, false);
    agent.write(result());
    assertMatches(await turn.result, { kind: 'completed' });
  },

  'delivers everything with marks of any size': async (fixture) => {
    for (const mark of [0, 0.5, 1, Number.MAX_SAFE_INTEGER]) {
      const { conversation, agent } = await converse(fixture, { softMarkBytes: mark, hardMarkBytes: mark });
      const turn = conversation.send('go');
      agent.write(lifecycle(turn.id, 'started'), assistantText('a'), assistantText('b'), result());
      assert.equal((await collect(turn)).length, 3);
    }
  },
};
