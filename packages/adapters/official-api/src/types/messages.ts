import type {
  AgentStatus,
  AssistantMessage,
  DeferredToolUse,
  ErrorResult,
  McpResourceLink,
  MessageOf,
  MessageOrigin,
  PermissionDenial,
  RateLimitInfo,
  SuccessResult,
  SystemMessage,
  SystemMessageOf,
  UserMessage,
} from '@hexagent/ports';
import type { ApiMessage, ApiMessageParam, ApiStreamEvent } from './api.ts';
import type { ClientEvent, ClientMessage, ClientMessageParam, OrOwn } from './client.ts';
import type { NonNullableUsage } from './common.ts';
import type { Mutable, Official } from './mutable.ts';

export type { StartupFailureReason as SDKStartupFailureReason } from '@hexagent/ports';

/** Whatever a query yields. Narrow it by `type`, and `system` messages by `subtype`. */
export type SDKMessage =
  | SDKAssistantMessage
  | SDKUserMessage
  | SDKUserMessageReplay
  | SDKResultMessage
  | SDKSystemMessage
  | SDKPartialAssistantMessage
  | SDKSystemEvent
  | SDKTaskEvent
  | SDKToolProgressMessage
  | SDKToolUseSummaryMessage
  | SDKAuthStatusMessage
  | SDKRateLimitEvent
  | SDKPromptSuggestionMessage
  | SDKConversationResetMessage;

/** One content block of the model's answer; the blocks of one answer share `message.id`. */
export type SDKAssistantMessage = Official<
  Omit<AssistantMessage, 'api_error_status' | 'is_api_error_message'>,
  { message: OrOwn<ClientMessage, ApiMessage> }
>;

type UserMessageParam = OrOwn<ClientMessageParam, ApiMessageParam>;

/** A message to the agent, and what comes back as a user's: tools' results and synthetic prompts. */
export type SDKUserMessage = Official<
  Omit<UserMessage, 'isReplay' | 'file_attachments'>,
  { message: UserMessageParam; pasted_content: UserMessageParam['content'][] }
>;

/** The fields by which an echo is recognized. */
type Echo = 'uuid' | 'session_id' | 'isReplay';
type Pasted = 'pasted_content' | 'inline_pastes';
type OfSubagent = 'agent_id' | 'subagent_type' | 'task_description';

/** The echo of a message that was sent. */
export type SDKUserMessageReplay = Official<
  Omit<UserMessage, Echo | Pasted | OfSubagent> & Required<Pick<UserMessage, Echo>>,
  { message: UserMessageParam; isReplay: true }
>;

/** A raw event of the model's stream; comes only with `includePartialMessages`. */
export type SDKPartialAssistantMessage = Official<
  MessageOf<'stream_event'>,
  { event: OrOwn<ClientEvent, ApiStreamEvent> }
>;

/** A tool has been running for a while. */
export type SDKToolProgressMessage = Official<MessageOf<'tool_progress'>>;

/** A short summary of several tool calls. */
export type SDKToolUseSummaryMessage = Official<MessageOf<'tool_use_summary'>>;

/** The agent logs in. */
export type SDKAuthStatusMessage = Official<MessageOf<'auth_status'>>;

/** A suggestion for the user's next message; comes after the result. */
export type SDKPromptSuggestionMessage = Official<MessageOf<'prompt_suggestion'>>;

/** The history was cleared; what follows has a new session id. */
export type SDKConversationResetMessage = Official<MessageOf<'conversation_reset'>>;

/** The goal a session pursues; seen on the wire beside {@link SDKMessage}. */
export type SDKActiveGoalMessage = Official<MessageOf<'active_goal'>>;

/** Who a user's message comes from. */
export type SDKMessageOrigin = Mutable<MessageOrigin>;

/** A limit of a subscription has changed or comes near. */
export type SDKRateLimitEvent = Official<MessageOf<'rate_limit_event'>>;

/** How much of a subscription's allowance is left. */
export type SDKRateLimitInfo = Official<RateLimitInfo>;

/** A tool call that was not allowed to run. */
export type SDKPermissionDenial = Official<PermissionDenial>;

/** A tool call that a hook deferred. */
export type SDKDeferredToolUse = Official<DeferredToolUse>;

type Result<Of> = Official<Omit<Of, 'model_usage_since_last_result'>, { usage: NonNullableUsage }>;

/** The end of a turn that ran to its end. */
export type SDKResultSuccess = Result<SuccessResult>;

/** The end of a turn that was cut short. After an exit with code 1 the query also throws. */
export type SDKResultError = Result<ErrorResult>;

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

type System<Subtype extends SystemMessage['subtype'], Unlisted extends string = never> = Official<
  Omit<SystemMessageOf<Subtype>, Unlisted>
>;

/** Every turn begins with one: what the agent has and how it is set up. */
export type SDKSystemMessage = System<'init', 'mcp_server_errors' | 'memory_paths' | 'user_message_uuids'>;

export type SDKStatus = AgentStatus;

/** The history was shortened. */
export type SDKCompactBoundaryMessage = System<'compact_boundary'>;

export type SDKStatusMessage = System<'status'>;

/** A request to the model failed and will be tried again. */
export type SDKAPIRetryMessage = System<'api_retry'>;

export type SDKControlRequestProgressMessage = System<'control_request_progress'>;

/** The model refused, and another one is asked. */
export type SDKModelRefusalFallbackMessage = System<'model_refusal_fallback'>;

/** The model refused, and no other one can be asked. */
export type SDKModelRefusalNoFallbackMessage = System<'model_refusal_no_fallback'>;

export type SDKLocalCommandOutputMessage = System<'local_command_output'>;

export type SDKHookStartedMessage = System<'hook_started'>;

export type SDKHookProgressMessage = System<'hook_progress'>;

export type SDKHookResponseMessage = System<'hook_response'>;

export type SDKPluginInstallMessage = System<'plugin_install'>;

/** An estimate of how much was thought so far. */
export type SDKThinkingTokensMessage = System<'thinking_tokens'>;

export type SDKSessionStateChangedMessage = System<'session_state_changed', 'sdk_host_only'>;

export type SDKWorkerShuttingDownMessage = System<'worker_shutting_down'>;

export type SDKCommandsChangedMessage = System<'commands_changed'>;

export type SDKNotificationMessage = System<'notification'>;

export type SDKFilesPersistedEvent = System<'files_persisted'>;

export type SDKMemoryRecallMessage = System<'memory_recall'>;

export type SDKElicitationCompleteMessage = System<'elicitation_complete'>;

/** A tool call was denied without asking. */
export type SDKPermissionDeniedMessage = System<'permission_denied'>;

/** A session store did not take what it was given. */
export type SDKMirrorErrorMessage = System<'mirror_error'>;

export type SDKInformationalMessage = System<'informational'>;

/** The disk is full: parts of the transcript are lost. */
export type SDKSessionWritesLostMessage = System<'session_writes_lost'>;

/** What the agent reports about itself besides `init` and its tasks. */
type SDKSystemEvent =
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

type SDKTaskEvent =
  | SDKTaskStartedMessage
  | SDKTaskProgressMessage
  | SDKTaskUpdatedMessage
  | SDKTaskNotificationMessage
  | SDKBackgroundTasksChangedMessage;
