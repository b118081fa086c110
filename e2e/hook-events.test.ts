import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wrongWithMatcher } from '@hexagent/hooking';
import {
  createHooks,
  createSdk,
  openSession,
  type HookEvent,
  type HookInputOf,
  type HookSet,
  type Session,
  type SessionOptions,
} from '@hexagent/sdk';
import { HOOK_EVENTS } from '@hexagent/sdk/claude-agent-sdk';
import { apiError, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { byPrompt } from './support/by-prompt.ts';
import { withCli } from './support/cli.ts';
import { stage, type Stage } from './support/stage.ts';

/** What every input may have. */
const ofAll = new Set([
  ...['session_id', 'transcript_path', 'cwd', 'prompt_id', 'permission_mode', 'effort', 'hook_event_name'],
]);

/** What the hooks of a session have seen. */
class Seen {
  readonly inputs: HookInputOf[] = [];
  readonly #waiting = new Set<() => void>();

  /** Hooks for all events, without an answer of their own. */
  get hooks(): HookSet {
    const set = createHooks();
    for (const event of HOOK_EVENTS) set.on(event, (input: HookInputOf) => this.note(input));
    return set;
  }

  /** The same for matchers: the events of which one was followed. */
  readonly matched: string[] = [];

  matchers(values: Partial<Record<HookEvent, string>>): HookSet {
    const set = createHooks();
    for (const [event, value] of Object.entries(values) as [HookEvent, string][]) {
      set.on(event, value, () => this.#match(event));
      set.on(event, 'Nothing', () => this.#match(`Nothing of ${event}`));
    }
    return set;
  }

  note(input: HookInputOf): void {
    this.inputs.push(input);
    for (const look of this.#waiting) look();
  }

  #match(event: string): void {
    this.matched.push(event);
    for (const look of this.#waiting) look();
  }

  of<Event extends HookEvent>(event: Event): readonly HookInputOf<Event>[] {
    return this.inputs.filter((input): input is HookInputOf<Event> => input.hook_event_name === event);
  }

  /** What every input has is left out. */
  first(event: HookEvent): object {
    const own = Object.entries(this.of(event)[0] ?? {}).filter(([name]) => !ofAll.has(name));
    return Object.fromEntries(own);
  }

  /** Resolves once that is so. */
  async until(isSo: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => void (isSo() && resolve());
      this.#waiting.add(look);
      look();
    });
  }
}

const allowAll: SessionOptions['permissions'] = { approver: () => ({ behavior: 'allow' }) };
const all = async (session: Session, ...prompts: readonly string[]): Promise<void> => {
  for (const prompt of prompts) await session.send(prompt).result;
};

/** A session in which one thing after another happens; its events arrive in the tests below. */
async function everything(): Promise<{ readonly seen: Seen; readonly place: Stage }> {
  const place = await stage(
    byPrompt({
      'your task is to create a detailed summary': '<summary>What was said.</summary>',
      'create the task': toolUse('TaskCreate', { subject: 'Tidy', description: 'Tidy up' }),
      'complete the task': toolUse('TaskUpdate', { taskId: '1', status: 'completed' }),
      'enter a worktree': toolUse('EnterWorktree', { name: 'apart' }),
      'leave it': toolUse('ExitWorktree', { action: 'remove', discard_changes: true }),
      'run and fail': [toolUse('Bash', { command: 'exit 3' }), toolUse('Bash', { command: 'cd sub' })],
      delegate: toolUse('Agent', {
        description: 'd',
        prompt: 'be brief',
        subagent_type: 'Explore',
        run_in_background: false,
      }),
      'ask me': toolUse('mcp__asking__ask'),
      'Hey you': 'hey',
      'api fails': apiError(402, { message: 'No credit.' }),
    }),
  );
  const [project, worktree] = [join(place.home.cwd, '.claude'), join(place.home.root, 'apart')];
  await Promise.all([
    mkdir(join(project, 'commands'), { recursive: true }),
    mkdir(worktree),
    mkdir(join(place.home.cwd, 'sub')),
  ]);
  await writeFile(join(project, 'commands', 'hey.md'), 'Hey $ARGUMENTS');
  await writeFile(join(project, 'settings.json'), '{}');
  await writeFile(join(place.home.cwd, 'CLAUDE.md'), 'Be kind.');
  const seen = new Seen();
  const watched = join(place.home.cwd, 'watched.txt');
  const answering = createHooks(seen.hooks, seen.matchers(matching))
    .on('WorktreeCreate', () => ({ hookSpecificOutput: { hookEventName: 'WorktreeCreate', worktreePath: worktree } }))
    .on('SessionStart', () => ({ hookSpecificOutput: { hookEventName: 'SessionStart', watchPaths: [watched] } }));
  const asking = fileURLToPath(new URL('./fixtures/asking-server.mjs', import.meta.url));
  await using session = await createSdk({ onWarning: () => {} }).openSession({
    ...place.options,
    settings: 'project',
    tools: ['Bash', 'Agent', 'TaskCreate', 'TaskUpdate', 'EnterWorktree', 'ExitWorktree'],
    mcpServers: { asking: { type: 'stdio', command: process.execPath, args: [asking] } },
    permissions: allowAll,
    elicitor: { elicit: async () => ({ action: 'accept', content: { name: 'Ada' } }) },
    hooks: answering,
  });
  await all(
    session,
    'create the task',
    'complete the task',
    'enter a worktree',
    'leave it',
    'run and fail',
    'delegate',
  );
  await all(session, 'ask me', '/hey you', 'api fails');
  await session.control.setModel('claude-sonnet-5');
  await session.control.request('register_repo_root', { directory: join(place.home.cwd, 'sub') });
  await writeFile(join(project, 'settings.json'), '{"env":{"A":"1"}}');
  await seen.until(() => seen.matched.includes('ConfigChange'));
  await all(session, '/compact', '/clear');
  await writeFile(watched, 'changed');
  await seen.until(() => seen.matched.includes('FileChanged') && seen.of('FileChanged').length > 0);
  return { seen, place };
}

/** Matchers of events without tools, each with the value that it is compared with in `everything()`. */
const matching: Partial<Record<HookEvent, string>> = {
  Notification: 'elicitation_response',
  UserPromptExpansion: 'hey',
  SessionStart: 'clear',
  SessionEnd: 'clear',
  StopFailure: 'unknown',
  SubagentStart: 'Explore',
  SubagentStop: 'Explore',
  PreCompact: 'manual',
  PostCompact: 'manual',
  PreModelSwitch: 'claude-sonnet-5',
  PostModelSwitch: 'claude-sonnet-5',
  Elicitation: 'asking',
  ElicitationResult: 'asking',
  ConfigChange: 'project_settings',
  InstructionsLoaded: 'compact',
  FileChanged: 'watched.txt',
  DirectoryAdded: 'register_repo_root',
};

const text: unknown = expect.any(String);
const task = { task_id: '1', task_subject: 'Tidy', task_description: 'Tidy up' };
const toolCall = {
  tool_input: { subject: 'Tidy', description: 'Tidy up' },
  tool_name: 'TaskCreate',
  tool_use_id: text,
};
const failing = { tool_input: { command: 'exit 3' }, tool_name: 'Bash' };
const agent = { agent_id: text, agent_type: 'Explore' };
const ending = {
  background_tasks: expect.any(Array),
  last_assistant_message: text,
  session_crons: [],
  stop_hook_active: false,
};
const models = {
  cache_ttl: '5m',
  context_tokens: expect.any(Number),
  estimated_cache_write_usd: expect.any(Number),
  from_model: text,
  pricing: 'catalog',
  prompt_cache_warm: true,
  requested_model: 'claude-sonnet-5',
  source: 'sdk',
  to_model: 'claude-sonnet-5',
};
const elicited = { mcp_server_name: 'asking', mode: 'form' };

/** The first input of each event of `everything()`, without what all inputs have. */
const inputsAt = ({ home }: Stage): Partial<Record<HookEvent, object>> => ({
  PreToolUse: toolCall,
  PostToolUse: {
    ...toolCall,
    duration_ms: expect.any(Number),
    tool_response: { task: { id: '1', subject: 'Tidy', description: 'Tidy up' } },
  },
  PostToolUseFailure: {
    ...failing,
    tool_use_id: text,
    duration_ms: expect.any(Number),
    error: 'Exit code 3',
    is_interrupt: false,
  },
  PostToolBatch: { tool_calls: [{ ...toolCall, tool_response: 'Task #1 created successfully: Tidy' }] },
  PermissionRequest: { ...failing, permission_suggestions: [expect.objectContaining({ type: 'addRules' })] },
  Notification: {
    message: 'Elicitation response for server "asking": accept',
    notification_type: 'elicitation_response',
  },
  UserPromptSubmit: { prompt: 'create the task' },
  UserPromptExpansion: {
    command_args: 'you',
    command_name: 'hey',
    command_source: 'projectSettings',
    expansion_type: 'slash_command',
    prompt: '/hey you',
  },
  SessionStart: { model: text, source: 'compact' },
  SessionEnd: { reason: 'clear' },
  Stop: ending,
  StopFailure: { error: 'unknown', last_assistant_message: 'API Error: 402 No credit.' },
  SubagentStart: agent,
  SubagentStop: { ...agent, ...ending, agent_transcript_path: expect.stringContaining('subagents') },
  PreCompact: { custom_instructions: null, trigger: 'manual' },
  PostCompact: { compact_summary: text, trigger: 'manual' },
  PreModelSwitch: models,
  PostModelSwitch: models,
  TaskCreated: task,
  TaskCompleted: task,
  Elicitation: { ...elicited, message: 'Your name?', requested_schema: expect.objectContaining({ type: 'object' }) },
  ElicitationResult: { ...elicited, action: 'accept', content: { name: 'Ada' } },
  ConfigChange: { file_path: join(home.cwd, '.claude', 'settings.json'), source: 'project_settings' },
  WorktreeCreate: { name: 'apart' },
  WorktreeRemove: { worktree_path: join(home.root, 'apart') },
  InstructionsLoaded: { file_path: join(home.cwd, 'CLAUDE.md'), load_reason: text, memory_type: 'Project' },
  FileChanged: { event: 'add', file_path: join(home.cwd, 'watched.txt') },
  DirectoryAdded: { directory: join(home.cwd, 'sub'), source: 'register_repo_root' },
  MessageDisplay: { delta: text, final: true, index: 0, message_id: text, turn_id: text },
});

withCli('The agent calls hooks', () => {
  it('#36 for every event that can be provoked, with the input and the matcher that its type has', async () => {
    const { seen, place } = await everything();
    await using _ = place;
    const expected = inputsAt(place);
    const provoked = HOOK_EVENTS.filter((event) => seen.of(event).length > 0);
    expect(Object.fromEntries(provoked.map((event) => [event, seen.first(event)]))).toEqual(expected);
    expect(new Set(seen.matched)).toEqual(new Set(Object.keys(matching)));
    expect(seen.of('SessionStart').map(({ source }) => source)).toEqual(['compact', 'clear']);
  });

  it('for a denial of the mode auto', async () => {
    await using place = await stage(byPrompt({ fetch: toolUse('Bash', { command: 'curl http://127.0.0.1:9/' }) }));
    const seen = new Seen();
    const set = createHooks(seen.hooks).on('PermissionDenied', 'Bash', () => ({
      hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: false },
    }));
    await using session = await createSdk({ onWarning: () => {} }).openSession({
      ...place.options,
      model: 'claude-opus-4-6',
      permissions: { ...allowAll, cliMode: 'auto' },
      hooks: set,
    });
    await session.send('fetch it').result;
    expect(seen.of('PermissionDenied')).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'curl http://127.0.0.1:9/' }, tool_use_id: text, reason: text },
    ]);
  });

  it('by matchers, or whatever the matcher, as the SDK knows of each event', async () => {
    await using place = await stage();
    await using session = await openSession(place.options);
    const { eventCatalog } = await session.control.request('get_hooks_listing', {});
    const known = eventCatalog.map(({ name }) => [name, wrongWithMatcher(name, 'Nothing') === undefined]);
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries(eventCatalog.map(({ name, supportsMatcher }) => [name, supportsMatcher])),
    );
    expect(eventCatalog.map(({ name }) => name).toSorted()).toEqual(HOOK_EVENTS.toSorted());
  });
});

