import { describe, expect, it } from 'vitest';
import {
  SdkError,
  type ControlRequest,
  type FeatureControl,
  type SessionFeature,
  type Transport,
  type Warning,
} from '@hexagent/ports';
import { answering, HandClock, microtasks, RecordingObserver } from '@hexagent/testing';
import { answer, begin, collect, converse, result, wholeTurn } from './support.ts';
import { asks, named } from './feature-doubles.ts';

describe('Features', () => {
  it('set up together what `initialize` names, beside what the launch does', async () => {
    const features = [
      named({ initialize: { hooks: { Stop: [{ hookCallbackIds: ['hook_0'] }] } } }),
      named({ initialize: { sdkMcpServers: ['mine'] } }),
    ];
    const { agent } = await converse({ features });
    expect(agent.received[0]?.request).toEqual({
      subtype: 'initialize',
      hooks: { Stop: [{ hookCallbackIds: ['hook_0'] }] },
      sdkMcpServers: ['mine'],
    });
    const { agent: plain } = await converse();
    expect(plain.received[0]?.request).toEqual({ subtype: 'initialize' });
  });

  it.each<[string, Partial<SessionFeature>, string]>([
    ['answer the same', { handlers: { can_use_tool: async () => null } }, 'Both one and other answer `can_use_tool`.'],
    ['set the same', { initialize: { title: 'A' } }, 'Both one and other set `title`.'],
    ['complete the same', { amend: { mcp_status: (status) => status } }, 'Both one and other amend `mcp_status`.'],
  ])('that %s are refused before anything is started', async (_, feature, message) => {
    const features = [
      { name: 'one', ...feature },
      { name: 'other', ...feature },
    ];
    await expect(begin({ features })).rejects.toThrow(new TypeError(message));
  });

  it('keep the input open once they may be asked, and not before', async () => {
    let isAsked = false;
    const { conversation, agent } = await converse({
      features: [named({ handlers: { can_use_tool: async () => null }, mayBeAsked: () => isAsked })],
    });
    agent.write({ type: 'system', subtype: 'session_state_changed', state: 'running', session_id: 's', uuid: 'u' });
    await microtasks();
    isAsked = true;
    void conversation.finish();
    await microtasks();
    expect(agent.inputEnded).toBe(false);
    isAsked = false;
    agent.write(result());
    await microtasks();
    expect(agent.inputEnded).toBe(true);
    agent.exit({ code: 0 });
  });

  it('refuse a message: its turn ends with the failure, nothing is sent, and the conversation is idle', async () => {
    const failure = { kind: 'failed', cause: 'budget', message: 'It is spent.' } as const;
    const { conversation, agent } = await converse({ features: [named({}), named({ refuse: () => failure })] });
    const events = conversation.events();
    const turn = conversation.send('hi');
    expect(await collect(turn)).toEqual([]);
    expect(await turn.result).toMatchObject({ ...failure, text: '', cost: 0, result: undefined });
    expect(await turn.interrupt()).toBe('too_late');
    await conversation.idle();
    agent.exit({ code: 0 });
    await conversation.finish();
    expect((await collect(events)).map(({ kind }) => kind)).toEqual(['turn_sent', 'turn_ended', 'idle', 'exited']);
    expect(agent.received.map(({ type }) => type)).not.toContain('user');
  });

  it('that fail to decide whether a message may be sent are warned of, and it is sent', async () => {
    const warnings: Warning[] = [];
    const refuse = (): never => {
      throw new Error('broken');
    };
    const { conversation, agent } = await converse(
      { features: [named({ refuse })] },
      { warn: (warning) => void warnings.push(warning) },
    );
    const turn = conversation.send('hi');
    for (const frame of wholeTurn(turn.id, 'hello')) agent.write(frame);
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    await conversation.idle();
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CALLBACK_FAILED', message: expect.stringContaining('broken') }]);
    agent.exit({ code: 0 });
  });

  it('answer subtypes that have no type', async () => {
    const untypedHandlers = {
      open_file: async (request: ControlRequest) => ({ opened: request['path'] }),
      wrong: async () => 'no object' as never,
    };
    const { agent } = await converse({ features: [named({ untypedHandlers })] });
    agent.write(asks({ subtype: 'open_file', path: 'a' }));
    expect(await agent.next('control_response')).toMatchObject({
      response: { subtype: 'success', response: { opened: 'a' } },
    });
    agent.write(asks({ subtype: 'wrong' }));
    expect(await agent.next('control_response')).toMatchObject({
      response: { subtype: 'error', error: expect.stringContaining('an object is accepted') },
    });
    agent.write(asks({ subtype: 'toString' }));
    expect(await agent.next('control_response')).toMatchObject({
      response: { subtype: 'error', error_code: 'unsupported_request' },
    });
  });

  it('keep the input open for what they answer, and only for that', async () => {
    for (const [feature, isOpen] of [
      [answering({ can_use_tool: async () => ({ behavior: 'allow' }) }), true],
      [named({ untypedHandlers: { open_file: async () => ({}) } }), true],
      [named({ initialize: { title: 'A' } }), false],
      [answering({ can_use_tool: undefined }), false],
    ] as const) {
      const { conversation, agent } = await converse({ features: [feature] });
      const turn = conversation.send('a');
      void conversation.finish();
      const [running, ...rest] = wholeTurn(turn.id, 'x');
      agent.write(...[running, ...rest.slice(0, -1)].filter((frame) => frame !== undefined));
      await turn.result;
      await microtasks();
      expect([feature, agent.inputEnded]).toEqual([feature, !isOpen]);
      agent.exit({ code: 0 });
    }
  });

  it('complete what the agent answers to requests of the program', async () => {
    const amend: SessionFeature['amend'] = {
      mcp_status: ({ mcpServers }) => ({ mcpServers: mcpServers.map((server) => ({ ...server, error: 'ours' })) }),
    };
    const { conversation, agent } = await converse({ features: [named({ amend })] });
    const asked = conversation.control('mcp_status');
    answer(agent, await agent.next('mcp_status'), { mcpServers: [{ name: 'a', status: 'failed' }] });
    expect(await asked).toEqual({ mcpServers: [{ name: 'a', status: 'failed', error: 'ours' }] });
    const other = conversation.control('get_settings');
    answer(agent, await agent.next('get_settings'), { effective: {} });
    expect(await other).toEqual({ effective: {} });
  });

  it('ask the agent, report and warn by what they are attached to', async () => {
    const warnings: Warning[] = [];
    const observer = new RecordingObserver();
    const attached: FeatureControl[] = [];
    const feature = named({ attach: (control) => void attached.push(control) });
    const { agent } = await converse(
      { features: [feature] },
      { observer, warn: (warning) => void warnings.push(warning) },
    );
    const [control] = attached;
    const asked = control?.request('set_model', { model: 'opus' });
    answer(agent, await agent.next('set_model'), { model: 'opus' });
    expect(await asked).toEqual({ model: 'opus' });
    control?.observe({ kind: 'server_failed', name: 'a', reason: 'b' });
    control?.warn({ code: 'HEXAGENT_SERVER_FAILED', source: 'a', message: 'b' });
    expect(observer.of('server_failed')).toHaveLength(1);
    expect(warnings).toMatchObject([{ source: 'a' }]);
  });

  it('that fail to attach leave no agent behind', async () => {
    const feature = named({
      attach() {
        throw new Error('not today');
      },
    });
    await expect(begin({ features: [feature] })).rejects.toThrow('not today');
  });
});

