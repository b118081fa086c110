import type {
  Input,
  PermissionDeniedInput,
  PermissionRequestInput,
  PostToolBatchInput,
  PostToolUseFailureInput,
  PostToolUseInput,
  PreToolUseInput,
} from './tool-hook-inputs.ts';
import type { AssistantError, ExitReason } from './values.ts';

/*
 * What the agent sends to a hook, in its own spelling. A newer agent may send more fields.
 */

/** The input of a hook. Narrow it by `hook_event_name`. */
export type HookInput =
  | PreToolUseInput
  | PostToolUseInput
  | PostToolUseFailureInput
  | PostToolBatchInput
  | PermissionRequestInput
  | PermissionDeniedInput
  | NotificationInput
  | UserPromptSubmitInput
  | UserPromptExpansionInput
  | SessionStartInput
  | SessionEndInput
  | StopInput
  | StopFailureInput
  | SubagentStartInput
  | SubagentStopInput
  | PreCompactInput
  | PostCompactInput
  | PreModelSwitchInput
  | PostModelSwitchInput
  | SetupInput
  | TeammateIdleInput
  | TaskCreatedInput
  | TaskCompletedInput
  | ElicitationInput
  | ElicitationResultInput
  | ConfigChangeInput
  | InstructionsLoadedInput
  | WorktreeCreateInput
  | WorktreeRemoveInput
  | CwdChangedInput
  | FileChangedInput
  | DirectoryAddedInput
  | MessageDisplayInput;

/** When a hook may run. */
export type HookEvent = HookInput['hook_event_name'];

/** The input of the hooks of an event, `HookInputOf<'PreToolUse'>`, or of any. */
export type HookInputOf<Event extends HookEvent = HookEvent> = Extract<HookInput, { readonly hook_event_name: Event }>;

/** The agent has something for a person to see. */
interface NotificationInput extends Input<'Notification'> {
  readonly message: string;
  readonly title?: string;
  readonly notification_type: string;
}

/** A message is about to be sent to the model. */
interface UserPromptSubmitInput extends Input<'UserPromptSubmit'> {
  readonly prompt: string;
  readonly source?: 'user' | 'sdk' | 'system' | 'loop_wakeup' | 'schedule_wakeup' | 'poll_event';
  readonly session_title?: string;
}

/** A command became a prompt. */
interface UserPromptExpansionInput extends Input<'UserPromptExpansion'> {
  readonly expansion_type: 'slash_command' | 'mcp_prompt';
  readonly command_name: string;
  readonly command_args: string;
  readonly command_source?: string;
  readonly prompt: string;
}

/** A session begins. Not sent for the first start and for `resume`: the CLI runs it before hooks are registered. */
interface SessionStartInput extends Input<'SessionStart'> {
  readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
  readonly model?: string;
  readonly session_title?: string;
  readonly seconds_since_last_response?: number;
  readonly context_tokens?: number;
  readonly prompt_cache_likely_expired?: boolean;
  readonly estimated_cache_write_usd?: number;
}

/** A session ends. Not sent when the process ends. */
interface SessionEndInput extends Input<'SessionEnd'> {
  readonly reason: ExitReason;
}

/** Something that runs in the background while the agent is about to stop. */
export interface BackgroundTaskSummary {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly description: string;
  readonly command?: string;
  readonly agent_type?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly name?: string;
}

/** A prompt that the session sends itself at set times. */
export interface SessionCronSummary {
  readonly id: string;
  readonly schedule: string;
  readonly recurring: boolean;
  readonly prompt: string;
}

interface StoppingInput<Event extends string> extends Input<Event> {
  /** A hook has already kept it from stopping. */
  readonly stop_hook_active: boolean;
  readonly last_assistant_message?: string;
  readonly background_tasks?: readonly BackgroundTaskSummary[];
  readonly session_crons?: readonly SessionCronSummary[];
}

/** The agent is about to end its turn. */
interface StopInput extends StoppingInput<'Stop'> {}

/** The turn ends because the model's service refused. */
interface StopFailureInput extends Input<'StopFailure'> {
  readonly error: AssistantError;
  readonly error_details?: string;
  readonly last_assistant_message?: string;
}

/** A subagent begins. */
interface SubagentStartInput extends Input<'SubagentStart'> {
  readonly agent_id: string;
  readonly agent_type: string;
}

