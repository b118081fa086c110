import type { SessionUsage } from './vocabulary/reports.ts';

/** The answer to `get_usage`: what the session cost, and what is left of the account's limits. */
export interface UsageAndLimits {
  readonly session: SessionUsage;
  readonly subscription_type: string | null;
  readonly rate_limits_available: boolean;
  readonly rate_limits: {
    readonly five_hour?: UsageWindow | null;
    readonly seven_day?: UsageWindow | null;
    readonly seven_day_oauth_apps?: UsageWindow | null;
    readonly seven_day_opus?: UsageWindow | null;
    readonly seven_day_sonnet?: UsageWindow | null;
    readonly model_scoped?: readonly (UsageWindow & { readonly display_name: string })[];
    readonly extra_usage?: {
      readonly is_enabled: boolean;
      readonly monthly_limit: number | null;
      readonly used_credits: number | null;
      readonly utilization: number | null;
      readonly currency?: string | null;
    } | null;
  } | null;
  /** What the usage went to; `null` with `skip_behaviors`, and without an account that has it. */
  readonly behaviors: { readonly day: UsageBehaviors; readonly week: UsageBehaviors } | null;
}

/** How full a limit is, in percent, and when it starts anew. */
export interface UsageWindow {
  readonly utilization: number | null;
  readonly resets_at: string | null;
}

/** What the usage of a span of time went to. */
export interface UsageBehaviors {
  readonly request_count: number;
  readonly session_count: number;
  readonly behaviors: readonly {
    readonly key:
      | 'cache_miss'
      | 'long_context'
      | 'subagent_heavy'
      | 'high_parallel'
      | 'cron'
      | 'max_effort'
      | 'workflow'
      | 'always_on_context'
      | 'large_tool_results';
    readonly pct: number;
    readonly count: number;
  }[];
  readonly recommendations?: readonly {
    readonly key: string;
    readonly pct: number;
    readonly title: string;
    readonly detail?: string;
  }[];
  readonly fix?: { readonly keys: readonly string[]; readonly messages: readonly string[] };
  readonly agents: readonly UsageShare[];
  readonly skills: readonly UsageShare[];
  readonly plugins: readonly UsageShare[];
  readonly mcp_servers: readonly UsageShare[];
}

interface UsageShare {
  readonly name: string;
  readonly pct: number;
}
