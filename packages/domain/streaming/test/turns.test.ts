import { describe, expect, it } from 'vitest';
import { brief, collect, converse, init, lifecycle, result, says, state, tasks, wholeTurn } from './support.ts';

describe('A turn', () => {
  it('gives its messages and its outcome', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('hello');
    agent.write(...wholeTurn(turn.id, 'hi'));
    expect((await collect(turn)).map(brief)).toEqual(['system/init', 'hi', 'result/success']);
    expect(await turn.result).toMatchObject({ kind: 'completed', text: 'hi' });
  });

  it('hands on the very object that was parsed, unknown types and fields included', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('hello');
    const strange = { type: 'from_the_future', deep: { field: [1, null, 'é'] } };
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), strange, result());
    expect((await collect(turn))[1]).toEqual(strange);
  });

  it('gives its result to who never reads it', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('hello');
    agent.write(...wholeTurn(turn.id, 'hi'));
    expect(await turn.result).toMatchObject({ kind: 'completed', text: 'hi' });
  });

  it('has the messages sent before anyone reads and just before the end', async () => {
    const { conversation, agent } = await converse();
    const first = conversation.send('one');
    const second = conversation.send('two');
    agent.write(...wholeTurn(first.id, 'a'), ...wholeTurn(second.id, 'b'));
    agent.exit({ code: 0 });
    await conversation.exited;
    expect((await collect(second)).map(brief)).toEqual(['system/init', 'b', 'result/success']);
    expect((await collect(first)).map(brief)).toEqual(['system/init', 'a', 'result/success']);
  });

  it('shares one result with the messages it answers; the messages belong to the first and the cost counts once', async () => {
    const { conversation, agent } = await converse();
    const [first, second, third] = ['a', 'b', 'c'].map((text) => conversation.send(text));
    agent.write(...wholeTurn(first!.id, 'one', { total_cost_usd: 0.5 }));
    agent.write(
      lifecycle(second!.id, 'started'),
      lifecycle(third!.id, 'started'),
      init(second!.id, third!.id),
      says('both'),
    );
    agent.write(result({ user_message_uuids: [second!.id, third!.id], total_cost_usd: 0.75 }));
    const outcome = await second!.result;
    expect(await third!.result).toBe(outcome);
    expect(outcome).toMatchObject({ kind: 'completed', cost: 0.25, text: 'both' });
    expect((await collect(second!)).map(brief)).toEqual(['system/init', 'both', 'result/success']);
    expect(await collect(third!)).toEqual([]);
  });

  it('takes in a message that the agent folds into it', async () => {
    const { conversation, agent } = await converse();
    const running = conversation.send('a');
    agent.write(lifecycle(running.id, 'started'), init(running.id), says('working'));
    const folded = conversation.send('also this');
    agent.write(lifecycle(folded.id, 'queued'), lifecycle(folded.id, 'started'), says('both done'));
    agent.write(result({ user_message_uuids: [running.id, folded.id] }));
    expect(await folded.result).toBe(await running.result);
    expect((await collect(running)).map(brief)).toEqual(['system/init', 'working', 'both done', 'result/success']);
  });

  it('costs what the models used since the last result, where the agent tells', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(
      ...wholeTurn(turn.id, 'x', {
        total_cost_usd: 9,
        model_usage_since_last_result: { a: { costUSD: 0.5 }, b: { costUSD: 0.25 } },
      }),
    );
    expect(await turn.result).toMatchObject({ cost: 0.75 });
  });

  it('costs what was added to the total, and all of the total when that was reset', async () => {
    const { conversation, agent } = await converse();
    const turns = ['a', '/clear', 'b'].map((text) => conversation.send(text));
    for (const [index, total] of [2, 0, 0.5].entries())
      agent.write(lifecycle(turns[index]!.id, 'started'), result({ total_cost_usd: total }));
    const outcomes = await Promise.all(turns.map((turn) => turn.result));
    expect(outcomes).toMatchObject([{ cost: 2 }, { cost: 0 }, { cost: 0.5 }]);
  });

  it.each([
    [
      'an API error, which looks like a success',
      { is_error: true, api_error_status: 529, result: 'API Error: 529', terminal_reason: 'api_error' },
      { kind: 'failed', cause: 'api', status: 529, message: 'API Error: 529', hint: { kind: 'overloaded' } },
    ],
    [
      'a refusal before the service was asked',
      { is_error: true, terminal_reason: 'blocking_limit', result: 'Prompt is too long' },
      { kind: 'failed', cause: 'api', message: 'Prompt is too long' },
    ],
    [
      'an API error in the midst of work',
      { subtype: 'error_during_execution', is_error: true, errors: ['x'], terminal_reason: 'api_error' },
      { kind: 'failed', cause: 'api' },
    ],
    [
      'a limit',
      { subtype: 'error_max_turns', is_error: true, errors: ['Reached maximum number of turns'] },
      { kind: 'failed', cause: 'limit', message: 'Reached maximum number of turns' },
    ],
    [
      'a failure of the agent',
      { subtype: 'error_during_execution', is_error: true, errors: ['boom'], terminal_reason: undefined },
      { kind: 'failed', cause: 'agent', message: 'boom' },
    ],
    [
      'an interrupt',
      { subtype: 'error_during_execution', is_error: true, errors: [], terminal_reason: 'aborted_streaming' },
      { kind: 'interrupted', text: 'partial' },
    ],
  ])('#42 says as a value that it ended with %s', async (_, fields, expected) => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), says('partial'), result({ ...fields }));
    expect(await turn.result).toMatchObject(expected);
  });

  it('gives the last text, although a tool was called after it', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    const calls = {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
      parent_tool_use_id: null,
    };
    agent.write(lifecycle(turn.id, 'started'), says('first'), says('last'), calls, result());
    expect(await turn.result).toMatchObject({ text: 'last' });
  });

  it('is the one that a result names, although the agent did not say that it began', async () => {
    const { conversation, agent } = await converse();
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    agent.write(lifecycle(first.id, 'queued'), result({ result: 'x', user_message_uuids: [second.id] }));
    expect(await second.result).toMatchObject({ text: 'x' });
    expect((await collect(second)).map(brief)).toEqual(['result/success']);
    agent.write(lifecycle(first.id, 'started'), result({ result: 'y', user_message_uuids: [first.id] }));
    expect(await first.result).toMatchObject({ text: 'y' });
  });

  it('ends without a result when it is withdrawn from the queue', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'queued'), lifecycle(turn.id, 'cancelled'));
    expect(await turn.result).toEqual({ kind: 'cancelled', why: 'withdrawn' });
    expect(await collect(turn)).toEqual([]);
  });

  it('ends without a result when the agent had handled its message before', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send({ content: 'a', uuid: 'known-to-the-resumed-session' });
    agent.write(lifecycle(turn.id, 'completed'));
    expect(await turn.result).toEqual({ kind: 'cancelled', why: 'repeated' });
  });

  it.each<unknown>([{ a: 1 }, 7, true, Symbol('uuid'), ['u']])(
    'is refused before sending when its uuid is no text',
    async (odd) => {
      const { conversation, agent } = await converse();
      const uuid = odd as string; // what only untyped code passes
      expect(() => conversation.send({ content: 'a', uuid })).toThrow(TypeError);
      expect(() => conversation.send({ content: 'a', uuid })).toThrow('`uuid` of a message must be a text');
      expect(agent.received.some(({ type }) => type === 'user')).toBe(false);
    },
  );

  it('is refused before sending when its uuid was used', async () => {
    const { conversation } = await converse();
    conversation.send({ content: 'a', uuid: 'u' });
    expect(() => conversation.send({ content: 'b', uuid: 'u' })).toThrow(
      expect.objectContaining({ code: 'MESSAGE_REPEATED' }),
    );
  });

  it('appears in `turns` when nobody sent it', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('delegate');
    agent.write(
      state('running'),
      lifecycle(turn.id, 'started'),
      init(turn.id),
      tasks({ task_id: 't', task_type: 'local_agent' }),
      result(),
    );
    agent.write(
      tasks(),
      init(),
      says('the report'),
      result({ origin: { kind: 'task-notification' }, result: 'the report' }),
      state('idle'),
    );
    const { value: unsent } = await conversation.turns[Symbol.asyncIterator]().next();
    expect((await collect(unsent)).map((message) => brief(message as never))).toEqual([
      'system/init',
      'the report',
      'result/success',
    ]);
    expect(await unsent.result).toMatchObject({ kind: 'completed', text: 'the report' });
  });

  it('is told from an older agent’s frames by the order of sending', async () => {
    const { conversation, agent } = await converse();
    const first = conversation.send('a');
    const second = conversation.send('b');
    agent.write(init(), says('x0'), result({ result: 'x0' }), init(), says('x1'), result({ result: 'x1' }));
    expect(await first.result).toMatchObject({ text: 'x0' });
    expect(await second.result).toMatchObject({ text: 'x1' });
  });

  it('fails with the agent’s words when resuming an unknown session gives a result and nothing else', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('go');
    agent.write(
      result({
        subtype: 'error_during_execution',
        is_error: true,
        num_turns: 0,
        errors: ['No conversation found'],
        terminal_reason: undefined,
      }),
    );
    agent.exit({ code: 1, stderr: 'No conversation found' });
    expect(await turn.result).toMatchObject({ kind: 'failed', message: 'No conversation found' });
  });
});

describe('Messages without a turn', () => {
  it('go to `messages`, but not those that only steer the SDK', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'hi'), { type: 'prompt_suggestion', suggestion: 'next' });
    agent.exit({ code: 0 });
    expect((await collect(conversation.messages)).map(brief)).toEqual(['prompt_suggestion']);
  });

  it('come with all others, in the order of the wire, to who reads the whole', async () => {
    const { conversation, agent } = await converse({ reading: 'whole' });
    const turn = conversation.send('a');
    const named = conversation.send({ content: 'b', uuid: 'named' });
    agent.write(
      ...wholeTurn(turn.id, 'hi'),
      { type: 'prompt_suggestion', suggestion: 'next' },
      ...wholeTurn(named.id, 'ho'),
    );
    agent.exit({ code: 0 });
    expect((await collect(conversation.messages)).map(brief)).toEqual([
      'system/init',
      'hi',
      'result/success',
      'prompt_suggestion',
      'command_lifecycle',
      'command_lifecycle',
      'system/init',
      'ho',
      'result/success',
      'command_lifecycle',
    ]);
  });
});
