import type { ContentBlock, ModelMessage, ModelUsage, StreamEvent, Usage } from './content.ts';
import type { SessionScoped } from './session-scoped.ts';
import type { SystemMessage } from './system-messages.ts';

/*
 * What the agent says, in the agent's own spelling. The SDK hands on the very object it parsed: nothing is renamed,
 * copied or dropped, so every interface here lists what the SDK and its users rely on and stays open for the rest.
 */

/** One content block of the model's answer; blocks of one answer share `message.id`. */
export interface AssistantMessage extends SessionScoped {
  readonly type: 'assistant';
  readonly message: ModelMessage;
  /** Set on what a subagent says: the tool call that started it. */
  readonly parent_tool_use_id: string | null;
  readonly error?: string;
  readonly is_api_error_message?: boolean;
  readonly api_error_status?: number | null;
  readonly user_message_uuid?: string;
  readonly user_message_uuids?: readonly string[];
}

/** A tool's result, a synthetic prompt, or (with `isReplay`) the echo of what the program sent. */
export interface UserMessage {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: string | readonly ContentBlock[] };
  readonly parent_tool_use_id: string | null;
  readonly uuid?: string;
  readonly session_id?: string;
  readonly isSynthetic?: boolean;
  readonly isReplay?: boolean;
  /** The tool's result in the tool's own structure. */
  readonly tool_use_result?: unknown;
  readonly timestamp?: string;
}

/** The end of a turn. `total_cost_usd` and `modelUsage` are running totals of the session; `usage` is the turn's. */
export interface ResultMessage extends SessionScoped {
  readonly type: 'result';
  readonly subtype:
    | 'success'
    | 'error_during_execution'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_structured_output_retries';
  /** Also `true` with subtype `success`, when the API refused: read both. */
  readonly is_error: boolean;
  readonly duration_ms: number;
  readonly duration_api_ms: number;
  readonly num_turns: number;
  /** The last text of the turn; present with subtype `success`. */
  readonly result?: string;
  /** What went wrong; present with the other subtypes. */
  readonly errors?: readonly string[];
  readonly stop_reason: string | null;
  readonly terminal_reason?: string;
  readonly total_cost_usd: number;
  readonly usage: Usage;
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  /** Per turn, unlike `modelUsage`. */
  readonly model_usage_since_last_result?: Readonly<Record<string, { readonly costUSD?: number }>>;
  readonly permission_denials: readonly PermissionDenial[];
  readonly structured_output?: unknown;
  readonly api_error_status?: number | null;
  readonly user_message_uuid?: string;
  readonly user_message_uuids?: readonly string[];
  readonly origin?: { readonly kind: string };
}

/** A tool call that was not allowed to run. */
export interface PermissionDenial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
}

/** A raw event of the model's stream; sent only when partial messages were asked for. */
export interface PartialMessage extends SessionScoped {
  readonly type: 'stream_event';
  readonly event: StreamEvent;
  readonly parent_tool_use_id: string | null;
}

/** What became of a message that was sent with a uuid. */
export interface CommandLifecycleMessage {
  readonly type: 'command_lifecycle';
  readonly command_uuid: string;
  readonly state: 'queued' | 'started' | 'completed' | 'cancelled';
  readonly uuid: string;
  readonly session_id: string;
}

/**
 * A message of a type this version does not know. At run time `type` is exactly what the agent sent; the spelling
 * here only keeps `message.type === 'assistant'` narrowing for the types that are known.
 */
export interface UnknownMessage {
  readonly type: `unknown ${string}`;
}

/** Everything a session can say. */
export type AgentMessage =
  | AssistantMessage
  | UserMessage
  | ResultMessage
  | PartialMessage
  | SystemMessage
  | CommandLifecycleMessage
  | UnknownMessage;

/** What the program says to the agent. */
export interface UserInput {
  /** Text, or blocks such as text and images. */
  readonly content: string | readonly ContentBlock[];
  /** Your own id for the message, a uuid. Without one the SDK makes it. A uuid already used is refused. */
  readonly uuid?: string | undefined;
  /** `now` stops the running turn, `next` waits for it (the default), `later` waits for everything queued. */
  readonly priority?: 'now' | 'next' | 'later' | undefined;
  /** More fields of the user frame, in the agent's spelling (`shouldQuery`, `isSynthetic`, …). They never replace those above. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}
