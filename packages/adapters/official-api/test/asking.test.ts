import { AbortError, SdkError } from '@hexagent/ports';
import { Inbox } from '@hexagent/async';
import { describe, expect, it } from 'vitest';
import type { Query } from '../src/official.ts';
import { PlayedConversations } from './played-conversations.ts';
import { collect, result, settle, start } from './start.ts';

interface Request {
  readonly name: string;
  readonly call: (query: Query) => Promise<unknown>;
  readonly subtype: string;
  readonly fields: object;
  /** What the agent answers. */
  readonly payload: object;
  /** What the program gets. */
  readonly value: unknown;
}

function request(
  name: string,
  call: Request['call'],
  [subtype, fields]: readonly [subtype: string, fields: object],
  answered: Pick<Request, 'payload' | 'value'> = quiet({}),
): Request {
  return { name, call, subtype, fields, ...answered };
}

// Subtypes, fields and answers as recorded from the CLI (transcript 20).
const requests: readonly Request[] = [
  request('interrupt', (q) => q.interrupt(), ['interrupt', {}], same({ still_queued: [] })),
  request(
    'setPermissionMode',
    (q) => q.setPermissionMode('plan'),
    ['set_permission_mode', { mode: 'plan' }],
    quiet({ mode: 'plan' }),
  ),
  request('setModel', (q) => q.setModel('opus'), ['set_model', { model: 'opus' }], quiet({ model: 'opus' })),
  request('setModel()', (q) => q.setModel(), ['set_model', {}], quiet({ model: 'default' })),
  request('setMaxThinkingTokens', (q) => q.setMaxThinkingTokens(1000, 'summarized'), [
    'set_max_thinking_tokens',
    { max_thinking_tokens: 1000, thinking_display: 'summarized' },
  ]),
  request('setMaxThinkingTokens(null)', (q) => q.setMaxThinkingTokens(null), [
    'set_max_thinking_tokens',
    { max_thinking_tokens: null },
  ]),
  request('applyFlagSettings', (q) => q.applyFlagSettings({ model: 'opus' }), [
    'apply_flag_settings',
    { settings: { model: 'opus' } },
  ]),
  request(
    'updateSettings',
    (q) => q.updateSettings('localSettings', { outputStyle: 'x' }),
    ['update_settings', { source: 'localSettings', settings: { outputStyle: 'x' } }],
    quiet({}),
  ),
  request('seedReadState', (q) => q.seedReadState('a.txt', 5), ['seed_read_state', { path: 'a.txt', mtime: 5 }]),
  request('stopTask', (q) => q.stopTask('t1'), ['stop_task', { task_id: 't1' }]),
  request('backgroundTasks()', (q) => q.backgroundTasks(), ['background_tasks', {}], { payload: {}, value: true }),
  request('backgroundTasks', (q) => q.backgroundTasks('toolu_1'), ['background_tasks', { tool_use_id: 'toolu_1' }], {
    payload: { backgrounded: false },
    value: false,
  }),
  request(
    'rewindFiles',
    (q) => q.rewindFiles('m', { dryRun: true }),
    ['rewind_files', { user_message_id: 'm', dry_run: true }],
    same({ canRewind: true }),
  ),
  request(
    'getContextUsage',
    (q) => q.getContextUsage({ detail: 'summary' }),
    ['get_context_usage', { detail: 'summary' }],
    same({ totalTokens: 1 }),
  ),
  request(
    'usage',
    (q) => q.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true }),
    ['get_usage', { skip_behaviors: true }],
    same({ session: {} }),
  ),
  request(
    'readFile',
    (q) => q.readFile('a', { maxBytes: 2, encoding: 'base64' }),
    ['read_file', { path: 'a', max_bytes: 2, encoding: 'base64' }],
    same({ contents: 'x' }),
  ),
  request(
    'reloadPlugins',
    (q) => q.reloadPlugins({ refuseIfBusy: true }),
    ['reload_plugins', { refuse_if_busy: true }],
    same({ error_count: 0 }),
  ),
  request('reloadSkills', (q) => q.reloadSkills(), ['reload_skills', {}], same({ skills: [] })),
  request(
    'reloadOutputStyles',
    (q) => q.reloadOutputStyles(),
    ['reload_output_styles', {}],
    same({ available_output_styles: [] }),
  ),
  request('mcpServerStatus', (q) => q.mcpServerStatus(), ['mcp_status', {}], {
    payload: { mcpServers: [{ name: 'a' }] },
    value: [{ name: 'a' }],
  }),
  request('reconnectMcpServer', (q) => q.reconnectMcpServer('a'), ['mcp_reconnect', { serverName: 'a' }]),
  request('toggleMcpServer', (q) => q.toggleMcpServer('a', false), ['mcp_toggle', { serverName: 'a', enabled: false }]),
  request(
    'readMcpResource',
    (q) => q.readMcpResource('a', 'ui://x'),
    ['mcp_read_resource', { serverName: 'a', uri: 'ui://x' }],
    same({ contents: [] }),
  ),
  request(
    'setMcpPermissionModeOverride',
    (q) => q.setMcpPermissionModeOverride('a', 'auto'),
    ['set_mcp_permission_mode_override', { serverName: 'a', mode: 'auto' }],
    same({ warning: 'w' }),
  ),
  request(
    'setMcpServers',
    (q) => q.setMcpServers({ a: { command: 'x' } }),
    ['mcp_set_servers', { servers: { a: { command: 'x', args: [] } } }],
    same({ added: ['a'], removed: [], errors: {} }),
  ),
];

