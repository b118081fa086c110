import type {
  AccountInfo,
  AgentInfo,
  FastModeDisabledReason,
  FastModeState,
  ModelInfo,
  SlashCommand,
} from './common.ts';
import type { McpServerStatus } from './mcp.ts';
import type { ExtraUsage, SessionUsage } from './reports.ts';

/** The agent's introduction of itself. */
export type SDKControlInitializeResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  output_style: string;
  available_output_styles: string[];
  models: ModelInfo[];
  account: AccountInfo;
  hooks_applied?: boolean;
  hook_on_failure_supported?: boolean;
  plugins_applied?: boolean;
  mcp_servers_applied?: boolean;
  sdk_mcp_manifests_parked?: Record<
    string,
    'parked' | 'already_connected' | 'protocol_version_mismatch' | 'malformed' | 'not_honoured'
  >;
  claude_code_version?: string;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
};

/** A receipt. What was really stopped is told by the result that follows. */
export type SDKControlInterruptResponse = { still_queued: string[]; cancelled?: string[] };

export type SDKControlReadFileResponse = {
  contents: string;
  absPath: string;
  truncated?: boolean;
  encoding?: 'base64';
  lossy?: boolean;
};

export type SDKControlReloadPluginsResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  plugins: { name: string; path: string; source?: string; version?: string }[];
  mcpServers: McpServerStatus[];
  error_count: number;
  held?: boolean;
  cache_impact?: {
    mcp_servers_added: string[];
    mcp_servers_removed: string[];
    lsp_tool_change: ('adds' | 'may-add' | 'removes' | 'may-remove') | null;
  };
};

export type SDKControlReloadSkillsResponse = { skills: SlashCommand[] };

export type SDKControlReloadOutputStylesResponse = { available_output_styles: string[] };

export type SDKControlMcpReadResourceResponse = {
  contents: { uri: string; mimeType?: string; text?: string; blob?: string; _meta?: Record<string, unknown> }[];
};

/** What going back to a message does, or would do, to files. */
export type RewindFilesResult = {
  canRewind: boolean;
  error?: string;
  filesChanged?: string[];
  insertions?: number;
  deletions?: number;
  skippedLinks?: number;
};

type Share = { name: string; pct: number };

type Behaviours = {
  request_count: number;
  session_count: number;
  behaviors: {
    key:
      | 'cache_miss'
      | 'long_context'
      | 'subagent_heavy'
      | 'high_parallel'
      | 'cron'
      | 'max_effort'
      | 'workflow'
      | 'always_on_context'
      | 'large_tool_results';
    pct: number;
    count: number;
  }[];
  recommendations?: { key: string; pct: number; title: string; detail?: string }[];
  fix?: { keys: string[]; messages: string[] };
  agents: Share[];
  skills: Share[];
  plugins: Share[];
  mcp_servers: Share[];
};

type Window = { utilization: number | null; resets_at: string | null } | null;

/** Cost, limits, and what they were used for. */
export type SDKControlGetUsageResponse = {
  session: SessionUsage;
  subscription_type: string | null;
  rate_limits_available: boolean;
  rate_limits: {
    five_hour?: Window;
    seven_day?: Window;
    seven_day_oauth_apps?: Window;
    seven_day_opus?: Window;
    seven_day_sonnet?: Window;
    model_scoped?: { display_name: string; utilization: number | null; resets_at: string | null }[];
    extra_usage?: ExtraUsage | null;
  } | null;
  behaviors: { day: Behaviours; week: Behaviours } | null;
};
