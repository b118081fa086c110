import { assert } from './assert.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { agentFrames } from '../doubles/agent-frames.ts';
import { brief, converse, firstUnsent, interruptsOf, type ConversationsPromises } from './conversations-fixture.ts';
import { assertMatches, assertRejects, collect } from './matching.ts';

const { init, interrupted, lifecycle, response, result, assistantText, state, tasks, wholeTurn } = agentFrames;

/** Messages that share a turn. */
export const folding: ConversationsPromises = {
  'gives messages that were merged the same outcome, and the first of them the messages': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    agent.write(
      lifecycle(first.id, 'started'),
      lifecycle(second.id, 'started'),
      init(first.id, second.id),
      assistantText('both'),
      result({ user_message_uuids: [first.id, second.id], total_cost_usd: 0.25 }),
    );
    const outcome = await first.result;
    assert.equal(await second.result, outcome);
    assertMatches(outcome, { kind: 'completed', text: 'both', cost: 0.25 });
    assert.deepEqual((await collect(first)).map(brief), ['system/init', 'both', 'result/success']);
    assert.deepEqual(await collect(second), []);
  },

  'counts the cost of a shared result once': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [first, second, third] = [conversation.send('a'), conversation.send('b'), conversation.send('c')];
    agent.write(init(), result({ user_message_uuids: [first.id, second.id], total_cost_usd: 0.5 }));
    agent.write(init(), result({ user_message_uuids: [third.id], total_cost_usd: 0.75 }));
    assertMatches(await second.result, { cost: 0.5 });
    assertMatches(await third.result, { cost: 0.25 });
  },

  'gives a message that the agent folds into a running turn the outcome of that turn': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const running = conversation.send('a');
    agent.write(state('running'), lifecycle(running.id, 'started'), init(running.id), assistantText('working'));
    const folded = conversation.send('also this');
    // The agent reports the folded message as completed before the result that names it.
    agent.write(
      lifecycle(folded.id, 'queued'),
      lifecycle(folded.id, 'started'),
      assistantText('both done'),
      lifecycle(folded.id, 'completed'),
      result({ result: 'both done', user_message_uuids: [running.id, folded.id] }),
      lifecycle(running.id, 'completed'),
      state('idle'),
    );
    const outcome = await folded.result;
    assertMatches(outcome, { kind: 'completed', text: 'both done' });
    assert.equal(await running.result, outcome);
    assert.deepEqual((await collect(running)).map(brief), ['system/init', 'working', 'both done', 'result/success']);
    assert.deepEqual(await collect(folded), []);
  },

  'interrupts a folded message with its turn, and asks the agent once for both': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const running = conversation.send('a');
    agent.write(state('running'), lifecycle(running.id, 'started'), init(running.id));
    const folded = conversation.send('also this');
    agent.write(lifecycle(folded.id, 'queued'), lifecycle(folded.id, 'started'), assistantText('partial'));
    await microtasks();
    const interrupts = [folded.interrupt(), running.interrupt()];
    agent.write(response(await agent.next('interrupt'), { still_queued: [] }));
    agent.write(
      lifecycle(folded.id, 'cancelled'),
      interrupted(running.id, folded.id),
      lifecycle(running.id, 'cancelled'),
      state('idle'),
    );
    assert.deepEqual(await Promise.all(interrupts), ['interrupted', 'interrupted']);
    assertMatches(await folded.result, { kind: 'interrupted', text: 'partial' });
    assert.equal(await running.result, await folded.result);
    assert.equal(interruptsOf(agent), 1);
  },
};

const taskStarted = (tool_use_id: string, is_backgrounded: boolean): object => ({
  type: 'system',
  subtype: 'task_started',
  task_id: 't',
  tool_use_id,
  task_type: 'local_agent',
  is_backgrounded,
});
const taskEnded = (tool_use_id: string): object => ({
  type: 'system',
  subtype: 'task_notification',
  task_id: 't',
  tool_use_id,
  status: 'completed',
});
const subagentText = (text: string): object => ({ ...assistantText(text), parent_tool_use_id: 'call' });

