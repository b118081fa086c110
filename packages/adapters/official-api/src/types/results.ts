import type { UUID } from './api.ts';
import type { FastModeDisabledReason, FastModeState, ModelUsage, NonNullableUsage, TerminalReason } from './common.ts';
import type { SDKMessageOrigin } from './origin.ts';

/** A tool call that was not allowed to run. */
export type SDKPermissionDenial = { tool_name: string; tool_use_id: string; tool_input: Record<string, unknown> };

/** A tool call that a hook put off. */
export type SDKDeferredToolUse = { id: string; name: string; input: Record<string, unknown> };

/** Why the agent could not begin. */
export type SDKStartupFailureReason =
  | 'org_pin_api_key_conflict'
  | 'provider_not_allowed'
  | 'org_verify_failed'
  | 'org_pin_mismatch'
  | 'managed_settings_invalid'
  | 'remote_settings_required_unavailable'
  | 'gateway_signin_required'
  | 'gateway_access_denied'
  | 'proxy_invalid'
  | 'temp_dir_unusable'
  | 'cwd_unavailable'
  | 'shell_tool_missing'
  | 'session_held_by_background'
  | 'worktree_resume_refused'
  | 'worktree_unverified'
  | 'cli_version_too_old'
  | 'bypass_root'
  | 'org_config_required_unavailable'
  | 'org_config_refused'
  | 'sandbox_required_unavailable'
  | 'initialize_not_first'
  | 'config_file_invalid'
  | 'managed_settings_not_delivered';

type AnyResult = {
  type: 'result';
  duration_ms: number;
  duration_api_ms: number;
  /** Read it with every subtype: a refusal of the API is a `success` with `is_error`. */
  is_error: boolean;
  num_turns: number;
  stop_reason: string | null;
  /** A running total of the session. */
  total_cost_usd: number;
  /** This turn's. */
  usage: NonNullableUsage;
  /** A running total of the session. */
  modelUsage: Record<string, ModelUsage>;
  permission_denials: SDKPermissionDenial[];
  queued_turn_count?: number;
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
  terminal_reason?: TerminalReason;
  result_index?: number;
  credential_expires_at?: string;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  origin?: SDKMessageOrigin;
  uuid: UUID;
  session_id: string;
};

type QueuedBehind = 'durable_post' | 'ephemeral_post' | 'retry_backoff' | 'hold' | 'none';

/** Where the time went. */
type Timings = {
  ttft_ms?: number;
  ttft_stream_ms?: number;
  time_to_request_ms?: number;
  request_sent_wall_ms?: number;
  first_content_frame_ms?: number;
  first_stream_post_ms?: number;
  first_stream_post_ack_ms?: number;
  first_stream_post_queue_wait_ms?: number;
  first_stream_post_queued_behind?: QueuedBehind;
  first_stream_post_wall_ms?: number;
  first_text_post_ms?: number;
  first_text_post_queue_wait_ms?: number;
  first_text_post_queued_behind?: QueuedBehind;
  first_text_post_wall_ms?: number;
  time_to_request_from_spawn_ms?: number;
  time_origin_ms?: number;
};

/** The end of a turn that ran to its end. */
export type SDKResultSuccess = AnyResult &
  Timings & {
    subtype: 'success';
    /** The last text of the turn. */
    result: string;
    local_command?: string;
    warm_spare_claimed?: boolean;
    api_error_status?: number | null;
    /** With `outputFormat`; may be missing when the model never gave one. */
    structured_output?: unknown;
    deferred_tool_use?: SDKDeferredToolUse;
  };

/** The end of a turn that was cut short. After an exit with code 1 the query also throws. */
export type SDKResultError = AnyResult & {
  subtype:
    | 'error_during_execution'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_structured_output_retries';
  errors: string[];
  startup_failure_reason?: SDKStartupFailureReason;
  invalid_config_file?: { path: string; is_global: boolean; backup_searched: boolean; backup_path?: string };
};

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;
