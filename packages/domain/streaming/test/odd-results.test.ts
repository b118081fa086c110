import { describe, expect, it } from 'vitest';
import { RecordingObserver } from '@hexagent/testing';
import { converse, init, lifecycle, result } from './support.ts';

describe('A turn whose result is not what it should be', () => {
  it.each([
    ['no numbers', { total_cost_usd: undefined, usage: undefined }, { kind: 'completed', cost: 0 }],
    ['null for what is absent', { model_usage_since_last_result: null, errors: null, result: null }, { text: 'said' }],
    ['a model without its usage', { model_usage_since_last_result: { a: null } }, { cost: 0 }],
    ['a reason that is no text', { terminal_reason: 7 }, { kind: 'completed' }],
    ['a text that is not a string', { is_error: true, result: 7 }, { kind: 'failed', text: 'said' }],
    ['names that are no list', { user_message_uuids: 'x' }, { kind: 'completed' }],
    [
      'errors that are no list',
      { subtype: 'error_during_execution', is_error: true, errors: 'boom' },
      { kind: 'failed', message: 'The agent ended the turn with error_during_execution.' },
    ],
    [
      'a result that is no text, and no errors',
      { subtype: 'error_during_execution', is_error: true, result: { a: 1 } },
      { kind: 'failed', message: 'The agent ended the turn with error_during_execution.' },
    ],
    ['errors that are no texts', { is_error: true, errors: [{ message: 'boom' }, 7] }, { message: 'boom\n7' }],
    ['no subtype', { subtype: undefined, is_error: true, result: 'boom' }, { kind: 'failed', message: 'boom' }],
  ])('ends nevertheless: %s', async (_, fields, expected) => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(
      lifecycle(turn.id, 'started'),
      init(turn.id),
      { type: 'assistant', message: { content: [{ type: 'text', text: 'said' }] }, parent_tool_use_id: null },
      result(fields),
    );
    expect(await turn.result).toMatchObject(expected);
  });

  it.each([
    ['an object', { a: 1 }],
    ['a number', 7],
    ['null', null],
    ['an empty list', []],
  ])('ends although the agent confirms its message by an invalid uuid: %s', async (_, uuid) => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    const started = { ...lifecycle('', 'started'), command_uuid: uuid };
    agent.write(started, init(), result({ result: 'done', user_message_uuids: [uuid], user_message_uuid: uuid }));
    expect(await turn.result).toMatchObject({ kind: 'completed', text: 'done' });
  });

  it('ends although an answer of the model has no content, which is not a failure of the program', async () => {
    const observer = new RecordingObserver();
    const { conversation, agent } = await converse({}, { observer });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), { type: 'assistant', message: {}, parent_tool_use_id: null }, result());
    expect(await turn.result).toMatchObject({ kind: 'completed', text: '' });
    expect(observer.of('callback_failed')).toEqual([]);
  });

  it('does not change what the next one cost', async () => {
    const { conversation, agent } = await converse();
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    agent.write(lifecycle(first.id, 'started'), result({ total_cost_usd: 0.5 }));
    const odd = conversation.send('c');
    agent.write(lifecycle(odd.id, 'started'), result({ total_cost_usd: 'much' }));
    agent.write(lifecycle(second.id, 'started'), result({ total_cost_usd: 0.75 }));
    expect(await second.result).toMatchObject({ cost: 0.25 });
  });
});
