import { describe, expect, it } from 'vitest';
import { brief, collect, converse, init, lifecycle, result, says, state, tasks, wholeTurn } from './support.ts';

const started = (tool_use_id: string, is_backgrounded: boolean): object => ({
  type: 'system',
  subtype: 'task_started',
  task_id: 't',
  tool_use_id,
  task_type: 'local_agent',
  is_backgrounded,
});
const ended = (tool_use_id: string): object => ({
  type: 'system',
  subtype: 'task_notification',
  task_id: 't',
  tool_use_id,
  status: 'completed',
});
const subagentSays = (text: string): object => ({ ...says(text), parent_tool_use_id: 'call' });

describe('#10 What a subagent says in the background', () => {
  it('belongs to the turn that began it while that runs, and to no turn afterwards', async () => {
    const { conversation, agent } = await converse();
    const first = conversation.send('delegate');
    agent.write(
      state('running'),
      lifecycle(first.id, 'started'),
      init(first.id),
      tasks({ task_id: 't', task_type: 'local_agent' }),
      started('call', true),
      subagentSays('early'),
      result({ user_message_uuids: [first.id] }),
      subagentSays('between'),
    );
    const second = conversation.send('meanwhile');
    agent.write(
      lifecycle(second.id, 'started'),
      init(second.id),
      subagentSays('during another'),
      says('the answer'),
      result({ user_message_uuids: [second.id] }),
      tasks(),
      state('idle'),
    );
    await conversation.idle();
    agent.exit({ code: 0 });
    expect((await collect(first)).map(brief)).toContain('early');
    expect((await collect(second)).map(brief)).toEqual(['system/init', 'the answer', 'result/success']);
    expect((await collect(conversation.messages)).map(brief)).toEqual([
      'between',
      'during another',
      'system/background_tasks_changed',
    ]);
  });

  it('belongs to the turn when it works in the foreground, and is never taken for the turn’s last text', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('delegate');
    agent.write(
      lifecycle(turn.id, 'started'),
      init(turn.id),
      says('mine'),
      started('call', false),
      subagentSays('not mine'),
      result({ subtype: 'error_max_turns', is_error: true }),
    );
    expect((await collect(turn)).map(brief)).toContain('not mine');
    expect(await turn.result).toMatchObject({ text: 'mine' });
  });

  it('is told apart anew when its task has ended', async () => {
    const { conversation, agent } = await converse();
    const first = conversation.send('delegate');
    agent.write(lifecycle(first.id, 'started'), init(first.id), started('call', true), ended('call'), result());
    const second = conversation.send('again');
    agent.write(lifecycle(second.id, 'started'), subagentSays('in the foreground now'), result());
    expect((await collect(second)).map(brief)).toContain('in the foreground now');
  });
});

it('#10 A turn that nobody sent takes nothing from one that waits', async () => {
  const { conversation, agent } = await converse();
  const first = conversation.send('a');
  agent.write(...wholeTurn(first.id, 'x'));
  const waiting = conversation.send('b');
  agent.write(state('running'), lifecycle(waiting.id, 'queued'), init(), says('report'), result({ result: 'report' }));
  agent.write(...wholeTurn(waiting.id, 'y').slice(2));
  expect(await waiting.result).toMatchObject({ text: 'y' });
  const unsent = await conversation.turns[Symbol.asyncIterator]().next();
  expect(await unsent.value.result).toMatchObject({ text: 'report' });
});
