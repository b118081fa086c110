import {
  createHooks,
  createSdk,
  type HookCall,
  type HookEvent,
  type HookHandler,
  type HookInputOf,
  type HookOutput,
} from '@hexagent/sdk';
import { HOOK_EVENTS } from '@hexagent/sdk/claude-agent-sdk';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';

/** An input and the widest answer of each event, as they are on the wire. */
type Frames = {
  readonly [Event in HookEvent]: readonly [
    Omit<HookInputOf<Event>, 'hook_event_name' | 'session_id' | 'transcript_path' | 'cwd'>,
    HookOutput<Event>,
  ];
};

const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' };
const context = { additionalContext: 'Read this.' };
const stopping = { stop_hook_active: false, last_assistant_message: 'Done.', background_tasks: [], session_crons: [] };
const models = {
  from_model: 'a',
  to_model: 'b',
  requested_model: null,
  context_tokens: 1,
  prompt_cache_warm: false,
  cache_ttl: '1h',
  estimated_cache_write_usd: 0.5,
  pricing: 'default',
} as const;
const task = { task_id: '1', task_subject: 's', task_description: 'd', teammate_name: 'bob', team_name: 't' };
const watching = { watchPaths: ['/w/a'] };
const common = { continue: true, suppressOutput: true, systemMessage: 'For a person.' };

const frames: Frames = {
  PreToolUse: [
    tool,
    {
      ...common,
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'Why.',
        updatedInput: { command: 'pwd' },
        ...context,
      },
    },
  ],
  PostToolUse: [
    { ...tool, tool_response: { stdout: 'x' }, duration_ms: 3 },
    {
      decision: 'block',
      reason: 'Why.',
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        classifierContext: 'c',
        updatedToolOutput: { stdout: 'y' },
        updatedMCPToolOutput: ['z'],
        ...context,
      },
    },
  ],
  PostToolUseFailure: [
    { ...tool, error: 'broke', is_interrupt: true, duration_ms: 3 },
    { hookSpecificOutput: { hookEventName: 'PostToolUseFailure', ...context } },
  ],
  PostToolBatch: [
    { tool_calls: [{ ...tool, tool_response: 'x' }] },
    { hookSpecificOutput: { hookEventName: 'PostToolBatch', ...context } },
  ],
  Notification: [
    { message: 'm', title: 't', notification_type: 'idle_prompt' },
    { terminalSequence: '\u0007', hookSpecificOutput: { hookEventName: 'Notification', ...context } },
  ],
  UserPromptSubmit: [
    { prompt: 'p', source: 'sdk', session_title: 't' },
    {
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        sessionTitle: 't',
        suppressOriginalPrompt: true,
        ...context,
      },
    },
  ],
  UserPromptExpansion: [
    { expansion_type: 'mcp_prompt', command_name: 'c', command_args: 'a', command_source: 's', prompt: '/c a' },
    { hookSpecificOutput: { hookEventName: 'UserPromptExpansion', suppressOriginalPrompt: true, ...context } },
  ],
  SessionStart: [
    { source: 'fork', model: 'm', context_tokens: 5 },
    {
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        initialUserMessage: 'Hello.',
        sessionTitle: 't',
        reloadSkills: true,
        ...watching,
        ...context,
      },
    },
  ],
  SessionEnd: [{ reason: 'other' }, common],
  Stop: [stopping, { decision: 'block', reason: 'More.', hookSpecificOutput: { hookEventName: 'Stop', ...context } }],
  StopFailure: [{ error: 'rate_limit', error_details: 'd', last_assistant_message: 'm' }, common],
  SubagentStart: [
    { agent_id: 'a', agent_type: 'Explore' },
    { hookSpecificOutput: { hookEventName: 'SubagentStart', ...context } },
  ],
  SubagentStop: [
    { ...stopping, agent_id: 'a', agent_type: 'Explore', agent_transcript_path: '/t' },
    { decision: 'block', reason: 'More.', hookSpecificOutput: { hookEventName: 'SubagentStop', ...context } },
  ],
  PreCompact: [
    { trigger: 'auto', custom_instructions: 'c' },
    { decision: 'block', reason: 'Not now.' },
  ],
  PostCompact: [{ trigger: 'auto', compact_summary: 's' }, common],
  PreModelSwitch: [
    { ...models, source: 'picker' },
    {
      hookSpecificOutput: {
        hookEventName: 'PreModelSwitch',
        permissionDecision: 'ask',
        permissionDecisionReason: 'Why.',
      },
    },
  ],
  PostModelSwitch: [
    { ...models, source: 'auto' },
    { hookSpecificOutput: { hookEventName: 'PostModelSwitch', ...context } },
  ],
  PermissionRequest: [
    { tool_name: 'Bash', tool_input: { command: 'ls' }, permission_suggestions: [] },
    {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', updatedInput: { command: 'pwd' }, updatedPermissions: [] },
      },
    },
  ],
  PermissionDenied: [
    { ...tool, reason: 'r' },
    { hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } },
  ],
  Setup: [{ trigger: 'maintenance' }, { hookSpecificOutput: { hookEventName: 'Setup', ...context } }],
  TeammateIdle: [
    { teammate_name: 'bob', team_name: 't' },
    { continue: false, stopReason: 'Enough.' },
  ],
  TaskCreated: [task, { decision: 'block', reason: 'Why.' }],
  TaskCompleted: [task, { decision: 'block', reason: 'Why.' }],
  Elicitation: [
    { mcp_server_name: 's', message: 'm', mode: 'url', url: 'https://x.example', elicitation_id: 'e' },
    { hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: { name: 'Ada' } } },
  ],
  ElicitationResult: [
    { mcp_server_name: 's', mode: 'form', action: 'accept', content: { name: 'Ada' } },
    { hookSpecificOutput: { hookEventName: 'ElicitationResult', action: 'decline', content: {} } },
  ],
  ConfigChange: [
    { source: 'skills', file_path: '/f' },
    { decision: 'block', reason: 'Why.' },
  ],
  InstructionsLoaded: [{ file_path: '/f', memory_type: 'Managed', load_reason: 'include', globs: ['*'] }, common],
  WorktreeCreate: [{ name: 'n' }, { hookSpecificOutput: { hookEventName: 'WorktreeCreate', worktreePath: '/w/n' } }],
  WorktreeRemove: [{ worktree_path: '/w/n' }, {}],
  CwdChanged: [{ old_cwd: '/a', new_cwd: '/b' }, { hookSpecificOutput: { hookEventName: 'CwdChanged', ...watching } }],
  FileChanged: [
    { file_path: '/f', event: 'unlink' },
    { hookSpecificOutput: { hookEventName: 'FileChanged', ...watching } },
  ],
  DirectoryAdded: [{ directory: '/d', source: 'slash_command' }, common],
  MessageDisplay: [
    { turn_id: 't', message_id: 'm', index: 1, final: false, delta: 'd' },
    { hookSpecificOutput: { hookEventName: 'MessageDisplay', displayContent: 'D' } },
  ],
};

