import type { HookRegistration } from './hooks.ts';
import type { McpManifest, McpServerSettings } from './mcp.ts';
import type { DialledServer } from './vocabulary/dialled-server.ts';
import type { Subagent } from './vocabulary/subagent.ts';
import type { CliPermissionMode, EffortLevel } from './vocabulary/values.ts';

/** How to start one agent. It is complete: a transport that runs the agent elsewhere and follows it applies every option. */
export interface Launch {
  /** Arguments in order. A file is written where the agent runs, readable by its owner only, and removed at the end. */
  readonly args: readonly LaunchArgument[];
  /** The agent's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the agent works; the transport's own working directory when absent. */
  readonly cwd?: string | undefined;
  /**
   * In place of `cwd`: the agent works in a folder that is made for it alone and removed with it. Its path begins with this,
   * and something that no other has follows. Folders above it are made where they are missing, for their owner only.
   */
  readonly ownFolder?: string | undefined;
  /** The fields of the `initialize` request; what is too long or too secret for `args` travels here. */
  readonly initialize: InitializeFields;
  /**
   * A config folder for this launch alone: made where the agent runs, readable by its owner only, named to the agent by
   * `CLAUDE_CONFIG_DIR`, and removed at the end. A transport that cannot make one must reject.
   */
  readonly configFolder?: ConfigFolder | undefined;
  /** The session id that `args` give to the agent, or resume, if they do. */
  readonly sessionId?: string | undefined;
  /**
   * What happens to processes that the agent started and that outlive it. Default `end`.
   * - `end`: they are ended with it.
   * - `wait`: when it exits after its input was ended, the exit is reported once they have ended too.
   *   Every other end of the agent ends them.
   * - `leave`: what a tool that had finished put into the background stays. What an end before time cut off, such as a
   *   running tool, is ended, except what that tool has detached: in a session without a parent, it is like the former.
   */
  readonly leftovers?: 'end' | 'wait' | 'leave' | undefined;
}

export type LaunchArgument = string | LaunchFile | LaunchFolder;

/**
 * The folder that the agent uses instead of its own config folder. The sign-in, the settings, and the person's instructions and skills
 * are copied from that.
 */
export interface ConfigFolder {
  readonly files: readonly ConfigFile[];
}

export interface ConfigFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  /** Without their endings. May be read once for each launch. */
  readonly lines: Iterable<string>;
}

/** An argument whose value is the path of a private file with this content. */
export interface LaunchFile {
  readonly name: string;
  readonly content: string;
}

/** An argument whose value is the path of a private folder with these files. */
export interface LaunchFolder {
  readonly name: string;
  readonly files: readonly ConfigFile[];
}

/** The fields of the `initialize` request, in the spelling of the wire. */
export interface InitializeFields {
  readonly hooks?: HookRegistration | undefined;
  /** In-process servers, by name. */
  readonly sdkMcpServers?: readonly string[] | undefined;
  /** What the agent would ask of each in-process server first. */
  readonly sdkMcpServerManifests?: Readonly<Record<string, McpManifest>> | undefined;
  readonly sdkMcpServerConfigs?: Readonly<Record<string, McpServerSettings>> | undefined;
  readonly mcpServers?: Readonly<Record<string, DialledServer>> | undefined;
  readonly plugins?: readonly Plugin[] | undefined;
  /** Read with the flag `--initialize-fields=settings`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Read with the flag `--initialize-fields=disallowedTools`. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** Read with the flag `--managed-settings-in-initialize`. */
  readonly managedSettings?: Readonly<Record<string, unknown>> | undefined;
  readonly agents?: Readonly<Record<string, unknown>> | undefined;
  readonly jsonSchema?: Readonly<Record<string, unknown>> | undefined;
  /** `['']` for an empty prompt; left out, that of Claude Code. */
  readonly systemPrompt?: readonly string[] | undefined;
  readonly appendSystemPrompt?: string | undefined;
  readonly systemPromptSnapshot?: unknown;
  readonly excludeDynamicSections?: boolean | undefined;
  readonly planModeInstructions?: string | undefined;
  readonly toolAliases?: Readonly<Record<string, string>> | undefined;
  readonly title?: string | undefined;
  readonly skills?: readonly string[] | undefined;
  readonly promptSuggestions?: boolean | undefined;
  readonly agentProgressSummaries?: boolean | undefined;
  readonly forwardSubagentText?: boolean | undefined;
  readonly supportedDialogKinds?: readonly string[] | undefined;
  readonly perTaskStopAffordance?: boolean | undefined;
  readonly [field: string]: unknown;
}

