import type { EffortLevel, FastModeDisabledReason, FastModeState, SlashCommand } from './vocabulary/values.ts';

/*
 * How the agent introduces itself: its answer to `initialize`, and the lists that other answers repeat.
 */

/** The agent's answer to `initialize`. Everything may be missing, since older agents answer with less. */
export interface InitializeResult {
  readonly commands?: readonly SlashCommand[];
  readonly agents?: readonly AgentInfo[];
  readonly models?: readonly ModelInfo[];
  readonly account?: AccountInfo;
  readonly output_style?: string;
  readonly available_output_styles?: readonly string[];
  readonly claude_code_version?: string;
  /** Abilities of this version of the agent, by name. */
  readonly capabilities?: readonly string[];
  readonly current_permission_mode?: string;
  readonly session_state?: string;
  /** The process id of the agent, on its own machine. */
  readonly pid?: number;
  /** Whether the hooks of this `initialize` are in force; missing when it named none. */
  readonly hooks_applied?: boolean;
  /** Whether the agent follows `onFailure` of hooks. */
  readonly hook_on_failure_supported?: boolean;
  readonly plugins_applied?: boolean;
  readonly mcp_servers_applied?: boolean;
  readonly settings_applied?: boolean;
  readonly managed_settings_applied?: boolean;
  readonly disallowed_tools_applied?: boolean;
  /** Whether the manifest of each in-process server was accepted. */
  readonly sdk_mcp_manifests_parked?: Readonly<Record<string, SdkMcpManifestState>>;
  readonly fast_mode_state?: FastModeState;
  readonly fast_mode_disabled_reason?: FastModeDisabledReason;
  readonly [field: string]: unknown;
}

/** Whether the agent took the manifest of an in-process server, and why not. */
export type SdkMcpManifestState =
  | 'parked'
  | 'already_connected'
  | 'protocol_version_mismatch'
  | 'malformed'
  | 'not_honoured';

/** A subagent that can be called. */
export interface AgentInfo {
  readonly name: string;
  readonly description: string;
  readonly model?: string;
}

/** A model that can be chosen. */
export interface ModelInfo {
  /** What `set_model` takes. */
  readonly value: string;
  readonly resolvedModel?: string;
  readonly displayName: string;
  readonly description: string;
  readonly supportsEffort?: boolean;
  readonly supportedEffortLevels?: readonly EffortLevel[];
  readonly supportsAdaptiveThinking?: boolean;
  readonly supportsFastMode?: boolean;
  readonly supportsAutoMode?: boolean;
  readonly supportsThinkingOff?: boolean;
}

/** Who is logged in, and how. */
export interface AccountInfo {
  readonly email?: string;
  readonly organization?: string;
  readonly subscriptionType?: string;
  readonly tokenSource?: string;
  readonly apiKeySource?: string;
  readonly apiProvider?:
    | 'firstParty'
    | 'bedrock'
    | 'vertex'
    | 'foundry'
    | 'anthropicAws'
    | 'anthropicGoogleCloud'
    | 'mantle'
    | 'gateway';
}