/** Unsolicited turns, and work in the background. */
export const unsent: ConversationsPromises = {
  'come by `turns`, with an id, messages and an outcome of their own': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('delegate');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), tasks({ task_id: 't', task_type: 'local_agent' }));
    agent.write(result({ user_message_uuids: [turn.id] }));
    agent.write(tasks(), init(), assistantText('the report'), result({ result: 'the report' }), state('idle'));
    const unsentTurn = await firstUnsent(conversation);
    assert.deepEqual((await collect(unsentTurn)).map(brief), ['system/init', 'the report', 'result/success']);
    assertMatches(await unsentTurn.result, { kind: 'completed', text: 'the report' });
    agent.write(init(), result());
    const ids = [turn.id, unsentTurn.id, (await firstUnsent(conversation)).id];
    assert.deepEqual([new Set(ids).size, ids.every((id) => typeof id === 'string')], [3, true]);
  },

  'take nothing from a message that waits': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const first = conversation.send('a');
    agent.write(...wholeTurn(first.id, 'x'));
    const waiting = conversation.send('b');
    agent.write(state('running'), lifecycle(waiting.id, 'queued'), init(), result({ result: 'report' }));
    agent.write(...wholeTurn(waiting.id, 'y').slice(2));
    assertMatches(await waiting.result, { text: 'y' });
    const unsentTurn = await firstUnsent(conversation);
    assertMatches(await unsentTurn.result, { text: 'report' });
  },

  'are kept for a late reader if they are few, and report the loss if they are many': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    for (const text of ['0', '1', '2']) agent.write(init(), result({ result: text }));
    await microtasks();
    const unsentTurn = await firstUnsent(conversation);
    assertMatches(await unsentTurn.result, { text: '0' });
    const { conversation: other, agent: busy } = await converse(fixture);
    for (let count = 0; count < 1000; count += 1) busy.write(init(), result());
    await microtasks();
    await assertRejects(firstUnsent(other), { code: 'MESSAGES_DISCARDED' });
  },

  'never hold up the others, though they are not read': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 2000 });
    for (let count = 0; count < 20; count += 1) agent.write(init(), assistantText('x'.repeat(1000)), result());
    await microtasks();
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'x'));
    await microtasks();
    assert.equal(agent.paused, false);
    assertMatches(await turn.result, { text: 'x' });
  },

  'are kept apart from what a subagent sends in the background of another turn': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const first = conversation.send('delegate');
    agent.write(
      lifecycle(first.id, 'started'),
      init(first.id),
      tasks({ task_id: 't', task_type: 'local_agent' }),
      taskStarted('call', true),
      subagentText('early'),
      result({ user_message_uuids: [first.id] }),
      subagentText('between'),
    );
    const second = conversation.send('meanwhile');
    agent.write(
      lifecycle(second.id, 'started'),
      init(second.id),
      subagentText('during another'),
      assistantText('the answer'),
      result({ user_message_uuids: [second.id] }),
      tasks(),
      state('idle'),
    );
    await conversation.idle();
    agent.exit();
    assert.ok((await collect(first)).map(brief).includes('early'));
    assert.deepEqual((await collect(second)).map(brief), ['system/init', 'the answer', 'result/success']);
    const others = (await collect(conversation.messages)).map(brief);
    assert.deepEqual(others, ['between', 'during another', 'system/background_tasks_changed']);
  },

  'assign the messages of a subagent in the foreground to the turn that it works for': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const first = conversation.send('delegate');
    agent.write(lifecycle(first.id, 'started'), init(first.id), taskStarted('call', true), taskEnded('call'), result());
    const second = conversation.send('again');
    agent.write(lifecycle(second.id, 'started'), taskStarted('call', false), subagentText('for the turn'), result());
    assert.ok((await collect(second)).map(brief).includes('for the turn'));
  },
};
