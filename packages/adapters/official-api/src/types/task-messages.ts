import type { UUID } from './api.ts';

/*
 * Tasks: subagents and shells that run beside the conversation.
 */

type Task<Subtype extends string, Fields> = {
  type: 'system';
  subtype: Subtype;
  task_id: string;
  run_id?: string;
  uuid: UUID;
  session_id: string;
} & Fields;

type TaskUsage = { total_tokens: number; tool_uses: number; duration_ms: number };

/** Something a tool points to. */
export type SDKMcpResourceLink = {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Record<string, unknown>;
};

export type SDKTaskStartedMessage = Task<
  'task_started',
  {
    tool_use_id?: string;
    description: string;
    subagent_type?: string;
    is_backgrounded?: boolean;
    spawn_depth?: number;
    parent_task_id?: string;
    task_type?: string;
    workflow_name?: string;
    prompt?: string;
    skip_transcript?: boolean;
    ambient?: boolean;
  }
>;

export type SDKTaskProgressMessage = Task<
  'task_progress',
  {
    tool_use_id?: string;
    description: string;
    subagent_type?: string;
    usage: TaskUsage;
    last_tool_name?: string;
    summary?: string;
  }
>;

export type SDKTaskUpdatedMessage = Task<
  'task_updated',
  {
    patch: {
      status?: 'pending' | 'running' | 'completed' | 'failed' | 'killed' | 'paused';
      description?: string;
      end_time?: number;
      total_paused_ms?: number;
      error?: string;
      is_backgrounded?: boolean;
    };
  }
>;

/** The end of a task. */
export type SDKTaskNotificationMessage = Task<
  'task_notification',
  {
    tool_use_id?: string;
    status: 'completed' | 'failed' | 'stopped';
    reason?: 'worker_restart';
    output_file: string;
    summary: string;
    usage?: TaskUsage;
    resource_links?: SDKMcpResourceLink[];
    skip_transcript?: boolean;
    ambient?: boolean;
  }
>;

/** All tasks that live now. */
export type SDKBackgroundTasksChangedMessage = {
  type: 'system';
  subtype: 'background_tasks_changed';
  tasks: {
    task_id: string;
    run_id?: string;
    task_type: string;
    subagent_type?: string;
    description: string;
    parent_task_id?: string;
    ambient?: boolean;
  }[];
  uuid: UUID;
  session_id: string;
};

export type SDKTaskEvent =
  | SDKTaskStartedMessage
  | SDKTaskProgressMessage
  | SDKTaskUpdatedMessage
  | SDKTaskNotificationMessage
  | SDKBackgroundTasksChangedMessage;
