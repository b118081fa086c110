import { describe, expect, it } from 'vitest';
import type { Query } from '../src/official.ts';
import { closed, collect, result, settle, start } from './start.ts';

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

  it.each(requests)(
    '$name asks nothing after the end, and fails as in the official package',
    async ({ name, call }) => {
      const { query, conversation } = start();
      await settle();
      conversation.answer(result());
      conversation.exit();
      await collect(query);
      const outcome: unknown = await call(query).catch((error: unknown) => error);
      expect(name === 'readFile' ? { ...closed, value: outcome } : outcome).toMatchObject(closed);
      expect(conversation.asked.map(({ subtype }) => subtype)).not.toContain('mcp_set_servers');
    },
  );
});

describe('The method', () => {
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
});