describe('A feature that checks what the agent took', () => {
  const check = (answered: object): void => {
    if (!('holds' in answered)) throw new SdkError('INITIALIZE_FAILED', 'It does not hold.');
  };

  it('does so before anything is sent', async () => {
    const { conversation, agent } = await begin({ features: [named({ checkInitialize: check })] });
    conversation.send('go').result.catch(() => {});
    conversation.control('set_model', { model: 'm' }).catch(() => {});
    const request = await agent.next('initialize');
    await microtasks();
    expect(agent.received).toHaveLength(1);
    answer(agent, request, { holds: true });
    await microtasks();
    expect(agent.received.map(({ type }) => type)).toEqual(['control_request', 'user', 'control_request']);
  });

  it('ends the conversation before it began when that does not hold', async () => {
    const { conversation, agent } = await begin({ features: [named({ checkInitialize: check })] });
    const turn = conversation.send('go');
    answer(agent, await agent.next('initialize'), {});
    const failure = { code: 'INITIALIZE_FAILED', message: 'It does not hold.' };
    await expect(turn.result).rejects.toMatchObject(failure);
    await expect(conversation.ready).rejects.toMatchObject(failure);
    await agent.ended;
    expect(agent.received.map(({ type }) => type)).not.toContain('user');
  });
});

describe('A feature that is closed', () => {
  it('is so also when the agent cannot be started, or is no longer needed', async () => {
    let closings = 0;
    const feature = named({ close: async () => void (closings += 1) });
    const through = (): Transport => ({ connect: () => Promise.reject(new Error('no agent')) });
    await expect(begin({ features: [feature] }, { through })).rejects.toThrow('no agent');
    expect(closings).toBe(1);
    const failing = named({
      attach() {
        throw new Error('not today');
      },
    });
    await expect(begin({ features: [feature, failing] })).rejects.toThrow('not today');
    expect(closings).toBe(2);
    await expect(begin({ features: [feature], signal: AbortSignal.abort() })).rejects.toThrow('before it began');
    expect(closings).toBe(3);
  });

  it('is waited for by close(), with a bound', async () => {
    const clock = new HandClock();
    const features = [
      named({ close: () => new Promise<void>(() => {}) }),
      named({ close: () => Promise.reject(new Error()) }),
    ];
    const { conversation, agent } = await converse({ features }, { clock });
    let isClosed = false;
    const closed = Promise.all([conversation.finish(), conversation.close()]).then(() => (isClosed = true));
    await agent.exited;
    await microtasks();
    expect(isClosed).toBe(false);
    clock.advance(5000);
    await closed;
  });
});
