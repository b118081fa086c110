import { assert } from './assert.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { agentFrames } from '../doubles/agent-frames.ts';
import { brief, converse, interruptsOf, unwritable, type ConversationsPromises } from './conversations-fixture.ts';
import { assertMatches, assertRejects, collect } from './matching.ts';

const { init, interrupted, lifecycle, refusal, response, result, assistantText, state } = agentFrames;

/** What an interrupt of the running turn achieves. */
export const interrupting: ConversationsPromises = {
  'is `nothing_running` when nothing was sent, and asks the agent nothing': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    assert.equal(await conversation.interrupt(), 'nothing_running');
    assert.equal(agent.lines.length, 1);
  },

  'is `interrupted` when the turn was stopped; the request follows its message at once': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('one');
    const interrupting = turn.interrupt();
    const request = await agent.next('interrupt');
    const written = agent.received.map(({ type, request: asked }) => asked?.subtype ?? type);
    assert.deepEqual(written, ['initialize', 'user', 'interrupt']);
    agent.write(response(request, { still_queued: [turn.id] }));
    agent.write(lifecycle(turn.id, 'queued'), lifecycle(turn.id, 'started'), init(turn.id), interrupted(turn.id));
    assert.equal(await interrupting, 'interrupted');
    assertMatches(await turn.result, { kind: 'interrupted' });
  },

  'is `too_late` when the turn ends by itself, whatever the receipt claims': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), assistantText('done'));
    const interrupting = turn.interrupt();
    agent.write(response(await agent.next('interrupt'), { still_queued: [] }));
    agent.write(result({ result: 'done', user_message_uuids: [turn.id] }));
    assert.equal(await interrupting, 'too_late');
  },

  'is `too_late` for a turn that has ended, and asks the agent nothing': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const first = conversation.send('one');
    agent.write(lifecycle(first.id, 'started'), interrupted(first.id));
    await first.result;
    const second = conversation.send('two');
    assert.equal(await first.interrupt(), 'too_late');
    agent.write(lifecycle(second.id, 'started'), init(second.id), result({ user_message_uuids: [second.id] }));
    assertMatches(await second.result, { kind: 'completed' });
    assert.equal(interruptsOf(agent), 0);
  },

  'is `too_late` for a message that the agent had handled before': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const repeated = conversation.send({ content: 'a', uuid: 'known-to-the-resumed-session' });
    const interrupting = repeated.interrupt();
    agent.write(lifecycle(repeated.id, 'completed'));
    assert.equal(await interrupting, 'too_late');
  },

  'comes without the receipt once the turn has ended': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const interrupting = turn.interrupt();
    await agent.next('interrupt');
    agent.write(interrupted(turn.id));
    assert.equal(await interrupting, 'interrupted');
  },

  'is asked for once by all who ask at once: one more could stop the next turn': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const interrupting = [turn.interrupt(), turn.interrupt(), conversation.interrupt()];
    agent.write(response(await agent.next('interrupt'), { still_queued: [] }));
    await microtasks();
    agent.write(interrupted(turn.id));
    assert.deepEqual(await Promise.all(interrupting), ['interrupted', 'interrupted', 'interrupted']);
    assert.equal(interruptsOf(agent), 1);
  },

  'is requested again when the agent has confirmed it and continues': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const first = turn.interrupt();
    agent.write(response(await agent.next('interrupt'), { still_queued: [] }));
    await microtasks();
    const second = turn.interrupt();
    agent.write(response(await agent.next('interrupt'), { still_queued: [] }));
    agent.write(interrupted(turn.id));
    assert.deepEqual(await Promise.all([first, second]), ['interrupted', 'interrupted']);
  },

  'rejects when the agent refuses it, and may be tried again': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const refused = turn.interrupt();
    agent.write(refusal(await agent.next('interrupt'), 'not now'));
    await assertRejects(refused, { code: 'REQUEST_FAILED', message: /not now/u });
    const again = turn.interrupt();
    agent.write(response(await agent.next('interrupt'), { still_queued: [] }));
    agent.write(interrupted(turn.id));
    assert.equal(await again, 'interrupted');
  },

  'comes although the reader has stopped reading before the end of the turn': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 1000 });
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), assistantText('x'.repeat(2000)));
    await turn[Symbol.asyncIterator]().next();
    await microtasks();
    assert.equal(agent.paused, true);
    const interrupting = turn.interrupt();
    agent.write(response(await agent.next('interrupt'), { still_queued: [] }));
    await microtasks();
    agent.write(interrupted(turn.id));
    assert.equal(await interrupting, 'interrupted');
  },

  'rejects with REQUEST_STALLED when the end of the turn lies too far behind unread messages': async (fixture) => {
    const { conversation, agent, clock } = await converse(fixture, { softMarkBytes: 1000, hardMarkBytes: 4000 });
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const reader = turn[Symbol.asyncIterator]();
    await reader.next();
    const interrupting = conversation.interrupt();
    agent.write(response(await agent.next('interrupt')));
    for (let count = 0; count < 10; count += 1) agent.write(assistantText('x'.repeat(1000)));
    await microtasks();
    agent.write(interrupted(turn.id));
    clock.advance(60_000);
    await assertRejects(interrupting, { code: 'REQUEST_STALLED' });
    // The turn itself continues.
    const seen = await collect({ [Symbol.asyncIterator]: () => reader });
    assert.deepEqual(
      [seen.length, brief(seen.at(-1) ?? { type: 'unknown none' })],
      [11, 'result/error_during_execution'],
    );
  },

  'is read from what follows the result of a local command, which gives no reason': async (fixture) => {
    for (const [ending, outcome] of [
      ['cancelled', 'interrupted'],
      ['completed', 'too_late'],
    ] as const) {
      const { conversation, agent } = await converse(fixture);
      const turn = conversation.send('/compact');
      agent.write(lifecycle(turn.id, 'started'), init(turn.id));
      const interrupting = turn.interrupt();
      agent.write(response(await agent.next('interrupt'), { still_queued: [] }));
      agent.write(result({ terminal_reason: undefined, user_message_uuids: [turn.id] }), lifecycle(turn.id, ending));
      assert.equal(await interrupting, outcome);
    }
  },

  'is `too_late` when nothing follows the result of a local command; the next turn is left alone': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('/compact');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const first = turn.interrupt();
    agent.write(response(await agent.next('interrupt'), { still_queued: [] }));
    agent.write(result({ terminal_reason: undefined, user_message_uuids: [turn.id] }));
    await microtasks();
    const second = turn.interrupt();
    const next = conversation.send('next');
    agent.write(
      lifecycle(next.id, 'started'),
      init(next.id),
      assistantText('x'),
      result({ user_message_uuids: [next.id] }),
    );
    assertMatches(await next.result, { kind: 'completed', text: 'x' });
    agent.write(state('idle'));
    assert.deepEqual(await Promise.all([first, second]), ['too_late', 'too_late']);
    assertMatches(await turn.result, { kind: 'completed' });
    assert.equal(interruptsOf(agent), 1);
  },

  'is read from the result alone of an older agent, which reports nothing of messages': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    agent.write(init());
    const interrupting = turn.interrupt();
    agent.write(response(await agent.next('interrupt')));
    agent.write(result({ terminal_reason: undefined }));
    assert.equal(await interrupting, 'too_late');
  },

  'fails as the turn does': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    await assertRejects(conversation.send(unwritable).interrupt(), { code: 'FRAME_INVALID' });
    const interrupting = conversation.send('one').interrupt();
    await agent.next('interrupt');
    agent.exit({ signal: 'SIGKILL' });
    await assertRejects(interrupting, { code: 'AGENT_EXITED', signal: 'SIGKILL' });
  },
};

