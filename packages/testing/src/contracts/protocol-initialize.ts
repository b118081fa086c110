import { assert } from './assert.ts';
import { AgentExitedError, SdkError } from '@hexagent/ports';
import { microtasks } from '../doubles/microtasks.ts';
import { answer, ask, open, outcomeOf, type ProtocolPromises } from './protocol-fixture.ts';
import { hasCode } from './has-code.ts';

const uuid = '00000000-0000-4000-8000-000000000001';

/** How a conversation is set up. */
export const initializing: ProtocolPromises = {
  'writes initialize first, at once, with the fields it was given': async (fixture) => {
    const { agent, channel } = await open(fixture, { initialize: { title: 'A title' }, unanswered: true });
    assert.deepEqual(
      agent.received.map(({ request }) => request),
      [{ subtype: 'initialize', title: 'A title' }],
    );
    await channel.close();
  },

  'resolves `initialized` with the answer of the agent': async (fixture) => {
    const { agent, channel } = await open(fixture, { unanswered: true });
    answer(agent, await agent.next('initialize'), { output_style: 'default' });
    assert.deepEqual(await channel.initialized, { output_style: 'default' });
    await channel.close();
  },

  'does not call the host before `open()` has returned the channel': async (fixture) => {
    let calls = 0;
    const { channel } = await open(fixture, { unanswered: true, host: { activity: () => (calls += 1) } });
    assert.equal(calls, 0);
    await channel.close();
  },

  'does not hold a message back until initialize is answered': async (fixture) => {
    const { agent, channel } = await open(fixture, { unanswered: true });
    await channel.send({ content: 'Hello', uuid });
    assert.deepEqual(
      agent.received.map(({ type }) => type),
      ['control_request', 'user'],
    );
    await channel.close();
  },

  'holds everything back until initialize is answered when asked to, then keeps the order': async (fixture) => {
    const { agent, channel } = await open(fixture, { awaitInitialize: true, unanswered: true });
    const sending = [channel.send({ content: 'First', uuid }), channel.send({ content: 'Second', uuid: `${uuid}1` })];
    void outcomeOf(channel.request('mcp_status'));
    await microtasks();
    assert.equal(agent.lines.length, 1);
    answer(agent, await agent.next('initialize'));
    await Promise.all(sending);
    assert.deepEqual(
      agent.received.slice(1).map(({ message, request }) => message?.content ?? request?.subtype),
      ['First', 'Second', 'mcp_status'],
    );
    await channel.close();
  },

  'answers the agent while it holds back: without those answers initialize would wait for ever': async (fixture) => {
    const { agent, channel } = await open(fixture, { awaitInitialize: true, unanswered: true });
    assert.equal((await ask(agent, { subtype: 'nothing_known' })).subtype, 'error');
    await channel.close();
  },

  'rejects messages that were held back when initialize fails': async (fixture) => {
    const { agent, channel } = await open(fixture, { awaitInitialize: true, unanswered: true });
    const sending = outcomeOf(channel.send({ content: 'Hello', uuid }));
    const asking = outcomeOf(channel.request('mcp_status'));
    fail(agent, (await agent.next('initialize')).request_id);
    for (const outcome of [sending, asking]) assert.ok(hasCode('INITIALIZE_FAILED')(await outcome));
    assert.equal(agent.lines.length, 1);
    await channel.close();
  },

  'rejects messages that were held back when the answer to initialize fails the check': async (fixture) => {
    const refusal = new SdkError('INITIALIZE_FAILED', 'Not like this.');
    const checked: unknown[] = [];
    const checkInitialize = (given: unknown): void => {
      checked.push(given);
      throw refusal;
    };
    const { agent, channel } = await open(fixture, { awaitInitialize: true, unanswered: true, checkInitialize });
    const sending = outcomeOf(channel.send({ content: 'Hello', uuid }));
    answer(agent, await agent.next('initialize'), { output_style: 'default' });
    assert.equal(await sending, refusal);
    await assert.rejects(channel.initialized, (error) => error === refusal);
    assert.deepEqual(checked, [{ output_style: 'default' }]);
    assert.equal(agent.lines.length, 1);
    await channel.close();
  },

  'rejects `initialized` with the message of an agent that refuses it, and stays open': async (fixture) => {
    const { agent, channel } = await open(fixture, { unanswered: true });
    fail(agent, (await agent.next('initialize')).request_id);
    await assert.rejects(
      channel.initialized,
      (error) => hasCode('INITIALIZE_FAILED')(error) && /hooks: no/u.test(String(error)),
    );
    await channel.send({ content: 'Hello', uuid });
    assert.equal(agent.lines.length, 2);
    await channel.close();
  },

  '#29 gives initialize a deadline of 60 s, or of `initializeTimeoutMs`': async (fixture) => {
    for (const [initializeTimeoutMs, ms] of [
      [undefined, 60_000],
      [5, 5],
    ] as const) {
      const { agent, channel, clock } = await open(fixture, { initializeTimeoutMs, unanswered: true });
      clock.pass(ms - 1);
      await microtasks();
      assert.equal(channel.openRequests, 1);
      clock.pass(1);
      await assert.rejects(channel.initialized, hasCode('INITIALIZE_TIMEOUT'));
      assert.equal(agent.lines.length, 1); // a set-up that takes long is not called off
      await channel.close();
    }
  },

  'refuses an initializeTimeoutMs that is not a delay': async (fixture) => {
    for (const wrong of [NaN, -1, '5', null]) {
      // A program in JavaScript may pass anything.
      const opening = open(fixture, { initializeTimeoutMs: wrong as number, unanswered: true });
      await assert.rejects(
        opening,
        (error) => error instanceof TypeError && /initializeTimeoutMs/u.test(error.message),
      );
    }
  },

  '#29 waits for ever when the deadline is 0': async (fixture) => {
    const { channel, clock } = await open(fixture, { initializeTimeoutMs: 0, unanswered: true });
    assert.equal(clock.waiting, 0);
    await channel.close();
  },

  '#29 rejects `initialized` with the end of stderr of an agent that exits before it answers': async (fixture) => {
    const { agent, channel } = await open(fixture, { unanswered: true });
    agent.exit({ code: 1, stderr: 'bad flag' });
    await assert.rejects(channel.initialized, (error) => {
      assert.ok(error instanceof AgentExitedError);
      assert.match(error.message, /initialize/u);
      assert.deepEqual([error.exitCode, error.stderr, error.lost], [1, 'bad flag', ['initialize']]);
      return true;
    });
  },

  'writes nothing when initialize cannot be written, since the agent would run without its settings': async (
    fixture,
  ) => {
    const { agent, channel } = await open(fixture, { initialize: { unwritable: 1n }, unanswered: true });
    await assert.rejects(channel.initialized, hasCode('FRAME_INVALID'));
    await assert.rejects(channel.send({ content: 'Hello', uuid }), hasCode('FRAME_INVALID'));
    assert.deepEqual(agent.lines, []);
    await channel.close();
  },
};

function fail(agent: { write(frame: object): void }, request_id: string | undefined): void {
  agent.write({ type: 'control_response', response: { subtype: 'error', request_id, error: 'hooks: no such shape' } });
}
