import { assert } from './assert.ts';
import { answering } from '../doubles/answering.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { agentFrames } from '../doubles/agent-frames.ts';
import {
  converse,
  permissionRequest,
  unwritable,
  withCallbacks,
  type ConversationsPromises,
} from './conversations-fixture.ts';
import { assertMatches, assertRejects, assertThrows, collect, track } from './matching.ts';

const { init, lifecycle, refusal, response, result, assistantText, state, tasks, wholeTurn } = agentFrames;
const shell = { task_id: 'shell', task_type: 'local_bash' };
const delegated = { task_id: 't', task_type: 'local_agent' };
const long = assistantText('x'.repeat(2000));

/** `idle()`. */
export const idling: ConversationsPromises = {
  'resolves at once when nothing was sent': async (fixture) => {
    const { conversation } = await converse(fixture);
    await conversation.idle();
  },

  'waits for turns, for tasks, and for the agent to report that it is idle': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    const idle = conversation.idle();
    const tracked = track(idle);
    agent.write(state('running'), lifecycle(turn.id, 'started'), init(turn.id), tasks(delegated), result());
    await turn.result;
    await microtasks();
    assert.equal(tracked.settled, false);
    agent.write(state('idle'));
    await microtasks();
    assert.equal(tracked.settled, false);
    agent.write(state('running'), tasks());
    await microtasks();
    assert.equal(tracked.settled, false);
    agent.write(state('idle'));
    await idle;
  },

  'waits for the turn of an agent too old to report its state': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    conversation.send('a');
    const idle = conversation.idle();
    const tracked = track(idle);
    agent.write(init());
    await microtasks();
    assert.equal(tracked.settled, false);
    agent.write(result());
    await idle;
  },

  'waits for each task that went to the background, where the agent gives no list': async (fixture) => {
    const task = (subtype: string, task_id: string, is_backgrounded: boolean): object => ({
      ...{ type: 'system', subtype, task_id, task_type: 'local_agent', status: 'stopped', is_backgrounded },
    });
    const { conversation, agent } = await converse(fixture);
    agent.write(task('task_started', 'front', false));
    await microtasks();
    await conversation.idle();
    agent.write(task('task_started', 'back', true));
    await microtasks();
    const idle = conversation.idle();
    const tracked = track(idle);
    await microtasks();
    assert.equal(tracked.settled, false);
    agent.write(task('task_notification', 'back', true));
    await idle;
    // A list is newer than what was reported of each task.
    agent.write(task('task_started', 'another', true), tasks());
    await microtasks();
    await conversation.idle();
  },

  '`idle()` does not wait for a reader': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 1000 });
    const turn = conversation.send('a');
    const idle = conversation.idle();
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), long, long, result(), state('idle'));
    await idle;
    await assertRejects(collect(turn), { code: 'MESSAGES_DISCARDED' });
  },

  'resolves when the agent has exited after finish(), and rejects when it has exited before': async (fixture) => {
    const finished = await converse(fixture);
    const turn = finished.conversation.send('delegate');
    void finished.conversation.finish();
    // No callback can be asked, so the task is left to the agent.
    finished.agent.write(tasks(delegated), lifecycle(turn.id, 'started'), result({ user_message_uuids: [turn.id] }));
    await finished.agent.ended;
    const idle = finished.conversation.idle();
    finished.agent.exit();
    await idle;
    const { conversation, agent } = await converse(fixture);
    agent.write(tasks(delegated));
    await microtasks();
    const waiting = conversation.idle();
    agent.exit();
    await assertRejects(waiting, { code: 'AGENT_EXITED', exitCode: 0 });
    await conversation.idle();
  },
};

