import { describe, expect, it } from 'vitest';
import { createSdk, openSession, type ObservedEvent, type SessionOptions } from '@hexagent/sdk';
import {
  gate,
  HandClock,
  linkedTransport,
  microtasks,
  reply,
  scriptedAgent,
  type LinkedAgent,
} from '@hexagent/testing';

const id = '6f1c0d5e-0000-4000-8000-000000000001';

/** The arguments an agent is launched with. */
async function argsWith(options: SessionOptions): Promise<readonly unknown[]> {
  const { transport, agent } = linkedTransport(scriptedAgent());
  const session = await openSession({ ...options, transport });
  await session.close();
  return agent.launch?.args ?? [];
}

describe('An option of a session', () => {
  it.each<[SessionOptions, ...string[]]>([
    [{ fallbackModel: 'other' }, '--fallback-model=other'],
    [{ resume: id, fork: true }, `--resume=${id}`, '--fork-session'],
    [{ continue: true }, '--continue'],
    [{ sessionId: id }, `--session-id=${id}`],
    [{ persist: false }, '--no-session-persistence'],
    [{ partialMessages: true }, '--include-partial-messages'],
    [{ additionalDirectories: ['a', 'b'] }, '--add-dir=a', '--add-dir=b'],
    [{ extraArgs: { 'some-flag': null } }, '--some-flag'],
    [{ tools: ['Read'] }, '--tools=Read'],
    [{ thinking: { type: 'disabled' } }, '--thinking=disabled'],
    [{ effort: 'low' }, '--effort=low'],
    [{ maxBudgetUsd: 2 }, '--max-budget-usd=2'],
    [{ settings: 'user' }, '--setting-sources=user,project,local'],
    [{ settings: ['user'] }, '--setting-sources=user'],
    [{ permissions: { allow: ['Read'] } }, '--permission-prompt-tool=stdio'],
    [{ permissions: { cliMode: 'plan' } }, '--permission-mode=plan'],
    [
      { permissions: { cliMode: 'bypassPermissions', allowBypass: true } },
      '--permission-mode=bypassPermissions',
      '--allow-dangerously-skip-permissions',
    ],
  ])('%o reaches the agent', async (options, ...args) => {
    expect(await argsWith(options)).toEqual(expect.arrayContaining(args));
    expect(await argsWith({})).not.toEqual(expect.arrayContaining(args));
  });

  it('that means nothing is refused before an agent is started', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    // A program in JavaScript may pass anything; the CLI would load all settings here.
    const opening = openSession({ transport, settings: 'nothing' as never });
    await expect(opening).rejects.toThrow(/`settings` must be one of "none", "project", "user", not "nothing"/);
    expect(agent.launch).toBeUndefined();
  });
});