describe('Each event of the agent', () => {
  it.each(HOOK_EVENTS)(
    '%s: its hook receives the input as it was sent, and the agent receives the answer',
    async (event) => {
      const { transport, agent } = linkedTransport(scriptedAgent());
      const seen: unknown[] = [];
      const [own, output] = frames[event];
      const hook = ({ request, ...call }: HookCall): unknown => {
        seen.push(request, 'toolUseId' in call ? call.toolUseId : undefined);
        return output;
      };
      // The answers of all events are one type here, which no event takes.
      const hooks = createHooks().on(event, hook as HookHandler);
      const session = await createSdk({ transport, onWarning: () => {} }).openSession({ hooks });
      await session.ready;
      const [callback_id] = /(?<="hookCallbackIds":\[")[^"]+/.exec(JSON.stringify(agent.received[0])) ?? [];
      const input = {
        session_id: 's',
        transcript_path: '/t',
        cwd: '/w',
        hook_event_name: event,
        ...own,
        newer: 'field',
      };
      const request = { subtype: 'hook_callback', callback_id, input, tool_use_id: 'id_1' };
      agent.write({ type: 'control_request', request_id: 'r1', request });
      expect(await agent.next('control_response')).toEqual({
        type: 'control_response',
        response: { subtype: 'success', request_id: 'r1', response: output },
      });
      expect(seen).toEqual([input, 'tool_name' in input ? 'id_1' : undefined]);
      await session.close();
    },
  );
});
