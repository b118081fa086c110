import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  SdkError,
  type AgentMessage,
  type ControlRequest,
  type FeatureControl,
  type SessionFeature,
  type Transport,
  type Warning,
} from '@hexagent/ports';
import { answering, HandClock, microtasks, RecordingObserver } from '@hexagent/testing';
import {
  answer,
  begin,
  brief,
  collect,
  converse,
  init,
  lifecycle,
  result,
  assistantText,
  wholeTurn,
} from './support.ts';

const named = (feature: Partial<SessionFeature>): SessionFeature => ({ name: 'test', ...feature });
const asks = (request: object): object => ({ type: 'control_request', request_id: 'asked', request });
const mirror = { type: 'transcript_mirror', filePath: '/a', entries: [{ n: 1 }] };

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

describe('A feature that receives the messages of the agent', () => {
  it('does so before anybody reads it, transcripts among it', async () => {
    const seen: string[] = [];
    const feature = named({ receive: (message) => void seen.push(message.type) });
    const { conversation, agent } = await converse({ delivery: 'all', features: [feature] });
    agent.write(init(), mirror, assistantText('a'), result());
    agent.exit({ code: 0 });
    expect((await collect(conversation.messages)).map(brief)).toEqual(['system/init', 'a', 'result/success']);
    expect(seen).toEqual(['system', 'transcript_mirror', 'assistant', 'result']);
  });

  it('holds back a message, and what follows, until it is done with it', async () => {
    const stored = Promise.withResolvers<void>();
    const feature = named({
      receive: (message) => (message.type === 'result' ? stored.promise : undefined),
    });
    const { conversation, agent } = await converse({ features: [feature] });
    const turn = conversation.send('a');
    agent.write(
      lifecycle(turn.id, 'started'),
      assistantText('a'),
      result({ result: 'a' }),
      lifecycle(turn.id, 'completed'),
    );
    let isSettled = false;
    const settled = turn.result.then(() => (isSettled = true));
    await microtasks();
    expect(isSettled).toBe(false);
    stored.resolve();
    await settled;
    expect((await collect(turn)).map(brief)).toEqual(['a', 'result/success']);
  });

  it('holds back nothing for ever when a message that it held back fails to be received', async () => {
    const warnings: Warning[] = [];
    const onMessage = (message: AgentMessage): void => {
      if (message.type === 'assistant') throw new Error('full');
    };
    const { conversation, agent } = await converse(
      { onMessage, features: [named({ receive: async () => {} })] },
      { warn: (warning) => void warnings.push(warning) },
    );
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), assistantText('a'), result({ result: 'a' }));
    expect(await turn.result).toMatchObject({ text: 'a' });
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CALLBACK_FAILED', message: expect.stringContaining('full') }]);
  });

  it('is waited for by a promise that is no instance of ours too', async () => {
    const stored = Promise.withResolvers<void>();
    const Foreign = runInNewContext('Promise') as PromiseConstructor;
    const receive = (): Promise<void> => new Foreign((resolve) => void stored.promise.then(resolve));
    const { conversation, agent } = await converse({ delivery: 'all', features: [named({ receive })] });
    let isRead = false;
    const read = conversation.messages.next().then(() => (isRead = true));
    agent.write(assistantText('a'));
    await microtasks();
    expect(isRead).toBe(false);
    stored.resolve();
    await read;
  });

  it('counts what it holds back as unread: memory has a bound', async () => {
    const feature = named({ receive: () => new Promise<void>(() => {}) });
    const { agent } = await converse({ softMarkBytes: 2000, features: [feature] });
    for (let count = 0; count < 3; count += 1) agent.write(assistantText('x'.repeat(1000)));
    await microtasks();
    expect(agent.paused).toBe(true);
  });

  it('delays the end for what it holds back, but not for ever', async () => {
    const clock = new HandClock();
    const feature = named({ receive: () => new Promise<void>(() => {}) });
    const { conversation, agent } = await converse({ delivery: 'all', features: [feature] }, { clock });
    agent.write(assistantText('a'), assistantText('b'));
    agent.exit({ code: 0 });
    let isOver = false;
    const over = conversation.exited.then(() => (isOver = true));
    await microtasks();
    expect(isOver).toBe(false);
    clock.advance(5000);
    await over;
    expect((await collect(conversation.messages)).map(brief)).toEqual(['a', 'b']);
    expect(clock.waiting).toBe(0);
  });

  it.each([
    [
      'throws',
      (): void => {
        throw new Error('full');
      },
    ],
    ['rejects', async (): Promise<void> => Promise.reject(new Error('full'))],
  ])('changes nothing when it %s, and is warned of', async (_, receive) => {
    const warnings: Warning[] = [];
    const { conversation, agent } = await converse(
      { delivery: 'all', features: [{ name: 'store', receive }] },
      { warn: (warning) => void warnings.push(warning) },
    );
    agent.write(assistantText('a'));
    agent.exit({ code: 0 });
    expect((await collect(conversation.messages)).map(brief)).toEqual(['a']);
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CALLBACK_FAILED', source: 'store' }]);
  });
});

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
    const { conversation, agent } = await converse({ delivery: 'all', features: [feature] });
    agent.write(assistantText('a'));
    agent.exit({ code: 0 });
    let isOver = false;
    const over = conversation.exited.then(() => (isOver = true));
    await microtasks();
    expect(isOver).toBe(false);
    control?.deliver?.(notice);
    stored.resolve();
    await over;
    expect((await collect(conversation.messages)).map(brief)).toEqual(['a', 'system/mirror_error']);
    expect(() => control?.deliver?.(notice)).not.toThrow();
  });

  it('is waited for as long as it asks for, and not for ever', async () => {
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

  it.each([
    [
      'throws',
      (): void => {
        throw new Error('full');
      },
    ],
    ['rejects', async (): Promise<void> => Promise.reject(new Error('full'))],
  ])('keeps nobody from the end when finishing %s', async (_, exiting) => {
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