function same(payload: object): Pick<Request, 'payload' | 'value'> {
  return { payload, value: payload };
}

function quiet(payload: object): Pick<Request, 'payload' | 'value'> {
  return { payload, value: undefined };
}

const closed = { code: 'CONVERSATION_CLOSED', message: 'Query closed before response received' };

describe('A method of the query', () => {
  it.each(requests)('$name is one request to the agent', async ({ call, subtype, fields, payload, value }) => {
    const { query, conversation } = start();
    conversation.answers.set(subtype, { ...payload });
    await expect(call(query)).resolves.toEqual(value);
    expect(conversation.asked).toHaveLength(1);
    expect(conversation.asked[0]?.subtype).toBe(subtype);
    // What is undefined does not travel.
    expect(JSON.parse(JSON.stringify(conversation.asked[0]?.fields))).toEqual(fields);
  });

  it.each(requests)('$name asks nothing after the end, and fails as officially', async ({ name, call }) => {
    const { query, conversation } = start();
    await settle();
    conversation.answer(result());
    conversation.exit();
    await collect(query);
    const outcome: unknown = await call(query).catch((error: unknown) => error);
    expect(name === 'readFile' ? { ...closed, value: outcome } : outcome).toMatchObject(closed);
    expect(conversation.asked.map(({ subtype }) => subtype)).not.toContain('mcp_set_servers');
  });

  it('waits for the agent to be up', async () => {
    const { query, conversation, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    const asked = query.setModel('opus');
    await settle();
    expect(conversation.asked).toEqual([]);
    conversations.finishOpening();
    await asked;
    expect(conversation.asked).toHaveLength(1);
  });

  it.each([
    ['after the query was closed before the agent was up', true],
    ['that waits for the agent when the query is closed', false],
  ])('%s rejects with a typed error', async (_, after) => {
    const slow = new PlayedConversations({ slow: true });
    slow.refusesWhenAborted = !after;
    const { query } = start('Hello', {}, slow);
    if (after) query.close();
    const asked = query.setModel('opus');
    query.close();
    await expect(asked).rejects.toMatchObject(closed);
  });

  it('#8 interrupts after the prompt was sent, however early it is called', async () => {
    const { query, conversation, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    const interrupted = query.interrupt();
    conversations.finishOpening();
    await interrupted;
    const written = conversation.agent.received.map(({ type, request: asked }) => asked?.subtype ?? type);
    expect(written).toEqual(['initialize', 'user', 'interrupt']);
  });

  it('rejects with the reason when the agent could not start', async () => {
    const { query, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    const asked = query.setModel('opus');
    const missing = new SdkError('AGENT_NOT_FOUND', 'There is no agent.');
    conversations.failOpening(missing);
    await expect(asked).rejects.toBe(missing);
  });

  it('that reads the introduction costs no request, and works after the end', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.answer(result());
    conversation.exit();
    await collect(query);
    expect((await query.initializationResult()).models).toEqual(await query.supportedModels());
    expect(await query.supportedCommands()).toMatchObject([{ name: 'help' }]);
    expect(await query.supportedAgents()).toMatchObject([{ name: 'general' }]);
    expect(await query.accountInfo()).toEqual({ apiKeySource: 'ANTHROPIC_API_KEY' });
    expect(conversation.asked).toEqual([]);
  });

  it('readFile gives null when the agent will not read it', async () => {
    const { query, conversation } = start();
    conversation.refusals.set('read_file', { error: 'read denied' });
    expect(await query.readFile('secret')).toBeNull();
  });

  it('readFile gives null when the agent leaves before', async () => {
    const { query, conversation } = start();
    conversation.answers.set('read_file', null);
    const reading = query.readFile('secret');
    await settle();
    conversation.exit();
    expect(await reading).toBeNull();
  });

  it("fails with the agent's own text and its code when it is refused", async () => {
    const { query, conversation } = start();
    const cause = { error: 'No such mode.', error_code: 'invalid_mode' };
    conversation.refusals.set('set_permission_mode', cause);
    await expect(query.setPermissionMode('plan')).rejects.toMatchObject({
      message: 'No such mode.',
      code: 'REQUEST_FAILED',
      errorCode: 'invalid_mode',
      errorClass: 'control_request_failed',
      cause,
    });
  });

  it.each([
    ['is closed', (query: Query) => query.close(), closed],
    ['is left', (query: Query) => void query.return(), closed],
  ])('fails at once when the query %s, however stubborn the agent is', async (_, end, error) => {
    const { query, conversation } = start();
    conversation.stubborn = true;
    conversation.answers.set('set_model', null);
    const asked = query.setModel('opus');
    await settle();
    end(query);
    await expect(asked).rejects.toMatchObject(error);
  });

  it('fails with the AbortError of the loop when the query is aborted', async () => {
    const abortController = new AbortController();
    const { query, conversation } = start('Hello', { abortController });
    conversation.answers.set('set_model', null);
    const [asked, reading] = [query.setModel('opus'), query.next()];
    await settle();
    abortController.abort('enough');
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ message: 'Operation aborted', cause: 'enough' });
    await expect(reading).rejects.toBe(error);
    await expect(query.setModel('opus')).rejects.toMatchObject(closed);
  });

  it('fails with the error of the loop when the agent dies before it has answered', async () => {
    const { query, conversation } = start();
    conversation.answers.set('set_model', null);
    const asked = query.setModel('opus');
    await settle();
    conversation.exit({ code: 3, stderr: 'out of memory' });
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringMatching(/^Claude Code process exited with code 3\b/) });
    await expect(collect(query)).rejects.toBe(error);
  });

  it('that is not awaited causes no unhandled rejection', async () => {
    const { query, conversation } = start();
    conversation.refusals.set('set_model', { error: 'no' });
    void query.setModel('opus');
    void query.next();
    void query.streamInput(new Inbox());
    await settle();
    query.close();
    void query.interrupt();
    await settle(); // vitest fails the run for an unhandled rejection
  });

  it('supportedCommands gives the latest list, also when the change was not read', async () => {
    const { query, conversation } = start();
    const commands = [{ name: 'new', description: 'Added later', argumentHint: '' }];
    conversation.say({ type: 'system', subtype: 'commands_changed', commands });
    expect(await query.supportedCommands()).toEqual(commands);
    expect((await query.initializationResult()).commands).toMatchObject([{ name: 'help' }]);
    conversation.say({ type: 'system', subtype: 'commands_changed', commands: 'no list' });
    expect(await query.supportedCommands()).toEqual(commands);
  });

  it('setMcpServers announces servers of this process as they are hosted', async () => {
    const { query, conversation } = start();
    const instance = { connect: () => Promise.resolve(), close: () => Promise.resolve() };
    await query.setMcpServers({ own: { type: 'sdk', name: 'mine', instance }, a: { command: 'x' } });
    const servers = { own: { type: 'sdk', name: 'own' }, a: { command: 'x', args: [] } };
    expect(conversation.asked).toContainEqual({ subtype: 'mcp_set_servers', fields: { servers } });
  });

  it.each<[unknown, string]>([
    [null, 'setMcpServers() takes an object'],
    ['a', 'setMcpServers() takes an object'],
    [[], 'setMcpServers() takes an object'],
    [{ a: null }, '`mcpServers.a` must be an object'],
    [{ a: { open: () => ({}) } }, '`mcpServers.a` is a server for openSession()'],
  ])('setMcpServers refuses %j', async (servers, message) => {
    const { query, conversation } = start();
    const failure = await query.setMcpServers(servers as never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TypeError);
    expect((failure as Error).message).toContain(message);
    expect(conversation.asked).toEqual([]);
  });

  it('works when it is taken off the query', async () => {
    const { query, conversation } = start();
    const { interrupt } = query;
    await interrupt();
    expect(conversation.asked).toHaveLength(1);
  });
});

describe('A method of a query', () => {
  it('is the same function each time it is read, and needs no query to be called on', async () => {
    const { query, conversation } = start();
    const { setModel } = query;
    expect(query.setModel).toBe(setModel);
    await settle();
    setModel('opus').catch(() => {});
    await settle();
    expect(conversation.asked.at(-1)).toMatchObject({ subtype: 'set_model' });
  });

  it('may be replaced by a function of the program', async () => {
    const { query } = start();
    const own = async (): Promise<undefined> => undefined;
    query.interrupt = own;
    expect(query.interrupt).toBe(own);
  });

  it('is found on a query that is wrapped in a proxy', async () => {
    const { query } = start();
    const wrapped = new Proxy(query, {});
    expect('interrupt' in wrapped).toBe(true);
    await expect(wrapped.return()).resolves.toEqual({ done: true, value: undefined });
    expect(wrapped[Symbol.asyncIterator]()).toBe(wrapped);
  });
});
