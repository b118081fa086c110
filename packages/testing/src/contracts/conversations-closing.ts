import { assert } from './assert.ts';
import { getEventListeners } from 'node:events';
import type { Transport } from '@hexagent/ports';
import { microtasks } from '../doubles/microtasks.ts';
import { agentFrames } from '../doubles/agent-frames.ts';
import { begin, converse, interruptsOf, type ConversationsPromises } from './conversations-fixture.ts';
import { assertMatches, assertRejects, assertThrows, collect } from './matching.ts';

const { init, interrupted, lifecycle, response, result, assistantText, state } = agentFrames;
const closed = { code: 'CONVERSATION_CLOSED' };

/** `close()`. */
export const closing: ConversationsPromises = {
  'interrupts what runs and what is queued, once, and ends the input': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    conversation.send('a');
    const closing = [conversation.close(), conversation.close()];
    const { request } = await agent.next('interrupt');
    assert.deepEqual(request, { subtype: 'interrupt', cancel_queued: true });
    await agent.ended;
    agent.exit();
    await Promise.all([...closing, conversation.close()]);
    assert.equal(interruptsOf(agent), 1);
  },

  'delivers nothing more, and gives the turn the end that the agent reports in time': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), assistantText('one'));
    const reading = turn[Symbol.asyncIterator]();
    await reading.next();
    const closing = conversation.close();
    await agent.ended;
    agent.write(assistantText('two'), interrupted(turn.id));
    agent.exit();
    await closing;
    await assertRejects(reading.next(), closed);
    assertMatches(await reading.next(), { done: true });
    assertMatches(await turn.result, { kind: 'interrupted' });
  },

  'resolves an interrupt with the outcome of the turn, and sends no further request': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    await microtasks();
    const closing = conversation.close();
    const interrupting = [turn.interrupt(), conversation.interrupt()];
    await agent.ended;
    agent.write(interrupted(turn.id));
    agent.exit();
    await closing;
    assert.deepEqual(await Promise.all(interrupting), ['interrupted', 'interrupted']);
    assert.equal(interruptsOf(agent), 1);
  },

  'ends an agent that does not leave by itself, and rejects what is open': async (fixture) => {
    const { conversation, agent, clock } = await converse(fixture);
    const turn = conversation.send('a');
    agent.write(state('running'));
    await microtasks();
    const idle = conversation.idle();
    const asked = conversation.control('mcp_status');
    const closing = conversation.close();
    await agent.ended;
    await microtasks();
    clock.advance(60_000);
    await closing;
    assertMatches(await conversation.exited, { closed: true });
    await assertRejects(turn.result, closed);
    await assertRejects(idle, closed);
    await assertRejects(asked, { code: 'CHANNEL_CLOSED' });
    assert.equal(clock.waiting, 0);
  },

  'rejects requests that are begun afterwards': async (fixture) => {
    const { conversation } = await converse(fixture);
    const closing = conversation.close();
    assertThrows(() => conversation.send('late'), { ...closed, message: /closed/u });
    await assertRejects(conversation.control('mcp_status'), closed);
    await closing;
    assertThrows(() => conversation.send('late'), closed);
    assert.equal(await conversation.interrupt(), 'nothing_running');
    await conversation.idle();
  },

  'may be called twice, and after the agent has exited': async (fixture) => {
    const { conversation, agent, warned } = await converse(fixture);
    agent.exit({ notEnded: [12] });
    await conversation.exited;
    await Promise.all([conversation.close(), conversation.close()]);
    assertMatches(await conversation.exited, { closed: false });
    // `close()` never rejects, so what still runs is warned of.
    assert.deepEqual(
      warned.map(({ code }) => code),
      ['HEXAGENT_AGENT_NOT_ENDED'],
    );
  },

  'ends who reads the whole without an error, and drops what was not read': async (fixture) => {
    const reader = await converse(fixture);
    const reading = collect(reader.conversation.allMessages());
    await reader.conversation.close();
    assert.deepEqual(await reading, []);
    const { conversation, agent } = await converse(fixture);
    const messages = conversation.allMessages();
    agent.write(assistantText('unread'));
    await microtasks();
    await conversation.close();
    assert.deepEqual(await collect(messages), []);
  },

  'reads what the agent still writes, although an earlier turn is unread and paused it': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 1000 });
    const unread = conversation.send('a');
    const long = assistantText('x'.repeat(2000));
    agent.write(lifecycle(unread.id, 'started'), init(unread.id), long, result({ user_message_uuids: [unread.id] }));
    const running = conversation.send('b');
    await microtasks();
    assert.equal(agent.paused, true);
    const closing = conversation.close();
    agent.write(response(await agent.next('interrupt')));
    await microtasks();
    // No request is open any more for which reading would continue.
    assert.equal(agent.paused, false);
    agent.write(lifecycle(running.id, 'started'), interrupted(running.id));
    assertMatches(await running.result, { kind: 'interrupted' });
    agent.exit();
    await closing;
    assert.equal((await collect(unread)).length, 3);
  },

  'ends a conversation whose agent has not answered `initialize`': async (fixture) => {
    const { conversation, agent } = await begin(fixture);
    const messages = conversation.allMessages();
    const reading = collect(messages);
    const closing = conversation.close();
    agent.write(init(), assistantText('late'));
    await closing;
    assert.deepEqual(await reading, []);
    await assertRejects(conversation.ready, { code: 'CHANNEL_CLOSED' });
  },
};

