import type { SessionScoped } from './session-scoped.ts';

/** The CLI's own permission modes; the SDK's policy is a separate thing. */
export type CliPermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** Sent at the start of every turn: what the session runs with. */
export interface InitMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'init';
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: CliPermissionMode;
  readonly tools: readonly string[];
  readonly mcp_servers: readonly { readonly name: string; readonly status: string }[];
  readonly slash_commands: readonly string[];
  readonly agents?: readonly string[];
  readonly skills: readonly string[];
  readonly apiKeySource: string;
  readonly claude_code_version: string;
  readonly output_style: string;
  readonly capabilities?: readonly string[];
  readonly user_message_uuids?: readonly string[];
}

/** A request to the model failed and will be tried again. */
export interface ApiRetryMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'api_retry';
  readonly attempt: number;
  readonly max_retries: number;
  readonly retry_delay_ms: number;
  readonly error_status: number | null;
  readonly error: string;
}

/** A subagent or a background shell has started. */
export interface TaskStartedMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'task_started';
  readonly task_id: string;
  readonly tool_use_id?: string;
  readonly description: string;
  readonly task_type?: string;
  readonly is_backgrounded?: boolean;
}

/** A subagent or a background shell has ended. */
export interface TaskNotificationMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'task_notification';
  readonly task_id: string;
  readonly tool_use_id?: string;
  readonly status: 'completed' | 'failed' | 'stopped';
  readonly output_file: string;
  readonly summary: string;
}

/** All tasks that live now. */
export interface BackgroundTasksChangedMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'background_tasks_changed';
  readonly tasks: readonly BackgroundTask[];
}

export interface BackgroundTask {
  readonly task_id: string;
  /** `local_bash` is a background shell; `local_agent` a delegated task that will report back with a turn of its own. */
  readonly task_type: string;
  readonly description: string;
}

/** What the agent does. For whoever drives it; readers of messages are spared it. */
export interface SessionStateMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'session_state_changed';
  readonly state: 'running' | 'requires_action' | 'idle';
  readonly sdk_host_only?: boolean;
}

/** The rest of what the agent reports about itself. */
export interface OtherSystemMessage {
  readonly type: 'system';
  readonly subtype:
    | 'status'
    | 'compact_boundary'
    | 'task_progress'
    | 'task_updated'
    | 'permission_denied'
    | 'informational'
    | 'notification'
    | 'thinking_tokens'
    | 'model_fallback'
    | 'local_command_output'
    | `unknown ${string}`;
  readonly uuid?: string;
  readonly session_id?: string;
  readonly sdk_host_only?: boolean;
}

export type SystemMessage =
  | InitMessage
  | ApiRetryMessage
  | TaskStartedMessage
  | TaskNotificationMessage
  | BackgroundTasksChangedMessage
  | SessionStateMessage
  | OtherSystemMessage;
