import type { McpResourceLink, SystemMessageOf } from '@hexagent/ports';
import type { Mutable } from './mutable.ts';

/*
 * Tasks: subagents and shells that run beside the conversation.
 */

/** Something that a tool of an MCP server points to. */
export type SDKMcpResourceLink = Mutable<McpResourceLink>;

export type SDKTaskStartedMessage = Mutable<SystemMessageOf<'task_started'>>;

export type SDKTaskProgressMessage = Mutable<SystemMessageOf<'task_progress'>>;

export type SDKTaskUpdatedMessage = Mutable<SystemMessageOf<'task_updated'>>;

/** The end of a task. */
export type SDKTaskNotificationMessage = Mutable<SystemMessageOf<'task_notification'>>;

/** All tasks that are alive now. */
export type SDKBackgroundTasksChangedMessage = Mutable<SystemMessageOf<'background_tasks_changed'>>;

export type SDKTaskEvent =
  | SDKTaskStartedMessage
  | SDKTaskProgressMessage
  | SDKTaskUpdatedMessage
  | SDKTaskNotificationMessage
  | SDKBackgroundTasksChangedMessage;
