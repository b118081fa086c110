import { describe, expect, it } from 'vitest';
import type { HookDispatcher, PermissionGate } from '@hexagent/ports';
import { answer, collect, converse, init, lifecycle, result, says, state, tasks, wholeTurn } from './support.ts';

const allowAll: PermissionGate = { decide: async () => ({ behavior: 'allow' }) };

describe('finish()', () => {
  it('#1 keeps the input open until queued turns have ended and the agent is idle', async () => {
    const { conversation, agent } = await converse({ permissions: allowAll });
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    const finished = conversation.finish();
    agent.write(state('running'), ...wholeTurn(first.id, 'x').slice(1, -1));
    await first.result;
    expect(agent.inputEnded).toBe(false);
    agent.write(...wholeTurn(second.id, 'y').slice(1, -1));
    await second.result;
    expect(agent.inputEnded).toBe(false);
    agent.write(state('idle'));
    await agent.ended;
    agent.exit({ code: 0 });
    expect(await finished).toMatchObject({ code: 0 });
  });

  it('#1 keeps the input open while the agent asks something', async () => {
    const decided = Promise.withResolvers<void>();
    const { conversation, agent } = await converse({
      permissions: { decide: async () => (await decided.promise, { behavior: 'allow' }) },
    });
    const turn = conversation.send('a');
    void conversation.finish();
    agent.write({
      type: 'control_request',
      request_id: 'p',
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' },
    });
    agent.write(...wholeTurn(turn.id, 'x'));
    await turn.result;
    expect(agent.inputEnded).toBe(false);
    decided.resolve();
    await agent.ended;
    expect(agent.received.at(-1)).toMatchObject({ type: 'control_response', response: { request_id: 'p' } });
  });

  it('#10 waits for a background task and the turn it reports with', async () => {
    const { conversation, agent } = await converse({ permissions: allowAll });
    const turn = conversation.send('delegate');
    void conversation.finish();
    agent.write(
      state('running'),
      lifecycle(turn.id, 'started'),
      init(turn.id),
      tasks({ task_id: 't', task_type: 'local_agent' }),
      result(),
    );
    await turn.result;
    expect(agent.inputEnded).toBe(false);
    agent.write(tasks(), init(), says('report'), result());
    expect(agent.inputEnded).toBe(false);
    agent.write(state('idle'));
    await agent.ended;
  });

  it('stops each background shell and waits for its notification', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('start it');
    void conversation.finish();
    agent.write(tasks({ task_id: 'shell', task_type: 'local_bash' }), ...wholeTurn(turn.id, 'started'));
    const request = await agent.next('stop_task');
    expect(request.request).toMatchObject({ task_id: 'shell' });
    answer(agent, request);
    await turn.result;
    expect(agent.inputEnded).toBe(false);
    agent.write(tasks(), state('idle'));
    await agent.ended;
    expect(agent.received.filter((frame) => frame.request?.subtype === 'stop_task')).toHaveLength(1);
  });

  it('leaves background shells alone when told to wait for them', async () => {
    const { conversation, agent } = await converse({ backgroundTasks: 'wait' });
    const turn = conversation.send('start it');
    void conversation.finish();
    agent.write(tasks({ task_id: 'shell', task_type: 'local_bash' }), ...wholeTurn(turn.id, 'started'));
    await agent.ended;
    expect(agent.received.some((frame) => frame.request?.subtype === 'stop_task')).toBe(false);
  });

  it('leaves open requests in either direction to the exit when told so', async () => {
    const { conversation, agent } = await converse({
      permissions: { decide: () => new Promise(() => {}) },
      openRequests: 'leave',
    });
    const turn = conversation.send('a');
    const asked = conversation.control('mcp_status');
    void conversation.finish();
    agent.write({
      type: 'control_request',
      request_id: 'p',
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' },
    });
    agent.write(...wholeTurn(turn.id, 'x'));
    await agent.ended;
    agent.exit({ code: 0 });
    await expect(asked).rejects.toMatchObject({ code: 'AGENT_EXITED' });
  });

  it('closes at once when nothing was said, and refuses what is said afterwards', async () => {
    const { conversation, agent } = await converse();
    void conversation.finish();
    await agent.ended;
    expect(() => conversation.send('late')).toThrow(expect.objectContaining({ code: 'CONVERSATION_CLOSED' }));
  });
});

describe('idle()', () => {
  it('resolves at once when nothing was said', async () => {
    const { conversation } = await converse();
    await conversation.idle();
  });

  it('#10 resolves when turns, tasks and the agent have come to rest', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    let idle = false;
    const resting = conversation.idle().then(() => (idle = true));
    agent.write(
      state('running'),
      lifecycle(turn.id, 'started'),
      init(turn.id),
      tasks({ task_id: 't', task_type: 'local_agent' }),
      result(),
      state('idle'),
    );
    await turn.result;
    expect(idle).toBe(false);
    agent.write(tasks());
    await resting;
  });
});

