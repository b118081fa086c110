import type { ControlAnswer, ControlArguments, ControlFields, ControlSubtype, RequestOptions } from '@hexagent/ports';

/** The answer to a request, as the agent sends it. */
type Of<Subtype extends ControlSubtype> = ControlAnswer<Subtype>;

/**
 * Requests to the agent beside the conversation. Each method is one request of the wire, and resolves with what the agent answers, in the
 * agent's spelling. A method takes `signal` and `timeoutMs` with its options; without them it has no deadline.
 *
 * Each rejects with an `SdkError`: `REQUEST_UNSUPPORTED` when this version of the CLI does not have it, `REQUEST_FAILED` when the agent refuses
 * it, `REQUEST_TIMEOUT`, `REQUEST_STALLED` while too much is unread, `CONVERSATION_CLOSED` after the end.
 */
export interface SessionControls {
  /** The models that can be chosen. */
  models(options?: RequestOptions): Promise<Of<'list_models'>['models']>;
  /** The slash commands and skills that the agent had when it introduced itself. */
  commands(): Promise<NonNullable<Of<'initialize'>['commands']>>;
  /** The subagents that the agent had when it introduced itself. */
  subagents(): Promise<NonNullable<Of<'initialize'>['agents']>>;
  /** Who is logged in, and how. */
  accountInfo(): Promise<NonNullable<Of<'initialize'>['account']>>;
  /** The version of the CLI, and when it was built. */
  cliVersion(options?: RequestOptions): Promise<Of<'get_binary_version'>>;
  /** The settings that are in force, where each comes from, and what could not be read of them. */
  settings(options?: RequestOptions): Promise<Of<'get_settings'>>;
  /** The permission rules that the CLI itself follows, those of settings files among them. Those of the program are in `permissions.rules`. */
  permissionRules(options?: RequestOptions): Promise<Of<'list_permission_rules'>['state']>;
  /** The hooks of settings files. Those of this program are not among them. */
  settingsHooks(options?: RequestOptions): Promise<Of<'get_hooks_listing'>>;
  /** What fills the context window, in tokens. With the detail `full` also by tool, file and skill. */
  contextUsage(options?: ContextUsageOptions): Promise<Of<'get_context_usage'>>;
  /** What the session cost, and what is left of the account's limits. */
  usageAndLimits(options?: UsageOptions): Promise<Of<'get_usage'>>;
  /** What the session cost, as a text for people. */
  costText(options?: RequestOptions): Promise<string>;

