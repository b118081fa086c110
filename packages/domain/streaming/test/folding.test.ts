import { describe, expect, it } from 'vitest';
import { answer, brief, collect, converse, init, lifecycle, result, says, state, wholeTurn } from './support.ts';

// As the CLI tells it: a message that comes while a tool runs is shown to the model with the tool's result. It is
// done before the turn it was folded into is, and the result of that turn names both.
describe('#9 A message folded into a running turn', () => {
  it('shares the result that names it, although the agent has said before that it is done', async () => {
    const { conversation, agent } = await converse();
    const running = conversation.send('a');
    agent.write(state('running'), lifecycle(running.id, 'started'), init(running.id), says('working'));
    const folded = conversation.send('also this');
    agent.write(
      lifecycle(folded.id, 'queued'),
      lifecycle(folded.id, 'started'),
      says('both done'),
      lifecycle(folded.id, 'completed'),
      result({ result: 'both done', user_message_uuids: [running.id, folded.id] }),
      lifecycle(running.id, 'completed'),
      state('idle'),
    );
    const outcome = await folded.result;
    expect(outcome).toMatchObject({ kind: 'completed', text: 'both done' });
    expect(await running.result).toBe(outcome);
    expect((await collect(running)).map(brief)).toEqual(['system/init', 'working', 'both done', 'result/success']);
    expect(await collect(folded)).toEqual([]);
  });

  it('is interrupted with that turn, and not taken for one that never ran', async () => {
    const { conversation, agent } = await converse();
    const running = conversation.send('a');
    agent.write(state('running'), lifecycle(running.id, 'started'), init(running.id));
    const folded = conversation.send('also this');
    agent.write(lifecycle(folded.id, 'queued'), lifecycle(folded.id, 'started'), says('partial'));
    await running[Symbol.asyncIterator]().next();
    const interrupted = folded.interrupt();
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    agent.write(
      lifecycle(folded.id, 'cancelled'),
      result({
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: 'aborted_streaming',
        user_message_uuids: [running.id, folded.id],
      }),
      lifecycle(running.id, 'cancelled'),
      state('idle'),
    );
    expect(await interrupted).toBe('interrupted');
    expect(await folded.result).toMatchObject({ kind: 'interrupted', text: 'partial' });
    expect(await running.result).toBe(await folded.result);
  });

  it('ends all the same when the agent comes to rest without a result', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(state('running'), lifecycle(turn.id, 'started'), lifecycle(turn.id, 'completed'), state('idle'));
    expect(await turn.result).toEqual({ kind: 'cancelled', why: 'withdrawn' });
    await conversation.idle();
    const next = conversation.send('b');
    agent.write(...wholeTurn(next.id, 'x'));
    expect((await collect(next)).map(brief)).toEqual(['system/init', 'x', 'result/success']);
  });
});
