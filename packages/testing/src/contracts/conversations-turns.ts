import { assert } from './assert.ts';
import { agentFrames } from '../doubles/agent-frames.ts';
import { brief, converse, unwritable, type ConversationsPromises } from './conversations-fixture.ts';
import { assertMatches, assertRejects, assertThrows, collect } from './matching.ts';

const { init, lifecycle, result, assistantText, wholeTurn } = agentFrames;

/** The results that an agent writes, and the outcomes that they are. */
const outcomes: readonly (readonly [fields: object, expected: object])[] = [
  [{ result: 'fine' }, { kind: 'completed', text: 'fine', usage: { input_tokens: 1 } }],
  [
    { is_error: true, api_error_status: 529, result: 'API Error: 529', terminal_reason: 'api_error' },
    { kind: 'failed', cause: 'api', status: 529, message: 'API Error: 529', hint: { kind: 'overloaded' } },
  ],
  [
    { is_error: true, terminal_reason: 'blocking_limit', result: 'Prompt is too long' },
    { kind: 'failed', cause: 'api', message: 'Prompt is too long' },
  ],
  [
    { subtype: 'error_during_execution', is_error: true, errors: ['x'], terminal_reason: 'api_error' },
    { kind: 'failed', cause: 'api' },
  ],
  [
    { subtype: 'error_max_turns', is_error: true, errors: ['Reached maximum number of turns'] },
    { kind: 'failed', cause: 'limit', message: 'Reached maximum number of turns' },
  ],
  [
    { subtype: 'error_during_execution', is_error: true, errors: ['boom'], terminal_reason: undefined },
    { kind: 'failed', cause: 'agent', message: 'boom' },
  ],
  [
    { subtype: 'error_during_execution', is_error: true, errors: [], terminal_reason: 'aborted_streaming' },
    { kind: 'interrupted', text: 'partial' },
  ],
];