/** The signal of `open()`. */
export const aborting: ConversationsPromises = {
  'rejects with its reason before anything is started': async (fixture) => {
    let connections = 0;
    const through = (transport: Transport): Transport => ({
      connect: (launch) => ((connections += 1), transport.connect(launch)),
    });
    const opening = begin(fixture, { signal: AbortSignal.abort('before') }, { through });
    await assertRejects(opening, { name: 'AbortError', cause: 'before' });
    assert.equal(connections, 0);
  },

  'rejects with its reason while the agent is started, and leaves none behind': async (fixture) => {
    const controller = new AbortController();
    const exits: Promise<unknown>[] = [];
    // A transport that does not follow the signal itself.
    const through = (transport: Transport): Transport => ({
      async connect(launch) {
        const connection = await transport.connect(launch);
        exits.push(connection.exit);
        controller.abort('changed my mind');
        return connection;
      },
    });
    const opening = begin(fixture, { signal: controller.signal }, { through });
    await assertRejects(opening, { name: 'AbortError', cause: 'changed my mind' });
    assert.equal(exits.length, 1);
    await exits[0];
  },

  'ends readers, turns and everyone who waits with an AbortError that keeps the reason': async (fixture) => {
    const aborted = { name: 'AbortError', cause: 'enough' };
    for (const readsAll of [false, true]) {
      const controller = new AbortController();
      const { conversation, agent } = await converse(fixture, { signal: controller.signal });
      const messages = readsAll ? conversation.allMessages() : conversation.messages;
      const turn = conversation.send('a');
      const waiting = [collect(messages), collect(conversation.turns), conversation.idle(), turn.result];
      controller.abort('enough');
      for (const promise of waiting) await assertRejects(promise, aborted);
      if (!readsAll) await assertRejects(collect(turn), aborted);
      agent.exit();
      await conversation.exited;
      assertThrows(() => conversation.send('late'), { ...closed, cause: aborted });
    }
  },

  'ends the agent': async (fixture) => {
    const controller = new AbortController();
    const { conversation } = await converse(fixture, { signal: controller.signal });
    controller.abort();
    assertMatches(await conversation.exited, { closed: true });
  },

  'is not listened to any more when the agent has exited': async (fixture) => {
    const { signal } = new AbortController();
    const { conversation, agent } = await converse(fixture, { signal });
    agent.exit();
    await conversation.exited;
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  },
};
