import type { SystemFields } from './session-scoped.ts';
import type { TaskMessage } from './task-messages.ts';
import type {
  ApiKeySource,
  AssistantError,
  CliPermissionMode,
  EffortLevel,
  FastModeDisabledReason,
  FastModeState,
  SlashCommand,
  Uuid,
} from './values.ts';

/** What the agent reports about itself. Narrow it by `subtype`. */
export type SystemMessage =
  | InitMessage
  | StatusMessage
  | CompactBoundaryMessage
  | ApiRetryMessage
  | ControlRequestProgressMessage
  | ModelFallbackMessage
  | ModelRefusalFallbackMessage
  | ModelRefusalNoFallbackMessage
  | LocalCommandOutputMessage
  | HookStartedMessage
  | HookProgressMessage
  | HookResponseMessage
  | PluginInstallMessage
  | ThinkingTokensMessage
  | SessionStateMessage
  | SessionTitleMessage
  | WorkerShuttingDownMessage
  | CommandsChangedMessage
  | NotificationMessage
  | FilesPersistedMessage
  | MemoryRecallMessage
  | ElicitationCompleteMessage
  | PermissionDeniedMessage
  | MirrorErrorMessage
  | InformationalMessage
  | SessionWritesLostMessage
  | UiInvalidateMessage
  | TaskMessage
  | UnknownSystemMessage;

/** The system message of a subtype: `SystemMessageOf<'init'>`. */
export type SystemMessageOf<Subtype extends SystemMessage['subtype']> = Extract<
  SystemMessage,
  { readonly subtype: Subtype }
>;

/** Sent at the start of every turn: what the session runs with. */
export interface InitMessage extends SystemFields<'init'> {
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: CliPermissionMode;
  readonly tools: readonly string[];
  readonly mcp_servers: readonly { readonly name: string; readonly status: string; readonly source?: string }[];
  /** Servers whose configuration the agent could not use. */
  readonly mcp_server_errors?: readonly { readonly name: string; readonly type: string; readonly message: string }[];
  readonly slash_commands: readonly string[];
  /** Commands that make sense at a terminal only. */
  readonly terminal_slash_commands?: readonly string[];
  readonly agents?: readonly string[];
  readonly skills: readonly string[];
  readonly plugins: readonly { readonly name: string; readonly path: string; readonly version?: string }[];
  readonly plugin_errors?: readonly PluginError[];
  readonly apiKeySource: ApiKeySource;
  readonly claude_code_version: string;
  readonly output_style: string;
  readonly betas?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly fast_mode_state?: FastModeState;
  readonly fast_mode_disabled_reason?: FastModeDisabledReason;
  readonly effort?: EffortLevel | null;
  readonly view_mode?: 'focus' | 'default';
  /** Where the agent keeps what it remembers, by kind. */
  readonly memory_paths?: Readonly<Record<string, string>>;
  readonly user_message_uuids?: readonly string[];
}

/** A plugin, or a component of one, that did not load. */
export interface PluginError {
  readonly plugin: string;
  readonly type: string;
  readonly message: string;
  readonly path?: string;
  readonly managed_lock?: { readonly plugin_enabled: boolean; readonly name: string; readonly marketplace?: string };
}

/** What the agent waits for, or a change of its permission mode. */
export interface StatusMessage extends SystemFields<'status'> {
  readonly status: AgentStatus;
  readonly permissionMode?: CliPermissionMode;
  readonly compact_result?: 'success' | 'failed';
  readonly compact_error?: string;
}

/** It shortens the history, waits for the model's service, or neither. */
export type AgentStatus = 'compacting' | 'requesting' | null;

/** The history was shortened. */
export interface CompactBoundaryMessage extends SystemFields<'compact_boundary'> {
  readonly compact_metadata: {
    readonly trigger: 'manual' | 'auto';
    readonly pre_tokens: number;
    readonly post_tokens?: number;
    readonly duration_ms?: number;
    readonly preserved_segment?: { readonly head_uuid: Uuid; readonly anchor_uuid: Uuid; readonly tail_uuid: Uuid };
    readonly preserved_messages?: { readonly anchor_uuid: Uuid; readonly uuids: readonly Uuid[] };
  };
}

/** A request to the model failed and will be tried again. */
export interface ApiRetryMessage extends SystemFields<'api_retry'> {
  readonly attempt: number;
  readonly max_retries: number;
  readonly retry_delay_ms: number;
  /** `null` when the service was not reached. */
  readonly error_status: number | null;
  readonly error: AssistantError;
  readonly no_response?: { readonly waited_ms: number; readonly retry_wait_ms: number };
}

/** A control request takes longer. */
export interface ControlRequestProgressMessage extends SystemFields<'control_request_progress'> {
  readonly request_id: string;
  readonly status: 'started' | 'api_retry';
  readonly attempt?: number;
  readonly max_retries?: number;
  readonly retry_delay_ms?: number;
  readonly error_status?: number | null;
}

/** The model is overloaded, and another one answers. */
export interface ModelFallbackMessage extends SystemFields<'model_fallback'> {
  readonly trigger: string;
  readonly original_model: string;
  readonly fallback_model: string;
  readonly content: string;
}

/** The details of a model's refusal. */
interface RefusalFields {
  readonly original_model: string;
  readonly request_id: string | null;
  readonly api_refusal_category?: string | null;
  readonly api_refusal_explanation?: string | null;
  readonly refused_user_message_uuid?: string | null;
  readonly content: string;
}