/** One message and one turn. */
export const turns: ConversationsPromises = {
  'gives the messages of the turn and its outcome': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('hello');
    agent.write(...wholeTurn(turn.id, 'hi'));
    assert.deepEqual((await collect(turn)).map(brief), ['system/init', 'hi', 'result/success']);
    assertMatches(await turn.result, { kind: 'completed', text: 'hi' });
  },

  'passes on what the agent wrote, with unknown types and fields': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('hello');
    const strange = { type: 'from_the_future', deep: { field: [1, null, 'é'] } };
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), strange, result());
    assert.deepEqual((await collect(turn))[1], strange);
  },

  'writes messages in the order in which they were sent, each with the id of its turn': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const sent = ['a', 'b', 'c'].map((text) => conversation.send(text));
    conversation.send({ content: 'd', uuid: 'named' });
    await agent.next(({ uuid }) => uuid === 'named');
    const written = agent.received.flatMap(({ type, uuid, message }) =>
      type === 'user' ? [[uuid, message?.content]] : [],
    );
    const ids = [...sent.map(({ id }) => id), 'named'];
    assert.deepEqual(
      written,
      [...ids.entries()].map(([index, id]) => [id, 'abcd'[index]]),
    );
  },

  'keeps the messages of each turn for a reader that comes after the exit': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [first, second] = [conversation.send('one'), conversation.send('two')];
    agent.write(...wholeTurn(first.id, 'a'), ...wholeTurn(second.id, 'b'));
    agent.exit();
    await conversation.exited;
    assert.deepEqual((await collect(second)).map(brief), ['system/init', 'b', 'result/success']);
    assert.deepEqual((await collect(first)).map(brief), ['system/init', 'a', 'result/success']);
  },

  'reports as a value how the turn ended': async (fixture) => {
    for (const [fields, expected] of outcomes) {
      const { conversation, agent } = await converse(fixture);
      const turn = conversation.send('a');
      agent.write(lifecycle(turn.id, 'started'), init(turn.id), assistantText('partial'), result(fields));
      assertMatches(await turn.result, expected);
    }
  },

  'reports the last text where the result has none': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    const call = {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
      parent_tool_use_id: null,
    };
    const subagent = { ...assistantText('not its own'), parent_tool_use_id: 'call' };
    agent.write(lifecycle(turn.id, 'started'), assistantText('first'), assistantText('last'), call, subagent, result());
    assertMatches(await turn.result, { text: 'last' });
  },

  'reports what this turn cost, though the agent reports a total': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const sent = ['a', '/clear', 'b', 'c'].map((text) => conversation.send(text));
    for (const [index, total] of [2, 0, 0.5, 0.75].entries())
      agent.write(lifecycle(sent[index]?.id ?? '', 'started'), result({ total_cost_usd: total }));
    const reported = await Promise.all(sent.map(({ result: ended }) => ended));
    assert.deepEqual(
      reported.map((outcome) => 'cost' in outcome && outcome.cost),
      [2, 0, 0.5, 0.25],
    );
  },

  'reports the cost of each model since the last result, where the agent does': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    const model_usage_since_last_result = { a: { costUSD: 0.5 }, b: { costUSD: 0.25 } };
    agent.write(...wholeTurn(turn.id, 'x', { total_cost_usd: 9, model_usage_since_last_result }));
    assertMatches(await turn.result, { cost: 0.75 });
  },

  'ends without a result when the agent drops the message from its queue': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'queued'), lifecycle(turn.id, 'cancelled'));
    assert.deepEqual(await turn.result, { kind: 'cancelled', why: 'withdrawn' });
    assert.deepEqual(await collect(turn), []);
  },

  'ends without a result when the agent had handled the message before': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send({ content: 'a', uuid: 'known-to-the-resumed-session' });
    agent.write(lifecycle(turn.id, 'completed'));
    assert.deepEqual(await turn.result, { kind: 'cancelled', why: 'repeated' });
  },

  'ends without a result when the agent becomes idle and owes one': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    agent.write(
      agentFrames.state('running'),
      lifecycle(turn.id, 'started'),
      lifecycle(turn.id, 'completed'),
      agentFrames.state('idle'),
    );
    assert.deepEqual(await turn.result, { kind: 'cancelled', why: 'withdrawn' });
    await conversation.idle();
    const next = conversation.send('b');
    agent.write(...wholeTurn(next.id, 'x'));
    assert.deepEqual((await collect(next)).map(brief), ['system/init', 'x', 'result/success']);
  },

  'is the one that a result names, although the agent did not report its beginning': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    agent.write(lifecycle(first.id, 'queued'), result({ result: 'x', user_message_uuids: [second.id] }));
    assertMatches(await second.result, { text: 'x' });
    agent.write(lifecycle(first.id, 'started'), result({ result: 'y', user_message_uuids: [first.id] }));
    assertMatches(await first.result, { text: 'y' });
  },

  'follows the order of sending where an older agent names no message': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    agent.write(
      init(),
      assistantText('x0'),
      result({ result: 'x0' }),
      init(),
      assistantText('x1'),
      result({ result: 'x1' }),
    );
    assertMatches(await first.result, { text: 'x0' });
    assertMatches(await second.result, { text: 'x1' });
  },

  'ends with a result that came without any other frame': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('go');
    const failure = { subtype: 'error_during_execution', is_error: true, terminal_reason: undefined };
    agent.write(result({ ...failure, num_turns: 0, errors: ['No conversation found'] }));
    agent.exit({ code: 1, stderr: 'No conversation found' });
    assertMatches(await turn.result, { kind: 'failed', message: 'No conversation found' });
  },

  'refuses a uuid that was used, and one that is not text, before anything is written': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    conversation.send({ content: 'a', uuid: 'u' });
    assertThrows(() => conversation.send({ content: 'b', uuid: 'u' }), { code: 'MESSAGE_REPEATED' });
    for (const uuid of [{ a: 1 }, 7, true, Symbol('uuid'), ['u']]) {
      // What only a program without types passes.
      assertThrows(() => conversation.send({ content: 'c', uuid: uuid as never }), { name: 'TypeError' });
    }
    await agent.next('user');
    assert.equal(agent.received.filter(({ type }) => type === 'user').length, 1);
  },

  'rejects a message that cannot be written, and no other; its uuid may be used again': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    await assertRejects(conversation.send({ ...unwritable, uuid: 'u' }).result, { code: 'FRAME_INVALID' });
    const turn = conversation.send({ content: 'better', uuid: 'u' });
    agent.write(...wholeTurn(turn.id, 'fine'));
    assertMatches(await turn.result, { text: 'fine' });
    await conversation.idle();
  },
};
