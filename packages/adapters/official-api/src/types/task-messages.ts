import type { McpResourceLink, SystemMessageOf } from '@hexagent/ports';
import type { Official } from './mutable.ts';

/*
 * Tasks: subagents and shells that run beside the conversation.
 */

/** Something that a tool of an MCP server points to. */
export type SDKMcpResourceLink = Official<McpResourceLink>;

export type SDKTaskStartedMessage = Official<SystemMessageOf<'task_started'>>;

export type SDKTaskProgressMessage = Official<SystemMessageOf<'task_progress'>>;

export type SDKTaskUpdatedMessage = Official<SystemMessageOf<'task_updated'>>;

/** The end of a task. */
export type SDKTaskNotificationMessage = Official<SystemMessageOf<'task_notification'>>;

/** All tasks that are alive now. */
export type SDKBackgroundTasksChangedMessage = Official<SystemMessageOf<'background_tasks_changed'>>;

export type SDKTaskEvent =
  | SDKTaskStartedMessage
  | SDKTaskProgressMessage
  | SDKTaskUpdatedMessage
  | SDKTaskNotificationMessage
  | SDKBackgroundTasksChangedMessage;
