import type * as vocabulary from '@hexagent/ports';
import type { ApiUsage } from './api.ts';
import type { ClientUsage, OrOwn } from './client.ts';
import type { McpServerConfigForProcessTransport } from './mcp.ts';
import type { Official } from './mutable.ts';

export type {
  ApiKeySource,
  AssistantError as SDKAssistantMessageError,
  CliPermissionMode as PermissionMode,
  EffortLevel,
  ExitReason,
  FastModeDisabledReason,
  FastModeState,
  TerminalReason,
} from '@hexagent/ports';

/** Tokens and cost of one model: a running total of the session. */
export type ModelUsage = Official<vocabulary.ModelUsage>;

/** A command the agent runs for text that begins with a slash. */
export type SlashCommand = Official<vocabulary.SlashCommand>;

/** Where settings come from. */
export type SettingSource = 'user' | 'project' | 'local';

/** Where a configuration entry is kept. */
export type ConfigScope = 'local' | 'user' | 'project';

/** Tokens of a turn; what the API may leave out is filled in by the agent. */
export type NonNullableUsage = {
  [K in keyof Usage]: K extends 'fallback_credit' ? Usage[K] : NonNullable<Usage[K]>;
};

type Usage = OrOwn<ClientUsage, ApiUsage>;

/** Who is logged in, and how. */
export type AccountInfo = Official<vocabulary.AccountInfo>;

/** A subagent that can be called. */
export type AgentInfo = Official<vocabulary.AgentInfo>;

/** A model that can be chosen. */
export type ModelInfo = Official<vocabulary.ModelInfo, {}, Exclude<keyof vocabulary.ModelInfo, 'supportsThinkingOff'>>;

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

/** A server by name, or servers by name and configuration. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** A subagent. `prompt` is its system prompt; by `description` the model decides when to call it. */
export type AgentDefinition = Official<vocabulary.Subagent, { mcpServers: AgentMcpServerSpec[] }>;
