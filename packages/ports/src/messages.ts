/*
 * What the agent says, in the agent's own spelling. The SDK hands on the very object it parsed: nothing is renamed,
 * copied or dropped, so every interface here lists what the SDK and its users rely on and stays open for the rest.
 */

/** A piece of what a model or a user said. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | UnknownBlock;

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly ContentBlock[];
  readonly is_error?: boolean;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly source: BlockSource;
}

export interface DocumentBlock {
  readonly type: 'document';
  readonly source: BlockSource;
}

/** Where an image or a document comes from: base64 data, a URL, an uploaded file, plain text. */
export interface BlockSource {
  readonly type: string;
  readonly media_type?: string;
  readonly data?: string;
  readonly url?: string;
}

/** A block this version does not know. Its real `type` is whatever the model sent; see {@link UnknownMessage}. */
export interface UnknownBlock {
  readonly type: `unknown ${string}`;
}

/** Tokens as the Messages API counts them. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
}

/** Tokens and cost of one model, a running total of the session. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly webSearchRequests: number;
  readonly costUSD: number;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** What every message of a session carries. */
export interface SessionScoped {
  readonly uuid: string;
  readonly session_id: string;
}

/** One content block of the model's answer; blocks of one answer share `message.id`. */
export interface AssistantMessage extends SessionScoped {
  readonly type: 'assistant';
  readonly message: {
    readonly id: string;
    readonly type?: 'message';
    readonly role: 'assistant';
    readonly model: string;
    readonly content: readonly ContentBlock[];
    readonly stop_reason: string | null;
    readonly usage: Usage;
  };
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

/** The Messages API's stream events, open for kinds this version does not know. */
export type StreamEvent =
  | { readonly type: 'message_start'; readonly message: AssistantMessage['message'] }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: ContentBlock }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: StreamDelta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta';
      readonly delta: { readonly stop_reason: string | null };
      readonly usage: { readonly output_tokens: number };
    }
  | { readonly type: 'message_stop' }
  | { readonly type: 'ping' }
  | { readonly type: `unknown ${string}` };

export type StreamDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string }
  | { readonly type: `unknown ${string}` };

/** Sent at the start of every turn: what the session runs with. */
export interface InitMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'init';
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: CliPermissionMode;
  readonly tools: readonly string[];
  readonly mcp_servers: readonly { readonly name: string; readonly status: string }[];
  readonly slash_commands: readonly string[];
  readonly agents?: readonly string[];
  readonly skills: readonly string[];
  readonly apiKeySource: string;
  readonly claude_code_version: string;
  readonly output_style: string;
  readonly capabilities?: readonly string[];
  readonly user_message_uuids?: readonly string[];
}

/** A request to the model failed and will be tried again. */
export interface ApiRetryMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'api_retry';
  readonly attempt: number;
  readonly max_retries: number;
  readonly retry_delay_ms: number;
  readonly error_status: number | null;
  readonly error: string;
}

/** A subagent or a background shell has started. */
export interface TaskStartedMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'task_started';
  readonly task_id: string;
  readonly tool_use_id?: string;
  readonly description: string;
  readonly task_type?: string;
  readonly is_backgrounded?: boolean;
}

/** A subagent or a background shell has ended. */
export interface TaskNotificationMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'task_notification';
  readonly task_id: string;
  readonly tool_use_id?: string;
  readonly status: 'completed' | 'failed' | 'stopped';
  readonly output_file: string;
  readonly summary: string;
}

/** All tasks that live now. */
export interface BackgroundTasksChangedMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'background_tasks_changed';
  readonly tasks: readonly BackgroundTask[];
}

export interface BackgroundTask {
  readonly task_id: string;
  /** `local_bash` is a background shell; `local_agent` a delegated task that will report back with a turn of its own. */
  readonly task_type: string;
  readonly description: string;
}

/** What the agent does. For whoever drives it; readers of messages are spared it. */
export interface SessionStateMessage extends SessionScoped {
  readonly type: 'system';
  readonly subtype: 'session_state_changed';
  readonly state: 'running' | 'requires_action' | 'idle';
  readonly sdk_host_only?: boolean;
}

/** The rest of what the agent reports about itself. */
export interface OtherSystemMessage {
  readonly type: 'system';
  readonly subtype:
    | 'status'
    | 'compact_boundary'
    | 'task_progress'
    | 'task_updated'
    | 'permission_denied'
    | 'informational'
    | 'notification'
    | 'thinking_tokens'
    | 'model_fallback'
    | 'local_command_output'
    | `unknown ${string}`;
  readonly uuid?: string;
  readonly session_id?: string;
  readonly sdk_host_only?: boolean;
}

export type SystemMessage =
  | InitMessage
  | ApiRetryMessage
  | TaskStartedMessage
  | TaskNotificationMessage
  | BackgroundTasksChangedMessage
  | SessionStateMessage
  | OtherSystemMessage;

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

/** The CLI's own permission modes; the SDK's policy is a separate thing. */
export type CliPermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** What the program says to the agent. */
export interface UserInput {
  readonly content: string | readonly ContentBlock[];
  /** Your own id for the message, a uuid. Without one the SDK makes it. A uuid already used is refused. */
  readonly uuid?: string | undefined;
  /** `now` stops the running turn, `next` waits for it (the default), `later` waits for everything queued. */
  readonly priority?: 'now' | 'next' | 'later' | undefined;
  /** More fields of the user frame, in the agent's spelling (`shouldQuery`, `isSynthetic`, …). They never replace those above. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}