describe('close()', () => {
  it('interrupts what runs, ends the input, and delivers nothing after', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), says('one'));
    const reading = turn[Symbol.asyncIterator]();
    await reading.next();
    const closed = conversation.close();
    await agent.next('interrupt');
    await agent.ended;
    agent.write(
      says('two'),
      result({
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: 'aborted_streaming',
        user_message_uuids: [turn.id],
      }),
    );
    agent.exit({ code: 0 });
    await closed;
    await expect(reading.next()).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
    expect(await reading.next()).toMatchObject({ done: true });
    expect(await turn.result).toMatchObject({ kind: 'interrupted' });
  });

  it('rejects what was left open, with its own code', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    const closed = conversation.close();
    await agent.ended;
    agent.exit({ code: 143 });
    await closed;
    await expect(turn.result).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
    await expect(conversation.control('mcp_status')).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
  });

  it('may be called twice and after the agent has gone', async () => {
    const { conversation, agent } = await converse();
    agent.exit({ code: 0 });
    await conversation.exited;
    await Promise.all([conversation.close(), conversation.close()]);
  });

  it('ends readers of the whole without an error', async () => {
    const { conversation } = await converse({ reading: 'whole' });
    const reading = collect(conversation.messages);
    await conversation.close();
    expect(await reading).toEqual([]);
  });
});

describe('#26 An aborted signal', () => {
  it('ends readers and turns with an AbortError that keeps the reason', async () => {
    const controller = new AbortController();
    const { conversation, agent } = await converse({ signal: controller.signal, reading: 'whole' });
    const turn = conversation.send('a');
    const reading = collect(conversation.messages);
    controller.abort('enough');
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    agent.exit({ code: 0 });
    await expect(turn.result).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('refuses to begin, and starts nothing', async () => {
    await expect(converse({ signal: AbortSignal.abort('before') })).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'before',
    });
  });
});

describe('An agent that dies', () => {
  it('#6 rejects its turns with how it went, its last words and what was lost', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), says('half'));
    agent.exit({ code: null, signal: 'SIGKILL', stderr: 'last words\n' });
    await expect(turn.result).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      signal: 'SIGKILL',
      stderr: 'last words\n',
      lost: [`turn ${turn.id}`],
    });
    await expect(collect(turn)).rejects.toThrow(/SIGKILL.*last words/s);
  });

  it('with code 0 and no result is a failure all the same', async () => {
    const { conversation, agent } = await converse({ reading: 'whole' });
    conversation.send('a');
    agent.exit({ code: 0 });
    await expect(collect(conversation.messages)).rejects.toMatchObject({ code: 'AGENT_EXITED', exitCode: 0 });
  });

  it('with code 1 after an error result repeats what the result said', async () => {
    const { conversation, agent } = await converse({ reading: 'whole' });
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'API Error', { is_error: true, api_error_status: 400 }));
    agent.exit({ code: 1 });
    expect(await collect(conversation.messages)).toHaveLength(3);
  });

  it('before anything was said is a failure with a meaning', async () => {
    const { conversation, agent } = await converse({ reading: 'whole' });
    agent.exit({ code: 1, stderr: "error: unknown option '--nope'\n" });
    await expect(collect(conversation.messages)).rejects.toThrow(/does not know a flag.*--nope/s);
  });

  it('rejects who waits for it to rest', async () => {
    const { conversation, agent } = await converse();
    conversation.send('a');
    const idle = conversation.idle();
    agent.exit({ code: 1 });
    await expect(idle).rejects.toMatchObject({ code: 'AGENT_EXITED' });
  });
});

describe('Callbacks', () => {
  it('are introduced to the agent only when there are any', async () => {
    const hooks: HookDispatcher = {
      registration: () => ({ Stop: [{ hookCallbackIds: ['hook_0'] }] }),
      dispatch: async () => ({}),
    };
    const server = { name: 'mine', open: () => ({ handle: async () => undefined, close: async () => {} }) };
    const { agent } = await converse({ hooks, servers: [server] });
    expect(agent.received[0]?.request).toEqual({
      subtype: 'initialize',
      hooks: { Stop: [{ hookCallbackIds: ['hook_0'] }] },
      sdkMcpServers: ['mine'],
    });
    const { agent: plain } = await converse();
    expect(plain.received[0]?.request).toEqual({ subtype: 'initialize' });
  });

  it('of servers come with what the agent holds them to', async () => {
    const session = { handle: async () => undefined, close: async () => {} };
    const config = { tools: [{ name: 'wipe', permission_policy: 'always_deny' as const }], timeout: 5 };
    const servers = [
      { name: 'held', config, open: () => session },
      { name: 'free', open: () => session },
    ];
    const { agent } = await converse({ servers });
    expect(agent.received[0]?.request).toMatchObject({
      sdkMcpServers: ['held', 'free'],
      sdkMcpServerConfigs: { held: config },
    });
    expect(Object.keys(agent.received[0]?.request?.['sdkMcpServerConfigs'] ?? {})).toEqual(['held']);
  });
});
