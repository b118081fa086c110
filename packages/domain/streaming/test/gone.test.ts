import { describe, expect, it } from 'vitest';
import { SdkError, type Transport } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { brief, collect, converse, init, lifecycle, result, tasks, wholeTurn } from './support.ts';

const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return expect.fail('It should have thrown.');
};

describe('#6 What is sent when the agent has gone', () => {
  it('rejects with how the agent went, even if the pipe breaks before that is known', async () => {
    const { conversation, agent } = await converse();
    agent.exit({ code: 1, stderr: 'last words\n' });
    const turn = conversation.send('into a broken pipe');
    await expect(turn.result).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      exitCode: 1,
      stderr: 'last words\n',
      lost: [`turn ${turn.id}`],
    });
  });

  it('rejects with the broken pipe when no exit follows in time', async () => {
    const clock = new HandClock();
    let broken = false;
    const through = (transport: Transport): Transport => ({
      async connect(launch, options) {
        const connection = await transport.connect(launch, options);
        const send = (line: string): Promise<void> =>
          broken ? Promise.reject(new SdkError('CHANNEL_CLOSED', 'EPIPE')) : connection.send(line);
        return { ...connection, send };
      },
    });
    const { conversation } = await converse({}, { clock, through });
    broken = true;
    const turn = conversation.send('into a broken pipe');
    await microtasks();
    clock.advance(3000);
    await expect(turn.result).rejects.toMatchObject({ code: 'CHANNEL_CLOSED' });
  });

  it('throws, with the exit as its cause', async () => {
    const { conversation, agent } = await converse();
    agent.exit({ code: null, signal: 'SIGKILL', stderr: 'last words\n' });
    await conversation.exited;
    expect(thrownBy(() => conversation.send('late'))).toMatchObject({
      code: 'CONVERSATION_CLOSED',
      message: expect.stringContaining('killed by SIGKILL while no turn was open'),
      cause: { code: 'AGENT_EXITED', signal: 'SIGKILL', stderr: 'last words\n' },
    });
    await expect(conversation.control('mcp_status')).rejects.toMatchObject({
      code: 'CONVERSATION_CLOSED',
      message: expect.stringMatching(/mcp_status.*SIGKILL/),
    });
  });

  it('throws, and says which of the ways of ending it was', async () => {
    const { conversation: finished } = await converse();
    void finished.finish();
    expect(thrownBy(() => finished.send('late'))).toMatchObject({ message: expect.stringContaining('finish()') });
    const { conversation: closed } = await converse();
    void closed.close();
    expect(thrownBy(() => closed.send('late'))).toMatchObject({ message: expect.stringContaining('closed') });
  });
});

describe('A message that cannot be written', () => {
  it('rejects its turn and nothing else, and its uuid may be used again', async () => {
    const { conversation, agent } = await converse();
    const uuid = '6f1c0d5e-0000-4000-8000-000000000001';
    // Content that JSON cannot carry.
    const content = [{ type: 'text', text: 'x', count: 1n }] as never;
    await expect(conversation.send({ content, uuid }).result).rejects.toMatchObject({ code: 'FRAME_INVALID' });
    const turn = conversation.send({ content: 'better', uuid });
    agent.write(...wholeTurn(turn.id, 'fine'));
    expect(await turn.result).toMatchObject({ text: 'fine' });
    await conversation.idle();
  });
});

describe('An agent that leaves when nothing is open', () => {
  it('after finish() is no failure for who waits for it to rest', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('delegate');
    const finished = conversation.finish();
    // Nobody can be asked anything, so the task is left to the agent, which leaves when it is done.
    agent.write(
      tasks({ task_id: 't', task_type: 'local_agent' }),
      lifecycle(turn.id, 'started'),
      init(turn.id),
      result({ user_message_uuids: [turn.id] }),
    );
    await agent.ended;
    const idle = conversation.idle();
    agent.exit({ code: 0 });
    await idle;
    expect(await finished).toMatchObject({ code: 0 });
    expect((await collect(conversation.messages)).map(brief)).toEqual(['system/background_tasks_changed']);
  });

  it('with code 0 and a task that somebody waits for is one', async () => {
    const { conversation, agent } = await converse();
    agent.write(tasks({ task_id: 't', task_type: 'local_agent' }));
    await microtasks();
    const idle = conversation.idle();
    agent.exit({ code: 0 });
    await expect(idle).rejects.toMatchObject({ code: 'AGENT_EXITED', exitCode: 0 });
  });
});
