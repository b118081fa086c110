import { describe, expect, it } from 'vitest';
import { openSession, type Session, type SessionControls } from '@hexagent/sdk';
import { linkedTransport, scriptedAgent, type LinkedAgent } from '@hexagent/testing';

/** The answer to `initialize` is none of the requests. */
const requests = ({ received }: LinkedAgent): unknown[] =>
  received.flatMap(({ request }) => (request === undefined || request.subtype === 'initialize' ? [] : [request]));

/** What each method sends. Those that read the introduction, and the doors to every request, are tested below. */
const frames: Readonly<
  Record<
    Exclude<keyof SessionControls, 'commands' | 'subagents' | 'accountInfo' | 'request' | 'requestUntyped'>,
    readonly [call: (session: Session) => Promise<unknown>, frame: object]
  >
> = {
  models: [(session) => session.models(), { subtype: 'list_models' }],
  cliVersion: [(session) => session.cliVersion(), { subtype: 'get_binary_version' }],
  settings: [(session) => session.settings(), { subtype: 'get_settings' }],
  permissionRules: [(session) => session.permissionRules(), { subtype: 'list_permission_rules' }],
  settingsHooks: [(session) => session.settingsHooks(), { subtype: 'get_hooks_listing' }],
  contextUsage: [
    (session) => session.contextUsage({ detail: 'full' }),
    { subtype: 'get_context_usage', detail: 'full' },
  ],
  usageAndLimits: [
    (session) => session.usageAndLimits({ skipBehaviors: true }),
    { subtype: 'get_usage', skip_behaviors: true },
  ],
  costText: [(session) => session.costText(), { subtype: 'get_session_cost' }],
  setModel: [(session) => session.setModel(null), { subtype: 'set_model', model: null }],
  setPermissionMode: [(session) => session.setPermissionMode('plan'), { subtype: 'set_permission_mode', mode: 'plan' }],
  setMaxThinkingTokens: [
    (session) => session.setMaxThinkingTokens(4000, { display: null }),
    { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 4000, thinking_display: null },
  ],
  applySettings: [
    (session) => session.applySettings({ effortLevel: null }),
    { subtype: 'apply_flag_settings', settings: { effortLevel: null } },
  ],
  saveSettings: [
    (session) => session.saveSettings('local', { outputStyle: 'Explanatory' }),
    { subtype: 'update_settings', source: 'localSettings', settings: { outputStyle: 'Explanatory' } },
  ],
  setHasSubscribers: [
    (session) => session.setHasSubscribers(null),
    { subtype: 'set_has_subscribers', has_subscribers: null },
  ],
  stopTask: [(session) => session.stopTask('t'), { subtype: 'stop_task', task_id: 't' }],
  taskOutput: [(session) => session.taskOutput('t'), { subtype: 'get_task_output', task_id: 't' }],
  moveToBackground: [
    (session) => session.moveToBackground('toolu_1'),
    { subtype: 'background_tasks', tool_use_id: 'toolu_1' },
  ],
  readFile: [
    (session) => session.readFile('a.txt', { maxBytes: 10, encoding: 'base64' }),
    { subtype: 'read_file', path: 'a.txt', max_bytes: 10, encoding: 'base64' },
  ],
  suggestFiles: [(session) => session.suggestFiles(''), { subtype: 'file_suggestions', query: '' }],
  markAsRead: [(session) => session.markAsRead('a.txt', 1), { subtype: 'seed_read_state', path: 'a.txt', mtime: 1 }],
  registerRepoRoot: [
    (session) => session.registerRepoRoot('in', { reloadClaudeMd: true, reloadPlugins: false, reloadSkills: true }),
    {
      subtype: 'register_repo_root',
      directory: 'in',
      reload_claude_md: true,
      reload_plugins: false,
      reload_skills: true,
    },
  ],
  reloadPlugins: [
    (session) => session.reloadPlugins({ holdOnCacheImpact: true, addPlugins: ['p'] }),
    { subtype: 'reload_plugins', hold_on_cache_impact: true, add_plugins: [{ type: 'local', path: 'p' }] },
  ],
  reloadSkills: [(session) => session.reloadSkills(), { subtype: 'reload_skills' }],
  reloadOutputStyles: [(session) => session.reloadOutputStyles(), { subtype: 'reload_output_styles' }],
  rename: [(session) => session.rename('A title'), { subtype: 'rename_session', title: 'A title' }],
  generateTitle: [
    (session) => session.generateTitle('Fix it', { persist: true }),
    { subtype: 'generate_session_title', description: 'Fix it', persist: true },
  ],
  sideQuestion: [(session) => session.sideQuestion('What?'), { subtype: 'side_question', question: 'What?' }],
};

