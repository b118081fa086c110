import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createHooks,
  createSdk,
  type HookEvent,
  type HookCall,
  type HookInputOf,
  type HookSet,
  type Session,
  type AskHandler,
} from '@hexagent/sdk';
import { HOOK_EVENTS } from '@hexagent/sdk/claude-agent-sdk';
import { apiError, toolUse } from '@hexagent/testing/loopback';
import { expect } from 'vitest';
import { byPrompt } from '../support/by-prompt.ts';
import { stage, type Stage } from '../support/stage.ts';

/** What every input may have. */
const ofAll = new Set([
  ...['session_id', 'transcript_path', 'cwd', 'prompt_id', 'permission_mode', 'effort', 'hook_event_name'],
]);

/** What the hooks of a session have seen. */
export class Seen {
  readonly inputs: HookInputOf[] = [];
  readonly #waiting = new Set<() => void>();

  /** Hooks for all events, without an answer of their own. */
  get hooks(): HookSet {
    const set = createHooks();
    for (const event of HOOK_EVENTS) set.on(event, ({ request }: HookCall) => this.note(request));
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
    for (const check of this.#waiting) check();
  }

  #match(event: string): void {
    this.matched.push(event);
    for (const check of this.#waiting) check();
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
      const check = (): void => void (isSo() && resolve());
      this.#waiting.add(check);
      check();
    });
  }
}

export const allowAll: AskHandler = () => ({ behavior: 'allow' });
export const all = async (session: Session, ...prompts: readonly string[]): Promise<void> => {
  for (const prompt of prompts) await session.send(prompt).result;
};

/** A session in which one thing after another happens; its events arrive in the tests below. */
export async function everything(): Promise<{ readonly seen: Seen; readonly place: Stage }> {
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
    tools: [
      'Bash',
      'Agent',
      'TaskCreate',
      'TaskUpdate',
      'EnterWorktree',
      'ExitWorktree',
      { asking: { type: 'stdio', command: process.execPath, args: [asking] } },
    ],
    onAsk: (ask) => (ask.kind === 'elicitation' ? { action: 'accept', content: { name: 'Ada' } } : allowAll(ask)),
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
  await session.setModel('claude-sonnet-5');
  await session.request('register_repo_root', { directory: join(place.home.cwd, 'sub') });
  await writeFile(join(project, 'settings.json'), '{"env":{"A":"1"}}');
  await seen.until(() => seen.matched.includes('ConfigChange'));
  await all(session, '/compact', '/clear');
  await writeFile(watched, 'changed');
  await seen.until(() => seen.matched.includes('FileChanged') && seen.of('FileChanged').length > 0);
  return { seen, place };
}

/** Matchers of events without tools, each with the value that it is compared with in `everything()`. */
export const matching: Partial<Record<HookEvent, string>> = {
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

export const text: unknown = expect.any(String);
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
export const inputsAt = ({ home }: Stage): Partial<Record<HookEvent, object>> => ({
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
  // A worktree with changes is removed only when that is allowed; there is no rule to suggest for it.
  PermissionRequest: { tool_name: 'ExitWorktree', tool_input: { action: 'remove', discard_changes: true } },
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