/** `finish()`. */
export const finishing: ConversationsPromises = {
  'ends the input at once when nothing was sent, and resolves with the exit': async (fixture) => {
    const { conversation, agent, warned } = await converse(fixture);
    const finished = conversation.finish();
    await agent.ended;
    agent.exit({ notEnded: [] });
    assertMatches(await finished, { code: 0, closed: false });
    assertMatches(await conversation.finish(), { code: 0 });
    assert.deepEqual(warned, []);
  },

  'throws for a message that is sent afterwards': async (fixture) => {
    const { conversation } = await converse(fixture);
    void conversation.finish();
    assertThrows(() => conversation.send('late'), { code: 'CONVERSATION_CLOSED', message: /finish\(\)/u });
  },

  'keeps the input open until queued turns have ended, and for callbacks until the agent is idle': async (fixture) => {
    const { conversation, agent } = await converse(fixture, withCallbacks());
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    const finished = conversation.finish();
    agent.write(state('running'), ...wholeTurn(first.id, 'x').slice(1, -1));
    await first.result;
    assert.equal(agent.inputEnded, false);
    agent.write(...wholeTurn(second.id, 'y').slice(1, -1));
    await second.result;
    await microtasks();
    assert.equal(agent.inputEnded, false);
    agent.write(state('idle'));
    await agent.ended;
    agent.exit();
    await finished;
  },

  'keeps the input open for requests in either direction': async (fixture) => {
    const decisions: (() => void)[] = [];
    const decide = (): Promise<{ behavior: 'allow' }> =>
      new Promise((resolve) => decisions.push(() => resolve({ behavior: 'allow' })));
    const { conversation, agent } = await converse(fixture, { features: [answering({ can_use_tool: decide })] });
    const asked = conversation.control('mcp_status');
    void conversation.finish();
    agent.write(permissionRequest);
    await microtasks();
    agent.write(response(await agent.next('mcp_status'), { mcpServers: [] }));
    assert.deepEqual(await asked, { mcpServers: [] });
    await microtasks();
    assert.equal(agent.inputEnded, false);
    decisions[0]?.();
    await agent.ended;
    assertMatches(agent.received.at(-1), { type: 'control_response', response: { request_id: 'asked' } });
  },

  'leaves requests to the exit with `openRequests: leave`': async (fixture) => {
    const features = [answering({ can_use_tool: () => new Promise<never>(() => {}) })];
    const { conversation, agent } = await converse(fixture, { features, openRequests: 'leave' });
    const turn = conversation.send('a');
    const asked = conversation.control('mcp_status');
    void conversation.finish();
    agent.write(permissionRequest, ...wholeTurn(turn.id, 'x'));
    await agent.ended;
    agent.exit();
    await assertRejects(asked, { code: 'AGENT_EXITED' });
  },

  'waits for a background task and for the turn that it reports with': async (fixture) => {
    const { conversation, agent } = await converse(fixture, withCallbacks());
    const turn = conversation.send('delegate');
    void conversation.finish();
    agent.write(state('running'), lifecycle(turn.id, 'started'), init(turn.id), tasks(delegated), result());
    await turn.result;
    agent.write(state('idle'));
    await microtasks();
    assert.equal(agent.inputEnded, false);
    agent.write(state('running'), tasks(), init(), assistantText('report'), result());
    await microtasks();
    assert.equal(agent.inputEnded, false);
    agent.write(state('idle'));
    await agent.ended;
  },

  'stops each background shell once and waits for its notification': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('start it');
    void conversation.finish();
    agent.write(tasks(shell), ...wholeTurn(turn.id, 'started'));
    const request = await agent.next('stop_task');
    assertMatches(request.request, { task_id: 'shell' });
    agent.write(refusal(request, 'not that one'));
    await microtasks();
    assert.equal(agent.inputEnded, false);
    agent.write(tasks(), state('idle'));
    await agent.ended;
    assert.equal(agent.received.filter(({ request: asked }) => asked?.subtype === 'stop_task').length, 1);
  },

  'leaves background shells to the agent with `backgroundTasks: wait`': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { backgroundTasks: 'wait' });
    const turn = conversation.send('start it');
    void conversation.finish();
    agent.write(tasks(shell), ...wholeTurn(turn.id, 'started'));
    await agent.ended;
    assert.equal(
      agent.received.some(({ request }) => request?.subtype === 'stop_task'),
      false,
    );
  },

  '`finish()` does not wait for a reader': async (fixture) => {
    for (const readsAll of [false, true]) {
      const { conversation, agent } = await converse(fixture, { softMarkBytes: 1000 });
      if (readsAll) conversation.allMessages();
      const turn = conversation.send('a');
      agent.write(lifecycle(turn.id, 'started'), init(turn.id), long, long);
      await microtasks();
      assert.equal(agent.paused, true);
      const finished = conversation.finish();
      agent.write(result({ user_message_uuids: [turn.id] }));
      await agent.ended;
      agent.exit();
      await finished;
    }
  },

  'continues when the last message was handled before, or cannot be written': async (fixture) => {
    const resumed = await converse(fixture);
    const turn = resumed.conversation.send({ content: 'a', uuid: 'known-to-the-resumed-session' });
    void resumed.conversation.finish();
    resumed.agent.write(lifecycle(turn.id, 'completed'));
    await resumed.agent.ended;
    const { conversation, agent } = await converse(fixture);
    conversation.send(unwritable);
    void conversation.finish();
    await agent.ended;
  },

  'rejects with AGENT_NOT_ENDED, and names the processes that could not be ended': async (fixture) => {
    const { conversation, agent, warned } = await converse(fixture);
    const finished = conversation.finish();
    await agent.ended;
    agent.exit({ code: 0, notEnded: [12, 34] });
    await assertRejects(finished, { code: 'AGENT_NOT_ENDED', message: /\b12\b.*\b34\b/u });
    assertMatches(await conversation.exited, { code: 0, notEnded: [12, 34] });
    assert.deepEqual(
      warned.map(({ code }) => code),
      ['HEXAGENT_AGENT_NOT_ENDED'],
    );
  },
};