/** The model refused, and another one is asked. */
export interface ModelRefusalFallbackMessage extends SystemFields<'model_refusal_fallback'>, RefusalFields {
  readonly trigger: 'refusal';
  readonly direction: 'retry' | 'revert' | 'sticky';
  readonly scope?: 'session' | 'local';
  readonly fallback_model: string;
  /** Messages of the model that refused, which no longer count. */
  readonly retracted_message_uuids?: readonly string[];
}

/** The model refused, and there is no other one to ask. */
export interface ModelRefusalNoFallbackMessage extends SystemFields<'model_refusal_no_fallback'>, RefusalFields {}

/** What a local command wrote. */
export interface LocalCommandOutputMessage extends SystemFields<'local_command_output'> {
  readonly content: string;
}

/** Which hook of the settings files runs. */
interface HookRun {
  readonly hook_id: string;
  readonly hook_name: string;
  readonly hook_event: string;
}

/** What a hook of the settings files has written so far. */
interface HookWritten {
  readonly stdout: string;
  readonly stderr: string;
  readonly output: string;
}

/** A hook of the settings files begins. */
export interface HookStartedMessage extends SystemFields<'hook_started'>, HookRun {}

/** A hook of the settings files has written something. */
export interface HookProgressMessage extends SystemFields<'hook_progress'>, HookRun, HookWritten {}

/** A hook of the settings files has ended. */
export interface HookResponseMessage extends SystemFields<'hook_response'>, HookRun, HookWritten {
  readonly exit_code?: number;
  readonly outcome: 'success' | 'error' | 'cancelled';
}

/** A plugin is being installed. */
export interface PluginInstallMessage extends SystemFields<'plugin_install'> {
  readonly status: 'started' | 'installed' | 'failed' | 'completed';
  readonly name?: string;
  readonly error?: string;
}

/** An estimate of how much the model has thought so far. */
export interface ThinkingTokensMessage extends SystemFields<'thinking_tokens'> {
  readonly estimated_tokens: number;
  readonly estimated_tokens_delta: number;
  readonly user_message_uuid?: string;
}

/** Whether the agent works. Streaming reads it; it is not delivered to readers of messages. */
export interface SessionStateMessage extends SystemFields<'session_state_changed'> {
  readonly state: 'running' | 'requires_action' | 'idle';
  readonly sdk_host_only?: boolean;
}

/** The session has a new title. */
export interface SessionTitleMessage extends SystemFields<'session_title_changed'> {
  readonly title: string;
}

/** The process behind a hosted agent is about to end. */
export interface WorkerShuttingDownMessage extends SystemFields<'worker_shutting_down'> {
  readonly reason: string;
}

/** All commands that exist now. */
export interface CommandsChangedMessage extends SystemFields<'commands_changed'> {
  readonly commands: readonly SlashCommand[];
}

/** Something for a person to see. */
export interface NotificationMessage extends SystemFields<'notification'> {
  readonly key: string;
  readonly text: string;
  readonly priority: 'low' | 'medium' | 'high' | 'immediate';
  readonly color?: string;
  readonly timeout_ms?: number;
}

/** Files were uploaded, or were not. */
export interface FilesPersistedMessage extends SystemFields<'files_persisted'> {
  readonly files: readonly { readonly filename: string; readonly file_id: string }[];
  readonly failed: readonly { readonly filename: string; readonly error: string }[];
  readonly processed_at: string;
}

/** What the agent remembered of former sessions. */
export interface MemoryRecallMessage extends SystemFields<'memory_recall'> {
  readonly mode: 'select' | 'synthesize';
  readonly memories: readonly {
    readonly path: string;
    readonly scope: 'personal' | 'team' | 'organization';
    readonly content?: string;
  }[];
}

/** A person has finished with a page that an MCP server asked to visit. */
export interface ElicitationCompleteMessage extends SystemFields<'elicitation_complete'> {
  readonly mcp_server_name: string;
  readonly elicitation_id: string;
}

/** A tool call was denied without asking. */
export interface PermissionDeniedMessage extends SystemFields<'permission_denied'> {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly agent_id?: string;
  readonly decision_reason_type?: string;
  readonly decision_reason?: string;
  /** The model reads it. */
  readonly message: string;
}

/** A session store did not take what it was given. */
export interface MirrorErrorMessage extends SystemFields<'mirror_error'> {
  readonly error: string;
  readonly key: { readonly projectKey: string; readonly sessionId: string; readonly subpath?: string };
}

/** A line of text for a person, such as the warning of a hook. */
export interface InformationalMessage extends SystemFields<'informational'> {
  readonly content: string;
  readonly level: 'info' | 'notice' | 'suggestion' | 'warning';
  readonly tool_use_id?: string;
  readonly prevent_continuation?: boolean;
  readonly tag?: string;
}

/** The disk is full: parts of the transcript are lost. */
export interface SessionWritesLostMessage extends SystemFields<'session_writes_lost'> {
  readonly error_code: 'ENOSPC' | 'EDQUOT';
  readonly lost: readonly ('transcript' | 'global_config')[];
  readonly transcript_session_ids?: readonly string[];
}

/** Something that a terminal shows has changed; comes from an agent that was started ahead of its session. */
export interface UiInvalidateMessage extends SystemFields<'ui_invalidate'> {
  readonly event: string;
}

/** A system message of a subtype that is not listed in this version. At run time `subtype` is exactly what the agent sent. */
export interface UnknownSystemMessage {
  readonly type: 'system';
  readonly subtype: `unknown ${string}`;
  readonly uuid?: Uuid;
  readonly session_id?: string;
  readonly sdk_host_only?: boolean;
}
