import { describe, expect, it } from 'vitest';
import { SdkError, type AgentMessage, type Ask, type FeatureControl, type Warning } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { brief, collect, converse, lifecycle, result, assistantText } from './support.ts';
import { asks, failing, named } from './feature-doubles.ts';

describe('A feature that has something to report', () => {
  const notice = { type: 'system', subtype: 'mirror_error', error: 'full' } as AgentMessage;

  it('delivers it behind what was delivered, and before what it holds back', async () => {
    const stored = Promise.withResolvers<void>();
    let control: FeatureControl | undefined;
    const feature = named({
      attach: (given) => void (control = given),
      receive: (message) => (message.type === 'result' ? stored.promise : undefined),
    });
    const { conversation, agent } = await converse({ features: [feature] });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), assistantText('a'), result({ result: 'a' }));
    await microtasks();
    control?.deliver?.(notice);
    stored.resolve();
    await turn.result;
    expect((await collect(turn)).map(brief)).toEqual(['a', 'system/mirror_error', 'result/success']);
  });

  it('may do so until the exit is delivered, which waits for what it has to finish', async () => {
    const stored = Promise.withResolvers<void>();
    let control: FeatureControl | undefined;
    const feature = named({
      attach: (given) => void (control = given),
      receive: () => {},
      exiting: () => stored.promise,
    });
    const { conversation, agent } = await converse({ features: [feature] });
    const messages = conversation.allMessages();
    agent.write(assistantText('a'));
    agent.exit({ code: 0 });
    let isOver = false;
    const over = conversation.exited.then(() => (isOver = true));
    await microtasks();
    expect(isOver).toBe(false);
    control?.deliver?.(notice);
    stored.resolve();
    await over;
    expect((await collect(messages)).map(brief)).toEqual(['a', 'system/mirror_error']);
    expect(() => control?.deliver?.(notice)).not.toThrow();
  });

  it('is waited for as long as it asks for, and no longer', async () => {
    const clock = new HandClock();
    const feature = named({ receive: () => {}, exiting: () => new Promise<void>(() => {}), exitingMs: 60_000 });
    const { conversation, agent } = await converse({ features: [feature] }, { clock });
    agent.exit({ code: 0 });
    let isOver = false;
    const over = conversation.exited.then(() => (isOver = true));
    await microtasks();
    clock.advance(59_999);
    await microtasks();
    expect(isOver).toBe(false);
    clock.advance(1);
    await over;
    await conversation.close();
    expect(clock.waiting).toBe(0);
  });

  it.each(failing)('does not delay the end when finishing %s', async (_, exiting) => {
    const warnings: Warning[] = [];
    const feature = { name: 'store', receive: () => {}, exiting };
    const { conversation, agent } = await converse(
      { features: [feature] },
      { warn: (warning) => void warnings.push(warning) },
    );
    agent.exit({ code: 0 });
    await conversation.exited;
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CALLBACK_FAILED', source: 'store' }]);
  });
});

describe('A feature that ends the agent', () => {
  it('leaves its turn unfinished with an error, and delivers nothing of what it held back', async () => {
    const stored = Promise.withResolvers<void>();
    let control: FeatureControl | undefined;
    const feature = named({
      attach: (given) => void (control = given),
      receive: (message) => (message.type === 'result' ? stored.promise : undefined),
    });
    const { conversation, agent } = await converse({ features: [feature] });
    const events = conversation.events();
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), result({ result: 'a' }));
    await microtasks();
    const error = new SdkError('LEASE_LOST', 'Another process has the session.');
    control?.suspend?.(error);
    stored.resolve();
    await expect(turn.result).rejects.toBe(error);
    expect(await conversation.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(agent.received.map(({ type }) => type)).toEqual(['control_request', 'user']);
    const seen = await collect(events);
    expect(seen.map(({ kind }) => kind)).toEqual(['turn_sent', 'turn_started', 'closing', 'turn_cut', 'exited']);
    expect(seen.slice(2)).toMatchObject([{ error }, { turn: turn.id, error }, { error }]);
    expect(() => control?.suspend?.(error)).not.toThrow();
  });

  it('does so too where no turn runs', async () => {
    let control: FeatureControl | undefined;
    const { conversation } = await converse({ features: [named({ attach: (given) => void (control = given) })] });
    const events = conversation.events();
    const error = new SdkError('LEASE_LOST', 'Another process has the session.');
    control?.suspend?.(error);
    expect(await conversation.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(await collect(events)).toMatchObject([
      { kind: 'closing', error },
      { kind: 'exited', error },
    ]);
  });
});

