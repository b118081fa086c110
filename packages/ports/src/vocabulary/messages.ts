import type { ContentBlock } from './content.ts';
import type { ModelMessage, StreamEvent } from './model-answers.ts';
import type { MessageOrigin } from './origin.ts';
import type { ContextUsage, RateLimitInfo, UsageReport } from './reports.ts';
import type { ResultMessage } from './results.ts';
import type { SessionScoped } from './session-scoped.ts';
import type { SystemMessage } from './system-messages.ts';
import type { AssistantError, Uuid } from './values.ts';

/*
 * The messages of an agent, in its own spelling. The SDK delivers the very object it parsed: nothing is renamed, copied
 * or dropped, so a message may have more fields than its type lists.
 */

/** Every message of an agent. Narrow it by `type`, and messages of type `system` by `subtype`. */
export type AgentMessage =
  | AssistantMessage
  | UserMessage
  | ResultMessage
  | PartialMessage
  | SystemMessage
  | ToolProgressMessage
  | ToolUseSummaryMessage
  | RateLimitMessage
  | AuthStatusMessage
  | PromptSuggestionMessage
  | ConversationResetMessage
  | ActiveGoalMessage
  | CommandLifecycleMessage
  | ToolOutputMessage
  | UnknownMessage;

/** The message of a type: `MessageOf<'tool_progress'>`. */
export type MessageOf<Type extends AgentMessage['type']> = Extract<AgentMessage, { readonly type: Type }>;

/** One content block of the model's answer; blocks of one answer share `message.id`. */
export interface AssistantMessage extends SessionScoped, SubagentFields, TurnFields {
  readonly type: 'assistant';
  readonly message: ModelMessage;
  /** Set on a subagent's message: the tool call that started it. */
  readonly parent_tool_use_id: string | null;
  /** Set when the agent wrote the answer because the model's service refused. */
  readonly error?: AssistantError;
  readonly is_api_error_message?: boolean;
  readonly api_error_status?: number | null;
  readonly request_id?: string;
  readonly resumed_from_incomplete_thinking?: true;
  /** Earlier messages that this one takes the place of. */
  readonly supersedes?: readonly Uuid[];
  /** An interrupt cut it off: its text may end in the middle of a word. */
  readonly aborted?: true;
  readonly timestamp?: string;
  /** Comes with the answer to `/context`. */
  readonly context_usage?: ContextUsage;
  /** Comes with the answer to `/usage`. */
  readonly usage_report?: UsageReport;
}

/** A message of a user: the program's, a tool's result, a synthetic prompt, or (with `isReplay`) an echo. */
export interface UserMessage extends SubagentFields {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: string | readonly ContentBlock[] };
  readonly parent_tool_use_id: string | null;
  readonly uuid?: Uuid;
  readonly session_id?: string;
  /** The agent wrote it, not a person. */
  readonly isSynthetic?: boolean;
  /** The agent repeats a message that it was sent. */
  readonly isReplay?: boolean;
  /** The tool's result in the tool's own structure. */
  readonly tool_use_result?: unknown;
  readonly origin?: MessageOrigin;
  /** `now` stops the running turn, `next` waits for it (the default), `later` waits for everything queued. */
  readonly priority?: 'now' | 'next' | 'later';
  /** `false`: the text waits and joins the next message. */
  readonly shouldQuery?: boolean;
  readonly client_composed?: true;
  readonly pasted_content?: readonly (string | readonly ContentBlock[])[];
  readonly inline_pastes?: readonly string[];
  readonly file_attachments?: readonly unknown[];
  readonly timestamp?: string;
}

/** A raw event of the model's stream; sent only when partial messages were asked for. */
export interface PartialMessage extends SessionScoped, TurnFields {
  readonly type: 'stream_event';
  readonly event: StreamEvent;
  readonly parent_tool_use_id: string | null;
  /** How long the first token took, in milliseconds. */
  readonly ttft_ms?: number;
}

