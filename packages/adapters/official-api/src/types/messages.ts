import type { ApiMessage, ApiMessageParam, ApiStreamEvent, UUID } from './api.ts';
import type { ClientMessage, ClientMessageParam, ClientEvent, OrOwn } from './client.ts';
import type { SDKAssistantMessageError } from './common.ts';
import type { SDKMessageOrigin } from './origin.ts';
import type { SDKRateLimitEvent } from './rate-limits.ts';
import type { SDKContextUsage, SDKUsageReport } from './reports.ts';
import type { SDKResultMessage } from './results.ts';
import type { SDKSystemEvent, SDKSystemMessage } from './system-messages.ts';
import type { SDKTaskEvent } from './task-messages.ts';

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
export type SDKAssistantMessage = {
  type: 'assistant';
  message: OrOwn<ClientMessage, ApiMessage>;
  /** Set on what a subagent says: the tool call that started it. */
  parent_tool_use_id: string | null;
  error?: SDKAssistantMessageError;
  uuid: UUID;
  session_id: string;
  request_id?: string;
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
  resumed_from_incomplete_thinking?: true;
  /** Earlier messages that this one takes the place of. */
  supersedes?: UUID[];
  aborted?: true;
  agent_id?: string;
  subagent_type?: string;
  task_description?: string;
  timestamp?: string;
  context_usage?: SDKContextUsage;
  usage_report?: SDKUsageReport;
};

type UserMessageParam = OrOwn<ClientMessageParam, ApiMessageParam>;

type SaidByUser = {
  type: 'user';
  message: UserMessageParam;
  parent_tool_use_id: string | null;
  isSynthetic?: boolean;
  /** A tool's result in the tool's own structure. */
  tool_use_result?: unknown;
  /** `now` stops the running turn, `next` waits for it (the default), `later` waits for everything queued. */
  priority?: 'now' | 'next' | 'later';
  origin?: SDKMessageOrigin;
  /** `false`: the text waits and joins the next message. */
  shouldQuery?: boolean;
  timestamp?: string;
  client_composed?: true;
};

/** What is said to the agent, and what comes back as a user's: tools' results and synthetic prompts. */
export type SDKUserMessage = SaidByUser & {
  /** Your own id for it. The agent drops a message whose id it has seen, so this SDK refuses it. */
  uuid?: UUID;
  pasted_content?: UserMessageParam['content'][];
  inline_pastes?: string[];
  session_id?: string;
  agent_id?: string;
  subagent_type?: string;
  task_description?: string;
};

/** The echo of a message that was said. */
export type SDKUserMessageReplay = SaidByUser & {
  uuid: UUID;
  session_id: string;
  isReplay: true;
  file_attachments?: unknown[];
};

/** A raw event of the model's stream; comes only with `includePartialMessages`. */
export type SDKPartialAssistantMessage = {
  type: 'stream_event';
  event: OrOwn<ClientEvent, ApiStreamEvent>;
  parent_tool_use_id: string | null;
  uuid: UUID;
  session_id: string;
  ttft_ms?: number;
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
};

/** A tool runs and has done so for a while. */
export type SDKToolProgressMessage = {
  type: 'tool_progress';
  tool_use_id: string;
  tool_name: string;
  parent_tool_use_id: string | null;
  elapsed_time_seconds: number;
  task_id?: string;
  uuid: UUID;
  session_id: string;
  heartbeat?: boolean;
  subagent_type?: string;
  subagent_retry?: {
    agent_id: string;
    attempt: number;
    max_retries: number;
    retry_delay_ms: number;
    error_status: number | null;
    error_category: string;
  };
};

/** Several tool calls in a few words. */
export type SDKToolUseSummaryMessage = {
  type: 'tool_use_summary';
  summary: string;
  preceding_tool_use_ids: string[];
  uuid: UUID;
  session_id: string;
};

export type SDKAuthStatusMessage = {
  type: 'auth_status';
  isAuthenticating: boolean;
  output: string[];
  error?: string;
  uuid: UUID;
  session_id: string;
};

/** What the user may want to say next; comes after the result. */
export type SDKPromptSuggestionMessage = {
  type: 'prompt_suggestion';
  suggestion: string;
  uuid: UUID;
  session_id: string;
};

/** The history was cleared; what follows has a new session id. */
export type SDKConversationResetMessage = {
  type: 'conversation_reset';
  new_conversation_id: UUID;
  uuid: UUID;
  session_id: string;
  trigger?: 'clear' | 'plan_mode_exit' | 'fresh_session' | 'onboarding';
  user_message_uuid?: string;
  timestamp?: string;
};

/** The goal a session pursues; seen on the wire beside {@link SDKMessage}. */
export type SDKActiveGoalMessage = {
  type: 'active_goal';
  value: {
    condition: string;
    iterations: number;
    set_at: number;
    tokens_at_start: number;
    last_reason?: string;
  } | null;
  uuid: UUID;
  session_id: string;
};