withCli('The agent does not call hooks', () => {
  /** Also once more in the same folder, where a session can be resumed. */
  async function startAndEnd(extra: SessionOptions): Promise<Seen> {
    await using place = await stage(
      byPrompt({
        'change the folder': toolUse('Bash', { command: 'cd sub && pwd' }),
        'where am I': toolUse('Bash', { command: 'pwd' }),
        'hand it to Bob': toolUse('Agent', {
          description: 'd',
          prompt: 'be brief',
          name: 'bob',
          team_name: 't',
          run_in_background: false,
        }),
      }),
      { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' },
    );
    await mkdir(join(place.home.cwd, 'sub'));
    const seen = new Seen();
    const options = { ...place.options, ...extra, permissions: allowAll, hooks: seen.hooks };
    const sdk = createSdk({ onWarning: () => {} });
    const session = await sdk.openSession(options);
    await all(session, 'change the folder', 'where am I', 'hand it to Bob');
    await session.finish();
    await sdk.ask('hello', { ...options, continue: true }).outcome;
    await sdk.ask('hello', { ...options, continue: true, fork: true }).outcome;
    return seen;
  }

  it.each<SessionOptions>([{}, { extraArgs: { init: null } }, { extraArgs: { maintenance: null } }])(
    'for starts, ends, set-ups, folders and teams: %o',
    async (extra) => {
      const seen = await startAndEnd(extra);
      const missing = ['SessionStart', 'SessionEnd', 'Setup', 'CwdChanged', 'TeammateIdle', 'FileChanged'] as const;
      expect(missing.flatMap((event) => seen.of(event))).toEqual([]);
      expect(seen.of('UserPromptSubmit').length).toBeGreaterThan(4);
      expect(new Set(seen.of('Stop').map(({ session_id }) => session_id)).size).toBe(2);
      expect(seen.of('PostToolUse').map((input) => input.cwd)).toContainEqual(expect.stringMatching(/sub$/));
    },
  );
});