/** A tool has been running for a while. */
export interface ToolProgressMessage extends SessionScoped {
  readonly type: 'tool_progress';
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly parent_tool_use_id: string | null;
  readonly elapsed_time_seconds: number;
  readonly task_id?: string;
  readonly heartbeat?: boolean;
  readonly subagent_type?: string;
  readonly subagent_retry?: {
    readonly agent_id: string;
    readonly attempt: number;
    readonly max_retries: number;
    readonly retry_delay_ms: number;
    readonly error_status: number | null;
    readonly error_category: string;
  };
}

/** A short summary of several tool calls. */
export interface ToolUseSummaryMessage extends SessionScoped {
  readonly type: 'tool_use_summary';
  readonly summary: string;
  readonly preceding_tool_use_ids: readonly string[];
}

/** A limit of a subscription has changed or comes near. */
export interface RateLimitMessage extends SessionScoped {
  readonly type: 'rate_limit_event';
  readonly rate_limit_info: RateLimitInfo;
}

/** The agent logs in. */
export interface AuthStatusMessage extends SessionScoped {
  readonly type: 'auth_status';
  readonly isAuthenticating: boolean;
  readonly output: readonly string[];
  readonly error?: string;
}

/** A suggestion for the user's next message; comes after the result. */
export interface PromptSuggestionMessage extends SessionScoped {
  readonly type: 'prompt_suggestion';
  readonly suggestion: string;
}

/** The history was cleared; what follows has a new session id. */
export interface ConversationResetMessage extends SessionScoped {
  readonly type: 'conversation_reset';
  readonly new_conversation_id: Uuid;
  readonly trigger?: 'clear' | 'plan_mode_exit' | 'fresh_session' | 'onboarding';
  readonly user_message_uuid?: string;
  readonly timestamp?: string;
}

/** The goal a session pursues; `null` when it has none any more. */
export interface ActiveGoalMessage extends SessionScoped {
  readonly type: 'active_goal';
  readonly value: {
    readonly condition: string;
    readonly iterations: number;
    readonly set_at: number;
    readonly tokens_at_start: number;
    readonly last_reason?: string;
  } | null;
}

/** The state of a message that was sent with a uuid. */
export interface CommandLifecycleMessage extends SessionScoped {
  readonly type: 'command_lifecycle';
  readonly command_uuid: string;
  readonly state: 'queued' | 'started' | 'completed' | 'cancelled';
}

/**
 * What a running command has written since the last one. Made by the SDK, where the option `toolOutput` is set; the agent sends nothing
 * of type `hexagent`. What counts is the result of the call, which the model gets.
 */
export interface ToolOutputMessage {
  readonly type: 'hexagent';
  readonly subtype: 'tool_output';
  /** The call of the tool. */
  readonly tool_use_id: string;
  /** The call that started the subagent that called it. */
  readonly parent_tool_use_id: string | null;
  /** The agent's name for the running command, which `stopTask()` takes. */
  readonly task_id: string;
  /** Standard output and standard error, as they were written. */
  readonly text: string;
  /** How many bytes before `text` were left out, because more was written than is read at once. */
  readonly skipped_bytes: number;
  /** How many bytes were written so far. */
  readonly total_bytes: number;
  readonly session_id: string;
}

/**
 * A message of a type that is not listed in this version. At run time `type` is exactly what the agent sent; the spelling
 * here only keeps `message.type === 'assistant'` narrowing for the types of this version.
 */
export interface UnknownMessage {
  readonly type: `unknown ${string}`;
}

/** Set on the messages of a subagent. */
interface SubagentFields {
  readonly agent_id?: string;
  readonly subagent_type?: string;
  readonly task_description?: string;
}

/** Which messages a turn answers; set on its first messages. */
interface TurnFields {
  readonly user_message_uuid?: string;
  readonly user_message_uuids?: readonly string[];
  readonly resume_reason?: string;
}
