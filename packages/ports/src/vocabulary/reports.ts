/** Tokens and cost of one model, a running total of the session. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly thinkingTokens?: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly cacheCreationEphemeral5mInputTokens?: number;
  readonly cacheCreationEphemeral1hInputTokens?: number;
  readonly webSearchRequests: number;
  readonly costUSD: number;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly canonicalModel?: string;
  readonly provider?: string;
  readonly costBasis?: 'list' | 'managed' | 'unknown';
}

/** What fills the context window; comes with the answer to `/context`. */
export interface ContextUsage {
  readonly model: string;
  readonly total_tokens: number;
  readonly raw_max_tokens: number;
  readonly percentage: number;
  readonly over_limit?: { readonly tokens_over: number; readonly kind: 'hard_limit' | 'compaction_window' };
  readonly categories: readonly ContextUsageCategory[];
  readonly mcp_tools: readonly { readonly name: string; readonly server_name: string; readonly tokens: number }[];
  readonly memory_files: readonly { readonly path: string; readonly type: string; readonly tokens: number }[];
  readonly agents: readonly { readonly agent_type: string; readonly source: string; readonly tokens: number }[];
  readonly skills?: readonly {
    readonly name: string;
    readonly source: string;
    readonly plugin_name?: string;
    readonly tokens: number;
  }[];
}

/** One kind of content in the context window. */
export interface ContextUsageCategory {
  readonly name: string;
  readonly tokens: number;
  readonly kind: 'used' | 'free' | 'buffer' | 'deferred';
}

/** What a session has cost so far. */
export interface SessionUsage {
  readonly total_cost_usd: number;
  readonly total_api_duration_ms: number;
  readonly total_duration_ms: number;
  readonly total_lines_added: number;
  readonly total_lines_removed: number;
  readonly model_usage: Readonly<Record<string, ModelUsage>>;
}

/** What may be spent beyond a subscription's allowance. */
export interface ExtraUsage {
  readonly is_enabled: boolean;
  readonly monthly_limit: number | null;
  readonly used_credits: number | null;
  readonly utilization: number | null;
  readonly currency?: string | null;
}

/** Cost and limits, as far as the agent has them; comes with the answer to `/usage`. */
export interface UsageReport {
  readonly session: SessionUsage;
  readonly rate_limits: {
    readonly limits: readonly UsageLimit[] | null;
    readonly extra_usage?: ExtraUsage | null;
  } | null;
}

/** One limit of a subscription. */
export interface UsageLimit {
  readonly kind: string;
  readonly group: string;
  readonly percent: number;
  readonly resets_at: string | null;
  readonly scope?: {
    readonly model?: { readonly display_name: string } | null;
    readonly surface?: { readonly display_name: string } | null;
  } | null;
  readonly severity: string;
  readonly is_active: boolean;
}

/** How much of a subscription's allowance is left. */
export interface RateLimitInfo {
  readonly status: 'allowed' | 'allowed_warning' | 'rejected';
  readonly resetsAt?: number;
  readonly rateLimitType?:
    | 'five_hour'
    | 'seven_day'
    | 'seven_day_opus'
    | 'seven_day_sonnet'
    | 'seven_day_overage_included'
    | 'overage';
  readonly utilization?: number;
  readonly overageStatus?: 'allowed' | 'allowed_warning' | 'rejected';
  readonly overageResetsAt?: number;
  readonly overageDisabledReason?:
    | 'overage_not_provisioned'
    | 'org_level_disabled'
    | 'org_level_disabled_until'
    | 'out_of_credits'
    | 'seat_tier_level_disabled'
    | 'member_level_disabled'
    | 'seat_tier_zero_credit_limit'
    | 'group_zero_credit_limit'
    | 'member_zero_credit_limit'
    | 'org_service_level_disabled'
    | 'no_limits_configured'
    | 'fetch_error'
    | 'unknown';
  readonly isUsingOverage?: boolean;
  readonly overageInUse?: boolean;
  readonly overageEnabled?: boolean;
  readonly surpassedThreshold?: number;
  readonly limitScope?: 'service' | 'channel' | 'group_pool';
  readonly errorCode?: 'credits_required';
  readonly canUserPurchaseCredits?: boolean;
  readonly hasChargeableSavedPaymentMethod?: boolean;
}
