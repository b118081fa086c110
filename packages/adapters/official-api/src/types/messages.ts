import type { AssistantMessage, MessageOf, UserMessage } from '@hexagent/ports';
import type { ApiMessage, ApiMessageParam, ApiStreamEvent } from './api.ts';
import type { ClientMessage, ClientMessageParam, ClientEvent, OrOwn } from './client.ts';
import type { Official } from './mutable.ts';
import type { SDKRateLimitEvent } from './rate-limits.ts';
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