/** A subagent is about to end. */
interface SubagentStopInput extends StoppingInput<'SubagentStop'> {
  readonly agent_id: string;
  readonly agent_type: string;
  readonly agent_transcript_path: string;
}

/** The history is about to be shortened. */
interface PreCompactInput extends Input<'PreCompact'> {
  readonly trigger: 'manual' | 'auto';
  readonly custom_instructions: string | null;
}

/** The history was shortened. */
interface PostCompactInput extends Input<'PostCompact'> {
  readonly trigger: 'manual' | 'auto';
  readonly compact_summary: string;
}

interface ModelSwitchInput<Event extends string> extends Input<Event> {
  readonly from_model: string;
  readonly to_model: string;
  readonly requested_model: string | null;
  readonly context_tokens: number;
  readonly prompt_cache_warm: boolean;
  readonly cache_ttl: '5m' | '1h';
  readonly estimated_cache_write_usd: number;
  readonly pricing: 'configured' | 'catalog' | 'default';
}

/** Another model is about to answer. */
interface PreModelSwitchInput extends ModelSwitchInput<'PreModelSwitch'> {
  readonly source: 'command' | 'picker' | 'sdk';
}

/** Another model answers from now on. */
interface PostModelSwitchInput extends ModelSwitchInput<'PostModelSwitch'> {
  readonly source: 'command' | 'picker' | 'sdk' | 'auto' | 'resume';
}

/** The CLI prepares or tidies a project. */
interface SetupInput extends Input<'Setup'> {
  readonly trigger: 'init' | 'maintenance';
}

/** Another agent of the team has nothing to do. */
interface TeammateIdleInput extends Input<'TeammateIdle'> {
  readonly teammate_name: string;
  readonly team_name: string;
}

interface TaskInput<Event extends string> extends Input<Event> {
  readonly task_id: string;
  readonly task_subject: string;
  readonly task_description?: string;
  readonly teammate_name?: string;
  readonly team_name?: string;
}

/** A task is on the agent's list. */
interface TaskCreatedInput extends TaskInput<'TaskCreated'> {}

/** A task on the agent's list is done. */
interface TaskCompletedInput extends TaskInput<'TaskCompleted'> {}

/** An MCP server asks a person for something. */
interface ElicitationInput extends Input<'Elicitation'> {
  readonly mcp_server_name: string;
  readonly message: string;
  readonly mode?: 'form' | 'url';
  readonly url?: string;
  readonly elicitation_id?: string;
  readonly requested_schema?: Readonly<Record<string, unknown>>;
}

/** A person has answered an MCP server. */
interface ElicitationResultInput extends Input<'ElicitationResult'> {
  readonly mcp_server_name: string;
  readonly elicitation_id?: string;
  readonly mode?: 'form' | 'url';
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
}

/** A settings file or a skill has changed. */
interface ConfigChangeInput extends Input<'ConfigChange'> {
  readonly source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';
  readonly file_path?: string;
}

/** A file of instructions was read, such as `CLAUDE.md`. */
interface InstructionsLoadedInput extends Input<'InstructionsLoaded'> {
  readonly file_path: string;
  readonly memory_type: 'User' | 'Project' | 'Local' | 'Managed';
  readonly load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';
  readonly globs?: readonly string[];
  readonly trigger_file_path?: string;
  readonly parent_file_path?: string;
}

/** A worktree is needed: the hook has to make it and answer where it is. */
interface WorktreeCreateInput extends Input<'WorktreeCreate'> {
  readonly name: string;
}

/** A worktree is not needed any more. */
interface WorktreeRemoveInput extends Input<'WorktreeRemove'> {
  readonly worktree_path: string;
}

/** The agent works in another folder from now on. */
interface CwdChangedInput extends Input<'CwdChanged'> {
  readonly old_cwd: string;
  readonly new_cwd: string;
}

/** A file that is watched has changed. */
interface FileChangedInput extends Input<'FileChanged'> {
  readonly file_path: string;
  readonly event: 'change' | 'add' | 'unlink';
}

/** The agent may work in one more folder. */
interface DirectoryAddedInput extends Input<'DirectoryAdded'> {
  readonly directory: string;
  readonly source: 'slash_command' | 'register_repo_root';
}

/** A piece of text is about to be shown. */
interface MessageDisplayInput extends Input<'MessageDisplay'> {
  readonly turn_id: string;
  readonly message_id: string;
  readonly index: number;
  readonly final: boolean;
  readonly delta: string;
}
