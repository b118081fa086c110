/*
 * Values that several messages, hooks and options share. A newer agent may send values that are not listed here.
 */

/** An id as `crypto.randomUUID()` makes it. */
export type Uuid = `${string}-${string}-${string}-${string}-${string}`;

/** The CLI's own permission modes; the SDK's policy is a separate thing. */
export type CliPermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** How much the model puts into an answer. */
export type EffortLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** Where the API key came from. The last five come from older agents only. */
export type ApiKeySource =
  | 'ANTHROPIC_API_KEY'
  | 'apiKeyHelper'
  | '/login managed key'
  | 'none'
  | 'user'
  | 'project'
  | 'org'
  | 'temporary'
  | 'oauth';

/** Why a session ended, in a `SessionEnd` hook. */
export type ExitReason = 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other';

/** Whether the model answers in fast mode. */
export type FastModeState = 'off' | 'cooldown' | 'on';

/** Why fast mode is off. */
export type FastModeDisabledReason =
  | 'free'
  | 'preference'
  | 'extra_usage_disabled'
  | 'network_error'
  | 'unknown'
  | 'not_first_party'
  | 'disabled_by_env'
  | 'model_not_allowed'
  | 'sdk_opt_in_required'
  | 'pending';

/** What went wrong when an answer is the agent's and not the model's. */
export type AssistantError =
  | 'authentication_failed'
  | 'oauth_org_not_allowed'
  | 'account_on_hold'
  | 'verification_required'
  | 'billing_error'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'model_not_found'
  | 'server_error'
  | 'unknown'
  | 'max_output_tokens'
  | 'cloud_credential_error';

/** Why a turn ended. */
export type TerminalReason =
  | 'blocking_limit'
  | 'rapid_refill_breaker'
  | 'prompt_too_long'
  | 'image_error'
  | 'model_error'
  | 'api_error'
  | 'malformed_tool_use_exhausted'
  | 'aborted_streaming'
  | 'aborted_tools'
  | 'stop_hook_prevented'
  | 'hook_stopped'
  | 'tool_deferred'
  | 'max_turns'
  | 'background_requested'
  | 'completed'
  | 'budget_exhausted'
  | 'structured_output_retry_exhausted'
  | 'tool_deferred_unavailable'
  | 'turn_setup_failed';

/** Why the agent could not begin. */
export type StartupFailureReason =
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
  | 'managed_settings_not_delivered'
  | 'initialize_fields_not_delivered';

/** Which MCP server a tool belongs to. */
export interface McpServerProvenance {
  readonly name: string;
  readonly source: string;
}

/** A command the agent runs for text that begins with a slash. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  readonly aliases?: readonly string[];
  readonly builtin?: boolean;
}
