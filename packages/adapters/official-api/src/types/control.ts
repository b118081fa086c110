import type * as vocabulary from '@hexagent/ports';
import type {
  ContextWindow,
  InterruptReceipt,
  McpResource,
  PermissionRuleEntry,
  PermissionRulesState,
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

/** What fills the context window, in all detail the agent has. */
export type SDKControlGetContextUsageResponse = Official<
  ContextWindow,
  {},
  Exclude<keyof ContextWindow, 'autocompactSource'>
>;

/** What fills the context window. */
export type SDKContextUsage = Official<vocabulary.ContextUsage>;

export type SDKContextUsageCategory = Official<vocabulary.ContextUsageCategory>;

/** Cost and limits, as far as the agent has them. */
export type SDKUsageReport = Official<vocabulary.UsageReport>;

/** The agent's answer to `list_permission_rules`. */
export type SDKControlListPermissionRulesResponse = { state: SDKControlPermissionRulesState };

export type SDKControlPermissionRulesState = Official<PermissionRulesState>;

/** A rule that the agent follows, and where it has it from. */
export type SDKPermissionRuleEntry = Official<PermissionRuleEntry>;

/** A rule as text, in three parts. */
export type SDKPermissionRuleDescription = NonNullable<SDKPermissionRuleEntry['description']>;

export type SDKPermissionWorkspaceDirectory = SDKControlPermissionRulesState['workspaceDirectories'][number];