describe('What a session receives about its own behaviour', () => {
  const asks = (agent: LinkedAgent, request: object): void =>
    agent.write({ type: 'control_request', request_id: 'q', request });

  it('is how long the agent may take to introduce itself', async () => {
    const clock = new HandClock();
    const { transport } = linkedTransport();
    const session = await createSdk({ transport, clock }).openSession({ initializeTimeoutMs: 50 });
    clock.advance(50);
    await expect(session.ready).rejects.toMatchObject({ code: 'INITIALIZE_TIMEOUT' });
    await session.close();
  });

  it('is a signal that ends it', async () => {
    const controller = new AbortController();
    const { transport } = linkedTransport(scriptedAgent({ turns: [[reply.hold(gate())]] }));
    const session = await openSession({ transport, signal: controller.signal });
    const turn = session.send('hi');
    controller.abort('enough');
    await expect(turn.result).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    await session.close();
  });

  it('is who answers what servers and the agent ask of a person', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const dialogs = { kinds: ['some_dialog'], show: async () => ({ behavior: 'completed', result: 'yes' }) as const };
    const elicitor = { elicit: async () => ({ action: 'accept', content: { a: 1 } }) as const };
    const session = await openSession({ transport, elicitor, dialogs });
    await session.ready;
    expect(agent.received[0]?.request).toMatchObject({ supportedDialogKinds: ['some_dialog'] });
    asks(agent, { subtype: 'elicitation', mcp_server_name: 's', message: 'm' });
    expect(await agent.next('control_response')).toMatchObject({ response: { response: { action: 'accept' } } });
    asks(agent, { subtype: 'request_user_dialog', dialog_kind: 'some_dialog' });
    expect(await agent.next('control_response')).toMatchObject({ response: { response: { result: 'yes' } } });
    await session.close();
  });

  it('may leave that open, to be answered by its id', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const session = await openSession({ transport, elicitor: { elicit: async () => null } });
    await session.ready;
    asks(agent, { subtype: 'elicitation', mcp_server_name: 's', message: 'm' });
    await expect.poll(() => session.pending.list()).toMatchObject([{ kind: 'elicitation', request: { message: 'm' } }]);
    for (const { id } of session.pending.list()) session.pending.answer(id, { action: 'accept', content: { a: 1 } });
    expect(await agent.next('control_response')).toMatchObject({ response: { response: { content: { a: 1 } } } });
    await session.close();
  });

  it('is hooks, which are registered with the agent and called by it', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const hooks = { Stop: [{ hooks: [() => ({ systemMessage: 'hooked' })] }] };
    const session = await openSession({ transport, hooks });
    await session.ready;
    const [callback_id] = JSON.stringify(agent.received[0]).match(/(?<="hookCallbackIds":\[")[^"]+/) ?? [];
    const input = { hook_event_name: 'Stop', session_id: 's', transcript_path: '/t', cwd: '/' };
    asks(agent, { subtype: 'hook_callback', callback_id, input });
    const answer = await agent.next('control_response');
    expect(answer).toMatchObject({ response: { response: { systemMessage: 'hooked' } } });
    await session.close();
  });

  it.each([
    ['stop', 1],
    ['wait', 0],
  ] as const)('is whether finish() is to %s for background shells', async (backgroundTasks, stops) => {
    const { transport, agent } = linkedTransport(scriptedAgent({ turns: [[reply.shell('tail -f x'), 'started']] }));
    const session = await openSession({ transport, backgroundTasks });
    await session.send('go').result;
    const finished = session.finish();
    await agent.ended;
    expect(agent.received.filter(({ request }) => request?.subtype === 'stop_task')).toHaveLength(stops);
    agent.exit();
    await finished;
  });

  it.each([
    [{}, 'end'],
    [{ backgroundTasks: 'wait' }, 'wait'],
    [{ backgroundTasks: 'wait', leftovers: 'end' }, 'end'],
    [{ leftovers: 'leave' }, 'leave'],
  ] as const)('is what becomes of what outlives the agent: %j, %s', async (options, leftovers) => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const session = await openSession({ transport, ...options });
    expect(agent.launch?.leftovers).toBe(leftovers);
    await session.close();
  });

  it('is how much may lie unread, with and without callbacks', async () => {
    const events: ObservedEvent[] = [];
    const observer = { observe: (event: ObservedEvent) => void events.push(event) };
    const marks = { softMarkBytes: 1000, hardMarkBytes: 3000 };
    for (const permissions of [{}, { approver: () => null }]) {
      const { transport, agent } = linkedTransport(scriptedAgent());
      const session = await createSdk({ transport, observer }).openSession({ ...marks, permissions });
      await session.ready;
      const reading = session.messages[Symbol.asyncIterator]();
      const first = reading.next();
      for (let count = 0; count < 9; count += 1) agent.write({ type: 'news', text: 'x'.repeat(500) });
      await first;
      await microtasks();
      await session.close();
    }
    const marked = events.flatMap((event) =>
      event.kind === 'paused' || event.kind === 'stalled' ? [[event.kind, Math.floor(event.unreadBytes / 1000)]] : [],
    );
    expect(marked).toEqual([
      ['paused', 1],
      ['stalled', 3],
    ]);
  });
});