/** What a program may ask of the agent at launch. Names follow the official SDK, so that one vocabulary serves both faces. */
export interface LaunchOptions {
  readonly cwd?: string | undefined;
  /** In place of `cwd`; see `Launch.ownFolder`. */
  readonly ownFolder?: string | undefined;
  readonly leftovers?: Launch['leftovers'];
  /** The agent's whole environment, already decided by the caller. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly model?: string | undefined;
  readonly fallbackModel?: string | undefined;
  /** Omitted: the Claude Code prompt. A string or a list replaces it; a preset may be extended. */
  readonly systemPrompt?: SystemPrompt | undefined;
  /** Whether a session keeps the prompt that it began with. */
  readonly systemPromptSnapshot?: boolean | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly disallowedTools?: readonly string[] | undefined;
  /** How `disallowedTools` travel. Default `argv`; rules that do not fit there are a part of the settings. */
  readonly disallowedToolsDelivery?: Delivery | undefined;
  /** Rules for calls about which the agent asks in every mode. */
  readonly askedTools?: readonly string[] | undefined;
  readonly tools?: readonly string[] | { readonly type: 'preset'; readonly preset: 'claude_code' } | undefined;
  /** By the name of a built-in tool: the tool that takes its calls. */
  readonly toolAliases?: Readonly<Record<string, string>> | undefined;
  readonly toolConfig?: ToolConfig | undefined;
  /** Skills that run without asking. A list also names all that the model gets to see. */
  readonly skills?: 'all' | readonly string[] | undefined;
  readonly permissionMode?: CliPermissionMode | undefined;
  readonly allowDangerouslySkipPermissions?: boolean | undefined;
  /** The program answers permission requests itself. */
  readonly asksPermission?: boolean | undefined;
  /** The tool of an MCP server that answers permission requests. */
  readonly permissionPromptToolName?: string | undefined;
  /** Who answers permission requests: `none` denies what would be asked. */
  readonly permissionPrompts?: 'host' | 'none' | undefined;
  readonly planModeInstructions?: string | undefined;
  /** Servers the CLI dials. They may hold secrets, so they travel in a private file. */
  readonly mcpServers?: Readonly<Record<string, DialledServer>> | undefined;
  /** Another way for `mcpServers`: a command line, which others can read, or `initialize`, which needs no file. */
  readonly mcpServersDelivery?: Delivery | undefined;
  readonly strictMcpConfig?: boolean | undefined;
  readonly agents?: Readonly<Record<string, Subagent>> | undefined;
  readonly agent?: string | undefined;
  readonly agentProgressSummaries?: boolean | undefined;
  readonly forwardSubagentText?: boolean | undefined;
  /** Announces to the agent that single tasks can be stopped. */
  readonly perTaskStopAffordance?: boolean | undefined;
  readonly plugins?: readonly Plugin[] | undefined;
  /** Plugins that are written for this launch alone, beside `plugins`. */
  readonly privatePlugins?: readonly LaunchFolder[] | undefined;
  /** How `plugins` travel. Default `argv`. */
  readonly pluginDelivery?: Delivery | undefined;
  readonly continue?: boolean | undefined;
  readonly resume?: string | undefined;
  readonly resumeSessionAt?: string | undefined;
  /** Beside `resumeSessionAt`: the uuid of the message whose turn alone may be dropped by it. */
  readonly resumeDropsTurn?: string | undefined;
  readonly forkSession?: boolean | undefined;
  readonly sessionId?: string | undefined;
  readonly persistSession?: boolean | undefined;
  /** The agent hands over what it writes to its transcript, as `transcript_mirror`. */
  readonly sessionMirror?: boolean | undefined;
  /** See {@link Launch.configFolder}. */
  readonly configFolder?: ConfigFolder | undefined;
  /** Files are kept as they were, so that `rewind_files` can restore them. */
  readonly enableFileCheckpointing?: boolean | undefined;
  readonly includePartialMessages?: boolean | undefined;
  readonly includeHookEvents?: boolean | undefined;
  readonly promptSuggestions?: boolean | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** Tokens that the model may plan with. */
  readonly taskBudget?: { readonly total: number } | undefined;
  readonly thinking?: Thinking | undefined;
  /** What is shown of the thinking. */
  readonly thinkingDisplay?: 'summarized' | 'omitted' | 'highlights' | undefined;
  readonly effort?: EffortLevel | undefined;
  /** Features of the API that have to be asked for. */
  readonly betas?: readonly string[] | undefined;
  /** The answer of each turn is JSON of this schema. */
  readonly outputFormat?: OutputFormat | undefined;
  /** Which settings files count; `[]` means no file, omitted for the CLI's default (all). */
  readonly settingSources?: readonly ('user' | 'project' | 'local')[] | undefined;
  /** A settings file's path, or settings; objects travel in a private file. */
  readonly settings?: string | Readonly<Record<string, unknown>> | undefined;
  /** How `settings` travel, unless they are a path. Omitted: in a private file. `argv` means the same. */
  readonly settingsDelivery?: Delivery | undefined;
  /** Settings that rank above all others. */
  readonly managedSettings?: Readonly<Record<string, unknown>> | undefined;
  /** How `managedSettings` travel. Default `initialize`; `argv` is the command line, which others can read. */
  readonly managedSettingsDelivery?: Delivery | undefined;
  /** The absolute path of the folder whose project settings count, instead of that where the agent works. */
  readonly projectConfigRoot?: string | undefined;
  /** Joined with what the settings have for it. */
  readonly sandbox?: Readonly<Record<string, unknown>> | undefined;
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly supportedDialogKinds?: readonly string[] | undefined;
  readonly title?: string | undefined;
  /** The CLI writes a log into its own folder. */
  readonly debug?: boolean | undefined;
  /** The CLI writes a log into this file. */
  readonly debugFile?: string | undefined;
  /** Flags without an option of their own here, without their dashes; `null` for a flag without a value. */
  readonly extraArgs?: Readonly<Record<string, string | null | undefined>> | undefined;
}

export type SystemPrompt =
  | string
  | readonly string[]
  | {
      readonly type: 'preset';
      readonly preset: 'claude_code';
      readonly append?: string | undefined;
      readonly excludeDynamicSections?: boolean | undefined;
    };

export type Thinking =
  | { readonly type: 'adaptive' }
  | { readonly type: 'enabled'; readonly budgetTokens?: number | undefined }
  | { readonly type: 'disabled' };

export interface OutputFormat {
  readonly type: 'json_schema';
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ToolConfig {
  readonly askUserQuestion?: { readonly previewFormat?: 'markdown' | 'html' | undefined } | undefined;
}

/** A plugin in a folder. */
export interface Plugin {
  readonly type: 'local';
  readonly path: string;
  /** Its MCP servers are not started. */
  readonly skipMcpDiscovery?: boolean | undefined;
}

/** How something long or secret is sent that the CLI accepts on its command line or in `initialize`. */
export type Delivery = 'argv' | 'initialize';

/**
 * Turns options into a launch. Pure: the same options give the same launch.
 * @throws {TypeError} for a value or a combination the agent would refuse, naming both.
 */
export type Launcher = (options: LaunchOptions) => Launch;
