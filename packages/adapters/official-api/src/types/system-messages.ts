import type { AgentStatus, SystemMessage, SystemMessageOf } from '@hexagent/ports';
import type { Official } from './mutable.ts';

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

/** The model refused, and there is no other one to ask. */
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