describe('A request to the agent', () => {
  it.each(Object.entries(frames))('has the fields of the wire: %s()', async (_, [call, frame]) => {
    const { session, agent } = await opened();
    await call(session).catch(() => {}); // the scripted agent does not have every request
    expect(requests(agent)).toEqual([frame]);
    await session.close();
  });

  it('gives `signal` and `timeoutMs` of its options to the protocol, not to the agent', async () => {
    const { session, agent } = await opened();
    const signal = AbortSignal.abort('no');
    const aborted = { name: 'AbortError', cause: 'no' };
    await expect(session.contextUsage({ detail: 'full', signal })).rejects.toMatchObject(aborted);
    await expect(session.models({ signal })).rejects.toMatchObject(aborted);
    await expect(session.request('mcp_status', {}, { signal })).rejects.toMatchObject(aborted);
    await session.stopTask('t', { timeoutMs: 10_000 });
    expect(requests(agent)).toEqual([{ subtype: 'stop_task', task_id: 't' }]);
    await session.close();
  });

  it('without a method goes through a door', async () => {
    const { session, agent } = await opened();
    expect(await session.request('mcp_status')).toBeTypeOf('object');
    await session.requestUntyped('stop_task', { task_id: 't' });
    expect(requests(agent)).toEqual([{ subtype: 'mcp_status' }, { subtype: 'stop_task', task_id: 't' }]);
    await session.close();
  });

  it('about the introduction sends nothing', async () => {
    const commands = [{ name: 'compact', description: '', argumentHint: '' }];
    const agents = [{ name: 'Explore', description: '' }];
    const account = { tokenSource: 'none' };
    const { session, agent } = await opened({ commands, agents, account });
    expect(await session.commands()).toEqual(commands);
    expect(await session.subagents()).toEqual(agents);
    expect(await session.accountInfo()).toEqual(account);
    expect(requests(agent)).toEqual([]);
    await session.close();
  });
});

describe('A CLI that lacks a request', () => {
  const old = { claude_code_version: '2.1.260', capabilities: [], account: undefined };

  it('is named with its version, and with the version that has it', async () => {
    const { session } = await opened(old);
    await session.ready;
    await expect(session.requestUntyped('get_task_output', { task_id: 't' })).rejects.toMatchObject({
      code: 'REQUEST_UNSUPPORTED',
      message: 'The CLI 2.1.260 does not support `get_task_output`. It came with the CLI 2.1.287: update the CLI.',
    });
    await expect(session.requestUntyped('frob')).rejects.toThrow('The CLI 2.1.260 does not support `frob`.');
    await session.close();
  });

  it('is not sent a field that it would ignore', async () => {
    const { session, agent } = await opened(old);
    await expect(session.reloadPlugins({ refuseIfBusy: true })).rejects.toMatchObject({
      code: 'REQUEST_UNSUPPORTED',
      message: 'The CLI 2.1.260 does not support `refuse_if_busy of reload_plugins`.',
    });
    await expect(session.accountInfo()).rejects.toMatchObject({ code: 'REQUEST_UNSUPPORTED' });
    expect(requests(agent)).toEqual([]);
    await session.close();
  });
});

async function opened(
  introduction: Readonly<Record<string, unknown>> = {},
): Promise<{ session: Session; agent: LinkedAgent }> {
  const { transport, agent } = linkedTransport(scriptedAgent({ initialize: introduction }));
  return { session: await openSession({ transport }), agent };
}
