import type { SystemFields } from './session-scoped.ts';

/*
 * Tasks: subagents and shells that run beside the conversation.
 */

export type TaskMessage =
  | TaskStartedMessage
  | TaskProgressMessage
  | TaskUpdatedMessage
  | TaskNotificationMessage
  | BackgroundTasksChangedMessage;

/** What every message of a single task has. */
interface TaskFields<Subtype extends string> extends SystemFields<Subtype> {
  readonly task_id: string;
  /** A task that is resumed keeps its `task_id` and gets a new one of these. */
  readonly run_id?: string;
}

/** What a task has used so far. */
export interface TaskUsage {
  readonly total_tokens: number;
  readonly tool_uses: number;
  readonly duration_ms: number;
}

/** A subagent or a background shell has started. */
export interface TaskStartedMessage extends TaskFields<'task_started'> {
  readonly tool_use_id?: string;
  readonly description: string;
  /** `local_bash` is a shell, `local_agent` a subagent. */
  readonly task_type?: string;
  readonly subagent_type?: string;
  readonly is_backgrounded?: boolean;
  readonly spawn_depth?: number;
  readonly parent_task_id?: string;
  readonly workflow_name?: string;
  readonly prompt?: string;
  readonly skip_transcript?: boolean;
  readonly ambient?: boolean;
}

/** A subagent has called a tool. */
export interface TaskProgressMessage extends TaskFields<'task_progress'> {
  readonly tool_use_id?: string;
  readonly description: string;
  readonly subagent_type?: string;
  readonly usage: TaskUsage;
  readonly last_tool_name?: string;
  readonly summary?: string;
}

/** Something about a task has changed: the fields that have are in `patch`. */
export interface TaskUpdatedMessage extends TaskFields<'task_updated'> {
  readonly patch: {
    readonly status?: 'pending' | 'running' | 'completed' | 'failed' | 'killed' | 'paused';
    readonly description?: string;
    readonly end_time?: number;
    readonly total_paused_ms?: number;
    readonly error?: string;
    readonly is_backgrounded?: boolean;
  };
}

/** A subagent or a background shell has ended. */
export interface TaskNotificationMessage extends TaskFields<'task_notification'> {
  readonly tool_use_id?: string;
  readonly status: 'completed' | 'failed' | 'stopped';
  readonly reason?: 'worker_restart';
  readonly output_file: string;
  readonly summary: string;
  readonly usage?: TaskUsage;
  readonly resource_links?: readonly McpResourceLink[];
  readonly skip_transcript?: boolean;
  readonly ambient?: boolean;
}

/** Something that a tool of an MCP server points to. */
export interface McpResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** All tasks that are alive now. */
export interface BackgroundTasksChangedMessage extends SystemFields<'background_tasks_changed'> {
  readonly tasks: readonly BackgroundTask[];
}

export interface BackgroundTask {
  readonly task_id: string;
  readonly run_id?: string;
  /** `local_bash` is a background shell; `local_agent` a delegated task that will report back with a turn of its own. */
  readonly task_type: string;
  readonly subagent_type?: string;
  readonly description: string;
  readonly parent_task_id?: string;
  readonly ambient?: boolean;
}