/** What an interrupt of a queued turn achieves. */
export const withdrawing: ConversationsPromises = {
  'is `cancelled` when the message was taken out of the queue; the running turn continues': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [running, queued] = [conversation.send('one'), conversation.send('two')];
    agent.write(lifecycle(running.id, 'started'), init(running.id), lifecycle(queued.id, 'queued'));
    await microtasks();
    const interrupting = queued.interrupt();
    const request = await agent.next('cancel_async_message');
    assertMatches(request.request, { message_uuid: queued.id });
    agent.write(lifecycle(queued.id, 'cancelled'), response(request, { cancelled: false }));
    assert.equal(await interrupting, 'cancelled');
    agent.write(result({ result: 'fine', user_message_uuids: [running.id] }));
    assertMatches(await running.result, { kind: 'completed' });
    assert.equal(interruptsOf(agent), 0);
  },

  'is `cancelled` also before the agent has begun with the first message': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [first, second] = [conversation.send('one'), conversation.send('two')];
    const interrupting = second.interrupt();
    const request = await agent.next('cancel_async_message');
    agent.write(lifecycle(first.id, 'started'), init(first.id), lifecycle(second.id, 'cancelled'));
    agent.write(response(request, { cancelled: true }));
    assert.equal(await interrupting, 'cancelled');
    agent.write(result({ user_message_uuids: [first.id] }));
    assertMatches(await first.result, { kind: 'completed' });
  },

  'is `too_late` when the turn ran meanwhile; the one after it is left alone': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [running, queued, last] = [conversation.send('one'), conversation.send('two'), conversation.send('three')];
    agent.write(lifecycle(running.id, 'started'), init(running.id));
    await microtasks();
    const interrupting = queued.interrupt();
    const request = await agent.next('cancel_async_message');
    agent.write(result({ user_message_uuids: [running.id] }));
    agent.write(lifecycle(queued.id, 'started'), result({ user_message_uuids: [queued.id] }));
    agent.write(lifecycle(last.id, 'started'), response(request, { cancelled: false }));
    assert.equal(await interrupting, 'too_late');
    await microtasks();
    assert.equal(interruptsOf(agent), 0);
  },

  'waits when the agent does not let the message go, and leaves the running turn alone': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [running, queued] = [conversation.send('one'), conversation.send('two')];
    agent.write(lifecycle(running.id, 'started'), init(running.id));
    await microtasks();
    const interrupting = queued.interrupt();
    agent.write(response(await agent.next('cancel_async_message'), { cancelled: false }));
    await microtasks();
    agent.write(result({ user_message_uuids: [running.id] }));
    agent.write(lifecycle(queued.id, 'started'), result({ user_message_uuids: [queued.id] }));
    assert.equal(await interrupting, 'too_late');
    assert.equal(interruptsOf(agent), 0);
  },
};
