import type { ExitReason, SDKAssistantMessageError } from './common.ts';
import type { McpServerProvenance } from './mcp.ts';
import type { PermissionUpdate } from './permissions.ts';

/** What every hook is told. */
export type BaseHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  /** Set when the event happens inside a subagent. */
  agent_id?: string;
  agent_type?: string;
  effort?: { level: string };
};

type Input<Event extends string, Fields> = BaseHookInput & { hook_event_name: Event } & Fields;

type ToolCall = { tool_name: string; tool_input: unknown; tool_use_id: string };

/** A tool is about to run. Asked for every call, those allowed by rule included. */
export type PreToolUseHookInput = Input<'PreToolUse', ToolCall & { mcp_server?: McpServerProvenance }>;

export type PostToolUseHookInput = Input<
  'PostToolUse',
  ToolCall & { tool_response: unknown; duration_ms?: number; mcp_server?: McpServerProvenance }
>;

export type PostToolUseFailureHookInput = Input<
  'PostToolUseFailure',
  ToolCall & { error: string; is_interrupt?: boolean; duration_ms?: number; mcp_server?: McpServerProvenance }
>;

export type PostToolBatchToolCall = {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response?: unknown;
};

/** All calls that ran in parallel are done. */
export type PostToolBatchHookInput = Input<'PostToolBatch', { tool_calls: PostToolBatchToolCall[] }>;

/** A tool call needs a decision. Races with `canUseTool`: the first answer counts. */
export type PermissionRequestHookInput = Input<
  'PermissionRequest',
  {
    tool_name: string;
    tool_input: unknown;
    permission_suggestions?: PermissionUpdate[];
    mcp_server?: McpServerProvenance;
  }
>;

export type PermissionDeniedHookInput = Input<
  'PermissionDenied',
  ToolCall & { reason: string; mcp_server?: McpServerProvenance }
>;

export type NotificationHookInput = Input<
  'Notification',
  { message: string; title?: string; notification_type: string }
>;

export type UserPromptSubmitHookInput = Input<
  'UserPromptSubmit',
  {
    prompt: string;
    source?: 'user' | 'sdk' | 'system' | 'loop_wakeup' | 'schedule_wakeup' | 'poll_event';
    session_title?: string;
  }
>;

export type UserPromptExpansionHookInput = Input<
  'UserPromptExpansion',
  {
    expansion_type: 'slash_command' | 'mcp_prompt';
    command_name: string;
    command_args: string;
    command_source?: string;
    prompt: string;
  }
>;

/** Not delivered for the first start and for `resume`: the CLI runs it before hooks are registered. */
export type SessionStartHookInput = Input<
  'SessionStart',
  {
    source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
    agent_type?: string;
    model?: string;
    session_title?: string;
    seconds_since_last_response?: number;
    context_tokens?: number;
    prompt_cache_likely_expired?: boolean;
    estimated_cache_write_usd?: number;
  }
>;

/** Not delivered when the process ends. */
export type SessionEndHookInput = Input<'SessionEnd', { reason: ExitReason }>;

export type BackgroundTaskSummary = {
  id: string;
  type: string;
  status: string;
  description: string;
  command?: string;
  agent_type?: string;
  server?: string;
  tool?: string;
  name?: string;
};

export type SessionCronSummary = { id: string; schedule: string; recurring: boolean; prompt: string };

type Stopping = {
  stop_hook_active: boolean;
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
};

/** The agent is about to end its turn. */
export type StopHookInput = Input<'Stop', Stopping>;

export type StopFailureHookInput = Input<
  'StopFailure',
  { error: SDKAssistantMessageError; error_details?: string; last_assistant_message?: string }
>;

export type SubagentStartHookInput = Input<'SubagentStart', { agent_id: string; agent_type: string }>;

export type SubagentStopHookInput = Input<
  'SubagentStop',
  Stopping & { agent_id: string; agent_type: string; agent_transcript_path: string }
>;

export type PreCompactHookInput = Input<
  'PreCompact',
  { trigger: 'manual' | 'auto'; custom_instructions: string | null }
>;

export type PostCompactHookInput = Input<'PostCompact', { trigger: 'manual' | 'auto'; compact_summary: string }>;

type ModelSwitch<Source extends string> = {
  from_model: string;
  to_model: string;
  requested_model: string | null;
  source: Source;
  context_tokens: number;
  prompt_cache_warm: boolean;
  cache_ttl: '5m' | '1h';
  estimated_cache_write_usd: number;
  pricing: 'configured' | 'catalog' | 'default';
};

export type PreModelSwitchHookInput = Input<'PreModelSwitch', ModelSwitch<'command' | 'picker' | 'sdk'>>;

export type PostModelSwitchHookInput = Input<
  'PostModelSwitch',
  ModelSwitch<'command' | 'picker' | 'sdk' | 'auto' | 'resume'>
>;

export type SetupHookInput = Input<'Setup', { trigger: 'init' | 'maintenance' }>;

export type TeammateIdleHookInput = Input<'TeammateIdle', { teammate_name: string; team_name: string }>;

type TaskFields = {
  task_id: string;
  task_subject: string;
  task_description?: string;
  teammate_name?: string;
  team_name?: string;
};

export type TaskCreatedHookInput = Input<'TaskCreated', TaskFields>;

export type TaskCompletedHookInput = Input<'TaskCompleted', TaskFields>;

export type ElicitationHookInput = Input<
  'Elicitation',
  {
    mcp_server_name: string;
    message: string;
    mode?: 'form' | 'url';
    url?: string;
    elicitation_id?: string;
    requested_schema?: Record<string, unknown>;
  }
>;

export type ElicitationResultHookInput = Input<
  'ElicitationResult',
  {
    mcp_server_name: string;
    elicitation_id?: string;
    mode?: 'form' | 'url';
    action: 'accept' | 'decline' | 'cancel';
    content?: Record<string, unknown>;
  }
>;

export type ConfigChangeHookInput = Input<
  'ConfigChange',
  {
    source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';
    file_path?: string;
  }
>;

export type InstructionsLoadedHookInput = Input<
  'InstructionsLoaded',
  {
    file_path: string;
    memory_type: 'User' | 'Project' | 'Local' | 'Managed';
    load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';
    globs?: string[];
    trigger_file_path?: string;
    parent_file_path?: string;
  }
>;

/** The hook has to make the worktree and say where. */
export type WorktreeCreateHookInput = Input<'WorktreeCreate', { name: string }>;

export type WorktreeRemoveHookInput = Input<'WorktreeRemove', { worktree_path: string }>;

export type CwdChangedHookInput = Input<'CwdChanged', { old_cwd: string; new_cwd: string }>;

export type FileChangedHookInput = Input<'FileChanged', { file_path: string; event: 'change' | 'add' | 'unlink' }>;

export type DirectoryAddedHookInput = Input<
  'DirectoryAdded',
  { directory: string; source: 'slash_command' | 'register_repo_root' }
>;

/** A piece of text is about to be shown. */
export type MessageDisplayHookInput = Input<
  'MessageDisplay',
  { turn_id: string; message_id: string; index: number; final: boolean; delta: string }
>;