  /** Changes the model from the next request to a model on, with `null` to the default. */
  setModel(model: string | null, options?: RequestOptions): Promise<void>;
  /** Changes the CLI's own mode. `bypassPermissions` is refused unless the session was opened with `allowBypass`. */
  setPermissionMode(mode: ControlFields<'set_permission_mode'>['mode'], options?: RequestOptions): Promise<void>;
  /** How many tokens the model may think from now on; `null` for no limit of the program. */
  setMaxThinkingTokens(tokens: number | null, options?: ThinkingOptions): Promise<void>;
  /** Settings for the rest of this session, in the form of a settings file; `null` removes one. All or nothing is applied. */
  applySettings(settings: Readonly<Record<string, unknown>>, options?: RequestOptions): Promise<void>;
  /** Writes to a settings file: that of the person (`user`), or the local one of the folder. The agent allows it for few keys. */
  saveSettings(
    file: 'user' | 'local',
    settings: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<void>;
  /** Whether a person reads the session; `null` when the program cannot determine that. */
  setHasSubscribers(hasSubscribers: boolean | null, options?: RequestOptions): Promise<void>;

  /** Stops a background shell or a delegated task. */
  stopTask(taskId: string, options?: RequestOptions): Promise<void>;
  /** The output of a background shell. */
  taskOutput(taskId: string, options?: RequestOptions): Promise<Of<'get_task_output'>>;
  /**
   * Moves running tools to the background, or only the one with this id. Resolves with whether it was moved; without an id always with
   * `true`.
   */
  moveToBackground(toolUseId?: string, options?: RequestOptions): Promise<boolean>;

  /** A file of the agent's machine, if the agent may read it. */
  readFile(path: string, options?: ReadFileOptions): Promise<Of<'read_file'>>;
  /** Files of the working directory whose names match the beginning of one. */
  suggestFiles(query: string, options?: RequestOptions): Promise<Of<'file_suggestions'>>;
  /** Lets the agent count a file as read that had this time of change, in milliseconds: it may edit it without reading it first. */
  markAsRead(path: string, mtimeMs: number, options?: RequestOptions): Promise<void>;
  /** Makes a folder inside the working directory the root of a repository. Resolves with the folder as the agent names it. */
  registerRepoRoot(directory: string, options?: RepoRootOptions): Promise<string>;

  /** Reads the plugins again. Resolves with what the agent has from then on. */
  reloadPlugins(options?: ReloadPluginsOptions): Promise<Of<'reload_plugins'>>;
  /** Reads the skills again. Resolves with those that there are. */
  reloadSkills(options?: RequestOptions): Promise<Of<'reload_skills'>['skills']>;
  /** Reads the output styles again. Resolves with their names. */
  reloadOutputStyles(options?: RequestOptions): Promise<readonly string[]>;

  /** Gives the session a title. */
  rename(title: string, options?: RequestOptions): Promise<void>;
  /** Asks the model for a title; `null` when it gave none. */
  generateTitle(description: string, options?: TitleOptions): Promise<string | null>;
  /** Asks the model something that does not become part of the conversation. */
  sideQuestion(question: string, options?: RequestOptions): Promise<Of<'side_question'>>;

  /**
   * A request of the wire without a method of its own, in its own spelling; fields and answer are typed by the subtype. Those with a method take
   * it too.
   */
  request<Subtype extends ControlSubtype>(subtype: Subtype, ...rest: ControlArguments<Subtype>): Promise<Of<Subtype>>;
  /** A request that these types do not have, such as one of a newer agent. Nothing about it is checked. */
  requestUntyped(
    subtype: string,
    fields?: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** What `contextUsage()` takes. */
export interface ContextUsageOptions extends RequestOptions {
  /** Default: the agent's, which is `summary`. */
  readonly detail?: 'summary' | 'full' | undefined;
}

/** What `usageAndLimits()` takes. */
export interface UsageOptions extends RequestOptions {
  /** Leaves out what the agent learns from many sessions of this machine, which takes it long to read. */
  readonly skipBehaviors?: boolean | undefined;
}

/** What `setMaxThinkingTokens()` takes. */
export interface ThinkingOptions extends RequestOptions {
  /** How thinking is shown; `null` for the default. */
  readonly display?: 'summarized' | 'omitted' | 'highlights' | null | undefined;
}

/** What `readFile()` takes. */
export interface ReadFileOptions extends RequestOptions {
  /** The rest is left out, and the answer has `truncated`. */
  readonly maxBytes?: number | undefined;
  /** Default: `utf-8`, in which bytes that are not UTF-8 are replaced. */
  readonly encoding?: 'utf-8' | 'base64' | undefined;
}

/** What `registerRepoRoot()` takes: what the agent reads again there. */
export interface RepoRootOptions extends RequestOptions {
  /** The CLAUDE.md files. */
  readonly reloadClaudeMd?: boolean | undefined;
  /** The plugins. */
  readonly reloadPlugins?: boolean | undefined;
  /** The skills. */
  readonly reloadSkills?: boolean | undefined;
}

/** What `reloadPlugins()` takes. */
export interface ReloadPluginsOptions extends RequestOptions {
  /** Changes nothing, and reports it as `held`, where the cache of the prompt would be lost. */
  readonly holdOnCacheImpact?: boolean | undefined;
  /** Folders of plugins to load as well. */
  readonly addPlugins?: readonly string[] | undefined;
  /** Rejects while a turn runs. */
  readonly refuseIfBusy?: boolean | undefined;
}

/** What `generateTitle()` takes. */
export interface TitleOptions extends RequestOptions {
  /** Whether the session gets the title. Default: it is only answered. */
  readonly persist?: boolean | undefined;
}
