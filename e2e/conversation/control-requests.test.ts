import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ControlSubtype } from '@hexagent/ports';
import { allow, openSession, type Session } from '@hexagent/sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { listRecordings, loadRecording } from '../../packages/testing/test/recordings/load-recording.ts';
import { withCli } from '../support/cli.ts';
import { requests, type Asked, type Place } from '../support/control-requests.ts';
import { stage } from '../support/stage.ts';

const greeter = { command: 'node', args: [fileURLToPath(new URL('../fixtures/greeting-server.mjs', import.meta.url))] };

withCli('The agent', () => {
  it('answers each request, made by its method, in the form of its type', { timeout: 60_000 }, async () => {
    await using stand = await stage(
      [
        toolUse('Write', { file_path: 'written.txt', content: 'new' }),
        toolUse('Bash', { command: 'sleep 60', run_in_background: true }),
        'Done.',
        'An answer.',
        'An answer.',
      ],
      { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' },
    );
    const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } };
    await writeFile(join(stand.home.cwd, 'read.txt'), 'hello');
    await mkdir(join(stand.home.cwd, 'inside'));
    await using session = await openSession({
      ...stand.options,
      settings: 'project',
      tools: [{ greeter }],
      permissions: { allow: ['Read(//tmp/**)'] },
      onAsk: () => allow(),
      extraArgs: { settings: JSON.stringify(settings) },
    });
    const place = await placeOf(session, stand.home.cwd);
    const wrong: Record<string, unknown> = {};
    const entries: readonly [string, Asked<ControlSubtype> | string][] = Object.entries(requests);
    for (const [subtype, asked] of entries) {
      if (typeof asked === 'string') continue;
      const call = methods[subtype as ControlSubtype];
      const answer = await (
        call === undefined ? session.requestUntyped(subtype, { ...asked.fields(place) }) : call(session, place)
      ).catch(String);
      const { success, error } = asked.answer.safeParse(answer);
      if (!success) wrong[subtype] = { answer, error };
    }
    expect(wrong).toEqual({});
  });

  it('introduces itself with its commands, subagents and account', async () => {
    await using stand = await stage();
    await using session = await openSession(stand.options);
    expect((await session.commands()).map(({ name }) => name)).toContain('compact');
    expect((await session.subagents()).map(({ name }) => name)).toContain('general-purpose');
    expect(await session.accountInfo()).toHaveProperty('apiKeySource');
  });

  it('is named with its version for a request that it does not have', async () => {
    await using stand = await stage();
    await using session = await openSession(stand.options);
    const { claude_code_version: version } = await session.ready;
    await expect(session.requestUntyped('no_such_subtype')).rejects.toMatchObject({
      code: 'REQUEST_UNSUPPORTED',
      message: `The CLI ${version} does not support \`no_such_subtype\`.`,
    });
  });
});

describe('The requests of the types', () => {
  /** Never answered: the first is none, the second was sent to an agent that had ended. */
  const unanswered = ['no_such_subtype', 'submit_feedback'];

  it('are all that a program or the official SDK was recorded to make', async () => {
    const made = new Set<string>();
    for (const { name } of await listRecordings()) {
      const { entries } = await loadRecording(name);
      for (const { dir, frame } of entries) {
        // Lines that are not frames were recorded as well.
        if (dir !== 'in' || !(frame instanceof Object) || frame.type !== 'control_request') continue;
        const request = frame['request'] as { readonly subtype?: unknown } | undefined;
        if (typeof request?.subtype === 'string') made.add(request.subtype);
      }
    }
    expect(made.size).toBeGreaterThan(30);
    expect([...made].filter((subtype) => !Object.hasOwn(requests, subtype))).toEqual(unanswered);
  });
});

const nothing = async (done: Promise<void>): Promise<object> => (await done, {});

/** The requests that are methods, made as a program makes them. What a method takes out of an answer is put back, to compare it. */
const methods: {
  readonly [Subtype in ControlSubtype]?: (session: Session, place: Place) => Promise<object>;
} = {
  get_settings: (session) => session.settings(),
  list_permission_rules: async (session) => ({ state: await session.permissionRules() }),
  get_hooks_listing: (session) => session.settingsHooks(),
  apply_flag_settings: (session) => nothing(session.applySettings({ permissions: { deny: ['Bash(rm *)'] } })),
  update_settings: (session) => nothing(session.saveSettings('local', { outputStyle: 'Explanatory' })),
  set_model: async (session) => {
    await session.setModel('claude-sonnet-5');
    return { model: (await session.settings()).applied.model };
  },
  set_max_thinking_tokens: (session) => nothing(session.setMaxThinkingTokens(4000, { display: 'summarized' })),
  set_permission_mode: async (session) => {
    await session.setPermissionMode('acceptEdits');
    return { mode: (await session.request('initialize')).current_permission_mode };
  },
  set_has_subscribers: (session) => nothing(session.setHasSubscribers(true)),
  get_context_usage: (session) => session.contextUsage({ detail: 'full' }),
  get_usage: (session) => session.usageAndLimits({ skipBehaviors: true }),
  get_session_cost: async (session) => ({ text: await session.costText() }),
  get_binary_version: (session) => session.cliVersion(),
  list_models: async (session) => ({ models: await session.models() }),
  reload_plugins: (session) => session.reloadPlugins({ refuseIfBusy: true }),
  reload_skills: async (session) => ({ skills: await session.reloadSkills() }),
  reload_output_styles: async (session) => ({ available_output_styles: await session.reloadOutputStyles() }),
  read_file: (session) => session.readFile('read.txt'),
  seed_read_state: (session, { folder }) => nothing(session.markAsRead(join(folder, 'read.txt'), 1)),
  file_suggestions: (session) => session.suggestFiles('r'),
  register_repo_root: async (session, { folder }) => ({
    directory: await session.registerRepoRoot(join(folder, 'inside')),
  }),
  get_task_output: (session, { task }) => session.taskOutput(task),
  background_tasks: async (session) => ({ backgrounded: await session.moveToBackground('toolu_none') }),
  stop_task: (session, { task }) => nothing(session.stopTask(task)),
  rename_session: (session) => nothing(session.rename('A title')),
  generate_session_title: async (session) => ({
    title: await session.generateTitle('Fix the parser', { persist: false }),
  }),
  side_question: (session) => session.sideQuestion('What is this?'),
};

/** Lets the agent change a file and start a shell in the background. */
async function placeOf(session: Session, folder: string): Promise<Place> {
  const turn = session.send('Go');
  let task = '';
  for await (const message of turn)
    if (message.type === 'system' && message.subtype === 'task_started') task = message.task_id;
  return { folder, message: turn.id, task };
}
