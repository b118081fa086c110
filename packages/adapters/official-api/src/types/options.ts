import type { Transport } from '@hexagent/ports';
import type {
  AgentDefinition,
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
import type { SessionStore, SessionStoreFlush } from './stored-sessions.ts';
import type { Settings } from './settings.ts';

/**
 * How to run a query. Every option of the official SDK has its type here, and works. Unknown keys are ignored, as
 * they always were.
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
  /** Omitted: no system prompt at all. The preset is the prompt of Claude Code itself. `snapshot`: whether a session keeps the prompt that it began with. */
  systemPrompt?:
    | string
    | string[]
    | { type: 'custom'; prompt: string | string[]; snapshot?: boolean }
    | { type: 'preset'; preset: 'claude_code'; append?: string; excludeDynamicSections?: boolean; snapshot?: boolean };
  /** Prompts are never taken for commands, such as `/cost`. */
  verbatimPrompts?: boolean;
  /** The agent's instructions in plan mode, instead of its own. */
  planModeInstructions?: string;
  /** The title of the session in lists. */
  title?: string;
};

type ModelOptions = {
  /** The model; its alias or its full name. */
  model?: string;
  /** Asked when `model` is overloaded; several are separated by commas. */
  fallbackModel?: string;
  /** How much the model thinks, and what is shown of it. */
  thinking?: ThinkingConfig;
  /** How much effort the model makes. */
  effort?: EffortLevel;
  /** The older form of `thinking`; 0 switches it off. */
  maxThinkingTokens?: number;
  /** Features of the API that have to be asked for. */
  betas?: SdkBeta[];
  /** Rounds of tool calls, after which the turn ends. */
  maxTurns?: number;
  /** Dollars, after which the turn ends. */
  maxBudgetUsd?: number;
  /** Tokens that the model may plan with. */
  taskBudget?: { total: number };
  /** Each turn ends in JSON of this schema, as `structured_output` of its result. */
  outputFormat?: OutputFormat;
};

type ToolOptions = {
  /** Which built-in tools exist. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' };
  /** Rules for calls that run without asking; does not restrict which tools exist. */
  allowedTools?: string[];
  /** Rules for calls that never run. */
  disallowedTools?: string[];
  /** The tool that takes the calls of a built-in tool, such as `mcp__server__tool`, by the name of the built-in tool. */
  toolAliases?: Record<string, string>;
  /** How single tools work. */
  toolConfig?: ToolConfig;
  /** Skills that run without asking: all there are, or those named here, and then the agent offers no others. */
  skills?: string[] | 'all';
  /** The agent that answers: one of `agents`, or of the settings. */
  agent?: string;
  /** Subagents, by name. */
  agents?: Record<string, AgentDefinition>;
  /** Subagents report what they are at, as `summary` of `task_progress` messages. */
  agentProgressSummaries?: boolean;
  /** What subagents write is yielded too. */
  forwardSubagentText?: boolean;
  /** Announces to the agent that single tasks can be stopped. */
  perTaskStopAffordance?: boolean;
  /** Plugins in folders. */
  plugins?: SdkPluginConfig[];
  /** How `plugins` travel: by default on the command line. */
  pluginDelivery?: 'argv' | 'initialize';
};

type PermissionOptions = {
  /** How the CLI decides about tools that no rule names. */
  permissionMode?: PermissionMode;
  /** Needed for the mode `bypassPermissions`. */
  allowDangerouslySkipPermissions?: boolean;
  /** Asked for each call that the CLI leaves open. */
  canUseTool?: CanUseTool;
  /** A tool of an MCP server that is asked instead of `canUseTool`, as `mcp__server__tool`. */
  permissionPromptToolName?: string;
  /** Whether the program is asked for permissions: with `none`, calls that need one are denied. */
  permissionPrompts?: 'host' | 'none';
  /** How commands are fenced in. Where that cannot be done the agent does not start, unless `failIfUnavailable` is false. */
  sandbox?: SandboxSettings;
  /** More folders that the agent may work in. */
  additionalDirectories?: string[];
  /** Called at events, by event. See `HookCallbackMatcher`. */
  hooks?: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  /** Also yields `hook_started` and its kind, for hooks of the settings too. */
  includeHookEvents?: boolean;
};

