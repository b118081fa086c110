import type { Transport } from '@hexagent/ports';
import type { AgentDefinition } from './agents.ts';
import type {
  EffortLevel,
  OutputFormat,
  PermissionMode,
  SdkBeta,
  SdkPluginConfig,
  SettingSource,
  ThinkingConfig,
  ToolConfig,
} from './common.ts';
import type { HookCallbackMatcher, HookEvent } from './hooks.ts';
import type { OnElicitation, OnUserDialog } from './interaction.ts';
import type { McpServerConfig } from './mcp.ts';
import type { CanUseTool } from './permissions.ts';
import type { SpawnedProcess, SpawnOptions } from './process.ts';
import type { SandboxSettings } from './sandbox.ts';
import type { SessionStore, SessionStoreFlush } from './session-store.ts';
import type { Settings } from './settings.ts';

/**
 * How to run a query. Every option of the official SDK has its type here; one that does not work yet is refused by
 * `query()` with an `SdkError`, `NOT_SUPPORTED_YET`, that names it. Keys nobody knows are ignored, as they always were.
 */
export type Options = PromptOptions &
  ModelOptions &
  ToolOptions &
  PermissionOptions &
  McpOptions &
  SessionOptions &
  StreamOptions &
  SettingsOptions &
  ProcessOptions;

type PromptOptions = {
  /** Omitted: no system prompt at all. The preset is the prompt of Claude Code itself. */
  systemPrompt?:
    | string
    | string[]
    | { type: 'custom'; prompt: string | string[]; snapshot?: boolean }
    | { type: 'preset'; preset: 'claude_code'; append?: string; excludeDynamicSections?: boolean; snapshot?: boolean };
  verbatimPrompts?: boolean;
  planModeInstructions?: string;
  title?: string;
};

type ModelOptions = {
  model?: string;
  /** Asked when `model` is overloaded; several are separated by commas. */
  fallbackModel?: string;
  thinking?: ThinkingConfig;
  effort?: EffortLevel;
  /** The older way to say `thinking`; 0 switches it off. */
  maxThinkingTokens?: number;
  betas?: SdkBeta[];
  /** Rounds of tool calls, after which the turn ends. */
  maxTurns?: number;
  maxBudgetUsd?: number;
  taskBudget?: { total: number };
  outputFormat?: OutputFormat;
};

type ToolOptions = {
  /** Which built-in tools exist. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' };
  /** Rules for calls that run without asking; does not restrict which tools exist. */
  allowedTools?: string[];
  /** Rules for calls that never run. */
  disallowedTools?: string[];
  toolAliases?: Record<string, string>;
  toolConfig?: ToolConfig;
  skills?: string[] | 'all';
  agent?: string;
  agents?: Record<string, AgentDefinition>;
  agentProgressSummaries?: boolean;
  forwardSubagentText?: boolean;
  perTaskStopAffordance?: boolean;
  plugins?: SdkPluginConfig[];
  pluginDelivery?: 'argv' | 'initialize';
};

type PermissionOptions = {
  permissionMode?: PermissionMode;
  /** Needed for the mode `bypassPermissions`. */
  allowDangerouslySkipPermissions?: boolean;
  canUseTool?: CanUseTool;
  permissionPromptToolName?: string;
  permissionPrompts?: 'host' | 'none';
  sandbox?: SandboxSettings;
  additionalDirectories?: string[];
  hooks?: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  includeHookEvents?: boolean;
};

type McpOptions = {
  /** By name: servers the CLI starts or dials, and servers in this process. */
  mcpServers?: Record<string, McpServerConfig>;
  mcpServersDelivery?: 'argv' | 'initialize';
  /** Only the servers named here. */
  strictMcpConfig?: boolean;
  onElicitation?: OnElicitation;
  onUserDialog?: OnUserDialog;
  /** Needs `onUserDialog`. */
  supportedDialogKinds?: string[];
};

type SessionOptions = {
  /** Goes on with the newest session of this folder. */
  continue?: boolean;
  /** Goes on with the session of this id. */
  resume?: string;
  /** An id for the new session; a uuid. */
  sessionId?: string;
  /** With `resume`: leaves the old session as it is and goes on in a copy. */
  forkSession?: boolean;
  /** With `resume`: forgets what came after this message. */
  resumeSessionAt?: string;
  resumeDropsTurn?: string;
  /** `false`: nothing is written to disk. */
  persistSession?: boolean;
  sessionStore?: SessionStore;
  sessionStoreFlush?: SessionStoreFlush;
  loadTimeoutMs?: number;
  enableFileCheckpointing?: boolean;
};

type StreamOptions = {
  /** Also yields `stream_event` messages as the model writes. */
  includePartialMessages?: boolean;
  promptSuggestions?: boolean;
};

type SettingsOptions = {
  /** A file's path, JSON, or the settings themselves. */
  settings?: string | Settings;
  managedSettings?: Settings;
  /** Which settings files count: `[]` none, omitted all. */
  settingSources?: SettingSource[];
  projectConfigRoot?: string;
};

type ProcessOptions = {
  /** Aborting ends the agent; the loop throws an `AbortError` at once. */
  abortController?: AbortController;
  cwd?: string;
  /** The agent's whole environment; `process.env` when omitted. */
  env?: { [envVar: string]: string | undefined };
  /** The CLI to run. */
  pathToClaudeCodeExecutable?: string;
  /** What runs it when it is a JavaScript file; `node` when omitted. */
  executable?: 'bun' | 'deno' | 'node';
  executableArgs?: string[];
  /** Flags this SDK does not know, without their dashes; `null` for a flag without a value. */
  extraArgs?: Record<string, string | null>;
  /** Told what the agent writes to its error stream. */
  stderr?: (data: string) => void;
  debug?: boolean;
  debugFile?: string;
  spawnClaudeCodeProcess?: (options: SpawnOptions) => SpawnedProcess;
  /** Not in the official SDK: reaches the agent some other way than by starting a process here. */
  transport?: Transport;
};
