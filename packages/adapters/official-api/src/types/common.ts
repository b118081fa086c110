import type { ApiUsage } from './api.ts';
import type { ClientUsage, OrOwn } from './client.ts';

/** How the CLI decides about tools that no rule names. */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** How much the model thinks. */
export type EffortLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** Where settings come from. */
export type SettingSource = 'user' | 'project' | 'local';

/** Where a configuration entry is kept. */
export type ConfigScope = 'local' | 'user' | 'project';

/** Where the credentials came from. */
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

export type FastModeState = 'off' | 'cooldown' | 'on';

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

/** What went wrong when an answer is not the model's own. */
export type SDKAssistantMessageError =
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

/** Tokens of a turn; what the API may leave out is filled in by the agent. */
export type NonNullableUsage = {
  [K in keyof Usage]: K extends 'fallback_credit' ? Usage[K] : NonNullable<Usage[K]>;
};

type Usage = OrOwn<ClientUsage, ApiUsage>;

/** Tokens and cost of one model: a running total of the session. */
export type ModelUsage = {
  inputTokens: number;
  outputTokens: number;
  thinkingTokens?: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  cacheCreationEphemeral5mInputTokens?: number;
  cacheCreationEphemeral1hInputTokens?: number;
  webSearchRequests: number;
  costUSD: number;
  contextWindow: number;
  maxOutputTokens: number;
  canonicalModel?: string;
  provider?: string;
  costBasis?: 'list' | 'managed' | 'unknown';
};

/** Who is logged in, and how. */
export type AccountInfo = {
  email?: string;
  organization?: string;
  subscriptionType?: string;
  tokenSource?: string;
  apiKeySource?: string;
  apiProvider?:
    | 'firstParty'
    | 'bedrock'
    | 'vertex'
    | 'foundry'
    | 'anthropicAws'
    | 'anthropicGoogleCloud'
    | 'mantle'
    | 'gateway';
};

/** A subagent that can be called. */
export type AgentInfo = { name: string; description: string; model?: string };

/** A model that can be chosen. */
export type ModelInfo = {
  /** What `setModel()` takes. */
  value: string;
  resolvedModel?: string;
  displayName: string;
  description: string;
  supportsEffort?: boolean;
  supportedEffortLevels?: ('low' | 'medium' | 'high' | 'xhigh' | 'max')[];
  supportsAdaptiveThinking?: boolean;
  supportsFastMode?: boolean;
  supportsAutoMode?: boolean;
};

/** A command the agent runs for text that begins with a slash. */
export type SlashCommand = {
  /** Without the slash. */
  name: string;
  description: string;
  argumentHint: string;
  aliases?: string[];
  builtin?: boolean;
};

/** The model decides how much it thinks. */
export type ThinkingAdaptive = { type: 'adaptive'; display?: 'summarized' | 'omitted' };

/** The model thinks, up to a number of tokens if one is given. */
export type ThinkingEnabled = { type: 'enabled'; budgetTokens?: number; display?: 'summarized' | 'omitted' };

export type ThinkingDisabled = { type: 'disabled' };

export type ThinkingConfig = ThinkingAdaptive | ThinkingEnabled | ThinkingDisabled;

/** Features of the API that have to be asked for. */
export type SdkBeta = 'context-1m-2025-08-07';

/** A plugin in a folder. */
export type SdkPluginConfig = { type: 'local'; path: string; skipMcpDiscovery?: boolean };

export type OutputFormatType = 'json_schema';

export type BaseOutputFormat = { type: OutputFormatType };

/** The last answer must be JSON of this schema. */
export type JsonSchemaOutputFormat = { type: 'json_schema'; schema: Record<string, unknown> };

export type OutputFormat = JsonSchemaOutputFormat;

export type ToolConfig = { askUserQuestion?: { previewFormat?: 'markdown' | 'html' } };