type McpOptions = {
  /** Servers by name: those that the CLI starts or dials, and servers in this process. */
  mcpServers?: Record<string, McpServerConfig>;
  /** How `mcpServers` travel. Omitted: in a private file, where no other user can read them. `argv` is the command line, which others can. */
  mcpServersDelivery?: 'argv' | 'initialize';
  /** Only the servers named here. */
  strictMcpConfig?: boolean;
  /** Asked when an MCP server asks something of the person. */
  onElicitation?: OnElicitation;
  /** Asked when the agent shows a dialog. */
  onUserDialog?: OnUserDialog;
  /** Needs `onUserDialog`. */
  supportedDialogKinds?: string[];
};

type SessionOptions = {
  /** Continues with the newest session of this folder. */
  continue?: boolean;
  /** Continues with the session of this id. */
  resume?: string;
  /** An id for the new session; a uuid. */
  sessionId?: string;
  /** With `resume`: leaves the old session as it is and continues in a copy. */
  forkSession?: boolean;
  /** With `resume`: drops what came after this message. */
  resumeSessionAt?: string;
  /** With `resumeSessionAt`: the message whose turn that drops. The CLI refuses to drop another turn. */
  resumeDropsTurn?: string;
  /** `false`: nothing is written to disk. */
  persistSession?: boolean;
  /** A second place for the transcript, in which `resume` and `continue` find it. `mirror_error` reports what it refuses. */
  sessionStore?: SessionStore;
  /** When `sessionStore` is given what the agent wrote: together before each result (the default), or each part at once. */
  sessionStoreFlush?: SessionStoreFlush;
  /** How long a call of the store may take before the agent is started. Default: a minute. */
  loadTimeoutMs?: number;
  /** Files can be taken back to how they were, by `rewindFiles()`. */
  enableFileCheckpointing?: boolean;
};

type StreamOptions = {
  /** Also yields `stream_event` messages as the model writes. */
  includePartialMessages?: boolean;
  /** Yields a `prompt_suggestion` after each turn: what might be asked next. */
  promptSuggestions?: boolean;
};

type SettingsOptions = {
  /** A file's path, JSON, or the settings themselves. */
  settings?: string | Settings;
  /** Settings that no settings file can override. They travel in `initialize`, unless `managedSettingsDelivery` is `argv`. */
  managedSettings?: Settings;
  /** Which settings files count: `[]` none, omitted all. */
  settingSources?: SettingSource[];
  /** The folder whose project settings count, instead of that of `cwd`. */
  projectConfigRoot?: string;
};

type ProcessOptions = {
  /** Aborting ends the agent; the loop throws an `AbortError` at once. */
  abortController?: AbortController;
  /** Where the agent works; the folder of the program when the query is made. */
  cwd?: string;
  /** The agent's whole environment; `process.env` when omitted. */
  env?: { [envVar: string]: string | undefined };
  /** The CLI to run. */
  pathToClaudeCodeExecutable?: string;
  /** What runs it when it is a JavaScript file; `node` when omitted. */
  executable?: 'bun' | 'deno' | 'node';
  /** Arguments for `executable`. */
  executableArgs?: string[];
  /** Flags that have no option here, without their dashes; `null` for a flag without a value. */
  extraArgs?: Record<string, string | null>;
  /** Receives what the agent writes to its error stream. */
  stderr?: (data: string) => void;
  /** The CLI writes a log into its own folder. */
  debug?: boolean;
  /** The CLI writes a log into this file. */
  debugFile?: string;
  /** Starts the CLI some other way: in a container, on another machine. What it returns is read, written and ended as a `ChildProcess` is. */
  spawnClaudeCodeProcess?: (options: SpawnOptions) => SpawnedProcess;
};

/** Options of `query()` that the official package does not have. */
export type OwnOptions = {
  /** How `settings` travel, unless they are a path: by default in a private file. The official package takes it too, untyped, and so the next two. */
  settingsDelivery?: 'argv' | 'initialize';
  /** How `managedSettings` travel. Here the default is `initialize`: every user of the machine can read a command line. */
  managedSettingsDelivery?: 'argv' | 'initialize';
  /** How `disallowedTools` travel: by default on the command line. */
  disallowedToolsDelivery?: 'argv' | 'initialize';
  /** Reaches the agent some other way than by starting a process here, for this query alone. */
  transport?: Transport;
  /** Throws a `TypeError` where otherwise a warning reports that `canUseTool` is not called. Default: the process is warned. */
  strict?: boolean;
  /** Stops background shells after the last result, or waits for them. Default: `stop` for a text without callbacks. */
  backgroundTasks?: 'stop' | 'wait';
};
