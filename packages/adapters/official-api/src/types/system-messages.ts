import type { UUID } from './api.ts';
import type {
  ApiKeySource,
  FastModeDisabledReason,
  FastModeState,
  PermissionMode,
  SlashCommand,
  SDKAssistantMessageError,
} from './common.ts';

/** Every turn begins with one: what the agent has and how it is set up. */
export type SDKSystemMessage = {
  type: 'system';
  subtype: 'init';
  agents?: string[];
  apiKeySource: ApiKeySource;
  betas?: string[];
  claude_code_version: string;
  cwd: string;
  tools: string[];
  mcp_servers: { name: string; status: string; source?: string }[];
  model: string;
  permissionMode: PermissionMode;
  slash_commands: string[];
  terminal_slash_commands?: string[];
  output_style: string;
  skills: string[];
  plugins: { name: string; path: string; version?: string }[];
  plugin_errors?: {
    plugin: string;
    type: string;
    message: string;
    path?: string;
    managed_lock?: { plugin_enabled: boolean; name: string; marketplace?: string };
  }[];
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  effort?: ('low' | 'medium' | 'high' | 'xhigh' | 'max') | null;
  view_mode?: 'focus' | 'default';
  capabilities?: string[];
  uuid: UUID;
  session_id: string;
};

type System<Subtype extends string, Fields> = {
  type: 'system';
  subtype: Subtype;
  uuid: UUID;
  session_id: string;
} & Fields;

/** The history was shortened. */
export type SDKCompactBoundaryMessage = System<
  'compact_boundary',
  {
    compact_metadata: {
      trigger: 'manual' | 'auto';
      pre_tokens: number;
      post_tokens?: number;
      duration_ms?: number;
      preserved_segment?: { head_uuid: UUID; anchor_uuid: UUID; tail_uuid: UUID };
      preserved_messages?: { anchor_uuid: UUID; uuids: UUID[] };
    };
  }
>;

export type SDKStatus = 'compacting' | 'requesting' | null;

export type SDKStatusMessage = System<
  'status',
  { status: SDKStatus; permissionMode?: PermissionMode; compact_result?: 'success' | 'failed'; compact_error?: string }
>;

/** A request to the model failed and will be tried again. */
export type SDKAPIRetryMessage = System<
  'api_retry',
  {
    attempt: number;
    max_retries: number;
    retry_delay_ms: number;
    error_status: number | null;
    error: SDKAssistantMessageError;
    no_response?: { waited_ms: number; retry_wait_ms: number };
  }
>;

export type SDKControlRequestProgressMessage = System<
  'control_request_progress',
  {
    request_id: string;
    status: 'started' | 'api_retry';
    attempt?: number;
    max_retries?: number;
    retry_delay_ms?: number;
    error_status?: number | null;
  }
>;

type Refusal = {
  original_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  refused_user_message_uuid?: string | null;
  content: string;
};

/** The model refused, and another one is asked. */
export type SDKModelRefusalFallbackMessage = System<
  'model_refusal_fallback',
  Refusal & {
    trigger: 'refusal';
    direction: 'retry' | 'revert' | 'sticky';
    scope?: 'session' | 'local';
    fallback_model: string;
    /** Take these back: they were said by the model that refused. */
    retracted_message_uuids?: string[];
  }
>;

/** The model refused, and there is no other one to ask. */
export type SDKModelRefusalNoFallbackMessage = System<'model_refusal_no_fallback', Refusal>;

export type SDKLocalCommandOutputMessage = System<'local_command_output', { content: string }>;

type HookRun = { hook_id: string; hook_name: string; hook_event: string };
type HookWords = { stdout: string; stderr: string; output: string };

export type SDKHookStartedMessage = System<'hook_started', HookRun>;

export type SDKHookProgressMessage = System<'hook_progress', HookRun & HookWords>;

export type SDKHookResponseMessage = System<
  'hook_response',
  HookRun & HookWords & { exit_code?: number; outcome: 'success' | 'error' | 'cancelled' }
>;

export type SDKPluginInstallMessage = System<
  'plugin_install',
  { status: 'started' | 'installed' | 'failed' | 'completed'; name?: string; error?: string }
>;

/** An estimate of how much was thought so far. */
export type SDKThinkingTokensMessage = System<
  'thinking_tokens',
  { estimated_tokens: number; estimated_tokens_delta: number; user_message_uuid?: string }
>;

export type SDKSessionStateChangedMessage = System<
  'session_state_changed',
  { state: 'idle' | 'running' | 'requires_action' }
>;

export type SDKWorkerShuttingDownMessage = System<'worker_shutting_down', { reason: string }>;

export type SDKCommandsChangedMessage = System<'commands_changed', { commands: SlashCommand[] }>;

export type SDKNotificationMessage = System<
  'notification',
  { key: string; text: string; priority: 'low' | 'medium' | 'high' | 'immediate'; color?: string; timeout_ms?: number }
>;

export type SDKFilesPersistedEvent = System<
  'files_persisted',
  {
    files: { filename: string; file_id: string }[];
    failed: { filename: string; error: string }[];
    processed_at: string;
  }
>;

export type SDKMemoryRecallMessage = System<
  'memory_recall',
  {
    mode: 'select' | 'synthesize';
    memories: { path: string; scope: 'personal' | 'team' | 'organization'; content?: string }[];
  }
>;

export type SDKElicitationCompleteMessage = System<
  'elicitation_complete',
  { mcp_server_name: string; elicitation_id: string }
>;

/** A tool call was denied without asking. */
export type SDKPermissionDeniedMessage = System<
  'permission_denied',
  {
    tool_name: string;
    tool_use_id: string;
    agent_id?: string;
    decision_reason_type?: string;
    decision_reason?: string;
    message: string;
  }
>;

/** A session store did not take what it was given. */
export type SDKMirrorErrorMessage = System<
  'mirror_error',
  { error: string; key: { projectKey: string; sessionId: string; subpath?: string } }
>;

export type SDKInformationalMessage = System<
  'informational',
  {
    content: string;
    level: 'info' | 'notice' | 'suggestion' | 'warning';
    tool_use_id?: string;
    prevent_continuation?: boolean;
    tag?: string;
  }
>;

/** The disk is full: parts of the transcript are lost. */
export type SDKSessionWritesLostMessage = System<
  'session_writes_lost',
  { error_code: 'ENOSPC' | 'EDQUOT'; lost: ('transcript' | 'global_config')[]; transcript_session_ids?: string[] }
>;

/** What the agent reports about itself besides `init` and its tasks. */
export type SDKSystemEvent =
  | SDKCompactBoundaryMessage
  | SDKStatusMessage
  | SDKAPIRetryMessage
  | SDKControlRequestProgressMessage
  | SDKModelRefusalFallbackMessage
  | SDKModelRefusalNoFallbackMessage
  | SDKLocalCommandOutputMessage
  | SDKHookStartedMessage
  | SDKHookProgressMessage
  | SDKHookResponseMessage
  | SDKPluginInstallMessage
  | SDKThinkingTokensMessage
  | SDKSessionStateChangedMessage
  | SDKWorkerShuttingDownMessage
  | SDKCommandsChangedMessage
  | SDKNotificationMessage
  | SDKFilesPersistedEvent
  | SDKMemoryRecallMessage
  | SDKElicitationCompleteMessage
  | SDKPermissionDeniedMessage
  | SDKMirrorErrorMessage
  | SDKInformationalMessage
  | SDKSessionWritesLostMessage;
