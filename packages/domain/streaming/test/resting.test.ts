import { describe, expect, it } from 'vitest';
import { microtasks } from '@hexagent/testing';
import { answer, collect, converse, init, lifecycle, result, says, state, tasks, wholeTurn } from './support.ts';

const long = says('x'.repeat(2000));
const taskStarted = (task_id: string, task_type: string, is_backgrounded: boolean): object => ({
  type: 'system',
  subtype: 'task_started',
  task_id,
  task_type,
  is_backgrounded,
});
const taskEnded = (task_id: string): object => ({
  type: 'system',
  subtype: 'task_notification',
  task_id,
  status: 'stopped',
});

describe('#10 idle()', () => {
  it('waits for the agent to say so, though all turns have ended', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'x').slice(0, -1));
    await turn.result;
    let isIdle = false;
    const idle = conversation.idle().then(() => (isIdle = true));
    await microtasks();
    expect(isIdle).toBe(false);
    agent.write(state('idle'));
    await idle;
  });

  it('waits for the turn of an agent too old to tell its state', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    let isIdle = false;
    const idle = conversation.idle().then(() => (isIdle = true));
    agent.write(init());
    await microtasks();
    expect(isIdle).toBe(false);
    agent.write(result());
    await idle;
    expect(await turn.result).toMatchObject({ kind: 'completed' });
  });

  it('knows of tasks from the frames of each, where the agent gives no list', async () => {
    const { conversation, agent } = await converse();
    agent.write(taskStarted('front', 'local_agent', false));
    await microtasks();
    await conversation.idle();
    agent.write(taskStarted('back', 'local_agent', true), taskStarted('shell', 'local_bash', true));
    await microtasks();
    let isIdle = false;
    const idle = conversation.idle().then(() => (isIdle = true));
    agent.write(taskEnded('back'));
    await microtasks();
    expect(isIdle).toBe(false);
    agent.write(taskEnded('shell'));
    await idle;
  });

  it('believes the list, whatever was told of each', async () => {
    const { conversation, agent } = await converse();
    agent.write(taskStarted('back', 'local_agent', true), taskStarted('shell', 'local_bash', true), tasks());
    await microtasks();
    await conversation.idle();
  });

  it('has rest when the agent has gone, whatever ran', async () => {
    const { conversation, agent } = await converse();
    agent.write(tasks({ task_id: 't', task_type: 'local_agent' }));
    agent.exit({ code: 0 });
    await conversation.exited;
    await conversation.idle();
  });

  it('does not wait for somebody to read', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 1000 });
    const turn = conversation.send('a');
    const idle = conversation.idle();
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), long, long);
    await microtasks();
    expect(agent.paused).toBe(false);
    agent.write(result({ user_message_uuids: [turn.id] }), state('idle'));
    await idle;
    await expect(collect(turn)).rejects.toMatchObject({ code: 'MESSAGES_DISCARDED' });
  });
});

describe('finish()', () => {
  it.each(['turns', 'whole'] as const)('does not wait for somebody to read %s', async (reading) => {
    const { conversation, agent } = await converse({ reading, softMarkBytes: 1000 });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), long, long);
    await microtasks();
    expect(agent.paused).toBe(true);
    const finished = conversation.finish();
    agent.write(result({ user_message_uuids: [turn.id] }));
    await agent.ended;
    agent.exit({ code: 0 });
    await finished;
  });

  it('waits for the answers to requests of ours', async () => {
    const { conversation, agent } = await converse();
    const asked = conversation.control('mcp_status');
    const finished = conversation.finish();
    const request = await agent.next('mcp_status');
    await microtasks();
    expect(agent.inputEnded).toBe(false);
    answer(agent, request, { mcpServers: [] });
    expect(await asked).toEqual({ mcpServers: [] });
    await agent.ended;
    agent.exit({ code: 0 });
    await finished;
  });

  it('waits for a shell that the agent does not stop', async () => {
    const { conversation, agent } = await converse();
    agent.write(tasks({ task_id: 'shell', task_type: 'local_bash' }));
    await microtasks();
    void conversation.finish();
    const { request_id } = await agent.next('stop_task');
    agent.write({ type: 'control_response', response: { subtype: 'error', request_id, error: 'not that one' } });
    await microtasks();
    expect(agent.inputEnded).toBe(false);
    agent.write(tasks());
    await agent.ended;
  });

  it('goes on when the last message turns out to have been handled before', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send({ content: 'a', uuid: 'known-to-the-resumed-session' });
    void conversation.finish();
    agent.write(lifecycle(turn.id, 'completed'));
    await agent.ended;
  });

  it('goes on when the last message cannot be written', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send({ content: [{ type: 'text', text: 'x', count: 1n }] as never });
    void conversation.finish();
    await agent.ended;
    await expect(turn.result).rejects.toMatchObject({ code: 'FRAME_INVALID' });
  });
});
