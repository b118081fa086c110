import type { Usage } from './model-answers.ts';
import type { MessageOrigin } from './origin.ts';
import type { ModelUsage } from './reports.ts';
import type { SessionScoped } from './session-scoped.ts';
import type { FastModeDisabledReason, FastModeState, StartupFailureReason, TerminalReason } from './values.ts';

/** The end of a turn. `total_cost_usd` and `modelUsage` are running totals of the session; `usage` is the turn's. */
export type ResultMessage = SuccessResult | ErrorResult;

/** What both kinds of results have. */
export interface ResultFields extends SessionScoped {
  readonly type: 'result';
  /** Also `true` with subtype `success`, when the model's service refused: read both. */
  readonly is_error: boolean;
  readonly duration_ms: number;
  readonly duration_api_ms: number;
  readonly num_turns: number;
  readonly stop_reason: string | null;
  /** Why the turn ended; absent when a local command was all it did. */
  readonly terminal_reason?: TerminalReason;
  /** A running total of the session, in US dollars. */
  readonly total_cost_usd: number;
  /** This turn's. */
  readonly usage: Usage;
  /** Running totals of the session, by the name of the model. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  /** Per turn, unlike `modelUsage`. */
  readonly model_usage_since_last_result?: Readonly<Record<string, { readonly costUSD?: number }>>;
  readonly permission_denials: readonly PermissionDenial[];
  /** Turns that wait to be run. */
  readonly queued_turn_count?: number;
  /** Counts the results of a session, from 0. */
  readonly result_index?: number;
  /** The message that began the turn, as far as it has a uuid. */
  readonly user_message_uuid?: string;
  /** All messages that the turn answers. */
  readonly user_message_uuids?: readonly string[];
  /** What began an unsolicited turn. */
  readonly origin?: MessageOrigin;
  readonly resume_reason?: string;
  readonly credential_expires_at?: string;
  readonly fast_mode_state?: FastModeState;
  readonly fast_mode_disabled_reason?: FastModeDisabledReason;
}

/** The end of a turn that ran to its end. */
export interface SuccessResult extends ResultFields, ResultTimings {
  readonly subtype: 'success';
  /** The last text of the turn. */
  readonly result: string;
  /** The status of the model's service, when it refused. */
  readonly api_error_status?: number | null;
  /** The command that was run in place of a request to the model. */
  readonly local_command?: string;
  /** What the model gave for the schema that was asked for; absent when it gave nothing that fits. */
  readonly structured_output?: unknown;
  /** The tool call that a hook deferred, which ended the turn. */
  readonly deferred_tool_use?: DeferredToolUse;
  readonly warm_spare_claimed?: boolean;
}

/** The end of a turn that was cut short. */
export interface ErrorResult extends ResultFields {
  readonly subtype:
    | 'error_during_execution'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_structured_output_retries';
  /** What went wrong. */
  readonly errors: readonly string[];
  readonly startup_failure_reason?: StartupFailureReason;
  readonly invalid_config_file?: {
    readonly path: string;
    readonly is_global: boolean;
    readonly backup_searched: boolean;
    readonly backup_path?: string;
  };
}

/** Where the time of a turn went. */
export interface ResultTimings {
  readonly ttft_ms?: number;
  readonly ttft_stream_ms?: number;
  readonly time_to_request_ms?: number;
  readonly request_sent_wall_ms?: number;
  readonly first_content_frame_ms?: number;
  readonly first_stream_post_ms?: number;
  readonly first_stream_post_ack_ms?: number;
  readonly first_stream_post_queue_wait_ms?: number;
  readonly first_stream_post_queued_behind?: QueuedBehind;
  readonly first_stream_post_wall_ms?: number;
  readonly first_text_post_ms?: number;
  readonly first_text_post_queue_wait_ms?: number;
  readonly first_text_post_queued_behind?: QueuedBehind;
  readonly first_text_post_wall_ms?: number;
  readonly time_to_request_from_spawn_ms?: number;
  readonly time_origin_ms?: number;
}

/** What a request had to wait for. */
export type QueuedBehind = 'durable_post' | 'ephemeral_post' | 'retry_backoff' | 'hold' | 'none';

/** A tool call that was not allowed to run. */
export interface PermissionDenial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
}

/** A tool call that a hook deferred. */
export interface DeferredToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}