describe('A feature that asks a person', () => {
  const ask: Ask = {
    id: 'r1',
    kind: 'elicitation',
    request: { mcp_server_name: 's', message: 'Which?' },
    createdAt: 0,
    expiresAt: undefined,
    signal: new AbortController().signal,
  };

  it('adds that to the events, in order with the messages and with the turn that runs', async () => {
    let control: FeatureControl | undefined;
    const feature = named({
      attach: (given) => void (control = given),
      handlers: { elicitation: async () => (control?.append?.({ kind: 'ask_opened', ask }), { action: 'decline' }) },
    });
    const { conversation, agent } = await converse({ features: [feature] });
    const events = conversation.events();
    const { id: turn } = conversation.send('a');
    agent.write(lifecycle(turn, 'started'), assistantText('a'), asks({ subtype: 'elicitation', ...ask.request }));
    await microtasks();
    control?.append?.({ kind: 'ask_settled', id: 'r1', how: 'answered' });
    agent.write(result());
    agent.exit({ code: 0 });
    const seen = await collect(events);
    expect(seen.map(({ kind }) => kind)).toEqual([
      'turn_sent',
      'turn_started',
      'message',
      'ask_opened',
      'ask_settled',
      'message',
      'turn_ended',
      'idle',
      'exited',
    ]);
    expect(seen[3]).toEqual({ kind: 'ask_opened', turn, ask, seq: 4 });
    expect(seen[4]).toEqual({ kind: 'ask_settled', turn, id: 'r1', how: 'answered', seq: 5 });
    expect(() => control?.append?.({ kind: 'ask_opened', ask })).not.toThrow();
  });

  it('overtakes messages that another feature holds back, and delays none of them', async () => {
    const stored = Promise.withResolvers<void>();
    let control: FeatureControl | undefined;
    const asking = named({
      attach: (given) => void (control = given),
      handlers: { elicitation: async () => (control?.append?.({ kind: 'ask_opened', ask }), { action: 'decline' }) },
    });
    const mirroring = named({ receive: ({ type }) => (type === 'assistant' ? stored.promise : undefined) });
    const { conversation, agent } = await converse({ features: [asking, mirroring] });
    const events = conversation.events();
    const { id: turn } = conversation.send('a');
    agent.write(lifecycle(turn, 'started'), assistantText('call'), asks({ subtype: 'elicitation', ...ask.request }));
    // The agent has its answer while the message is still held back.
    await agent.next('control_response');
    stored.resolve();
    agent.write(result());
    agent.exit({ code: 0 });
    const seen = (await collect(events)).map((event) => (event.kind === 'message' ? brief(event.message) : event.kind));
    expect(seen.slice(0, 5)).toEqual(['turn_sent', 'turn_started', 'ask_opened', 'call', 'result/success']);
  });

  it('counts as unread with all that is asked: memory has a bound', async () => {
    let control: FeatureControl | undefined;
    const feature = named({ attach: (given) => void (control = given) });
    const { conversation, agent } = await converse({ softMarkBytes: 2000, features: [feature] });
    conversation.events();
    const request = { mcp_server_name: 's', message: 'x'.repeat(2000) };
    control?.append?.({ kind: 'ask_opened', ask: { ...ask, request } });
    await microtasks();
    expect(agent.paused).toBe(true);
  });
});
