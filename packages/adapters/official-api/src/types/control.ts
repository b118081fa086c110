import type {
  InterruptReceipt,
  McpResource,
  PluginsReload,
  ReadFileAnswer,
  RewindReport,
  SdkMcpManifestState,
  UsageAndLimits,
} from '@hexagent/ports';
import type {
  AccountInfo,
  AgentInfo,
  FastModeDisabledReason,
  FastModeState,
  ModelInfo,
  SlashCommand,
} from './common.ts';
import type { McpServerStatus } from './mcp.ts';
import type { Official } from './mutable.ts';

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
  sdk_mcp_manifests_parked?: Record<string, SdkMcpManifestState>;
  claude_code_version?: string;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
};

/** A receipt. What was really stopped is proven by the result that follows. */
export type SDKControlInterruptResponse = Official<InterruptReceipt>;

export type SDKControlReadFileResponse = Official<ReadFileAnswer, {}, Exclude<keyof ReadFileAnswer, 'requested_path'>>;

export type SDKControlReloadPluginsResponse = Official<PluginsReload, { mcpServers: McpServerStatus[] }>;

export type SDKControlReloadSkillsResponse = { skills: SlashCommand[] };

export type SDKControlReloadOutputStylesResponse = { available_output_styles: string[] };

export type SDKControlMcpReadResourceResponse = Official<McpResource>;

/** What going back to a message does, or would do, to files. */
export type RewindFilesResult = Official<RewindReport>;

/** Cost, limits, and what they were used for. */
export type SDKControlGetUsageResponse = Official<UsageAndLimits>;
