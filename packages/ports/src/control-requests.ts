import type { ContextWindow } from './context-window.ts';
import type {
  ConversationRewind,
  HooksListing,
  InterruptReceipt,
  McpResource,
  McpServersChange,
  McpServerStatus,
  McpSignIn,
  PermissionRulesState,
  PluginsReload,
  ReadFileAnswer,
  RewindReport,
  SettingsReport,
} from './control-answers.ts';
import type { InitializeResult, ModelInfo } from './introduction.ts';
import type { InitializeFields } from './launch.ts';
import type { JsonRpcMessage, McpServerSettings } from './mcp.ts';
import type { DialledServer } from './vocabulary/dialled-server.ts';
import type { CliPermissionMode, SlashCommand } from './vocabulary/values.ts';
import type { UsageAndLimits } from './usage-and-limits.ts';

/**
 * The requests to the agent: the fields of each and the form of its answer, by subtype, in the spelling of
 * the wire. A subtype that is not here goes through `requestUntyped`.
 */
export interface ControlRequests {
  /** Sets the agent up. It may be repeated; the newest hooks replace the others. */
  readonly initialize: Control<InitializeFields, InitializeResult>;
  /** Stops the running turn; with `cancel_queued` also what waits behind it. */
  readonly interrupt: Control<{ readonly cancel_queued?: boolean | undefined }, InterruptReceipt>;
  /** Removes a message from the queue. The receipt may be wrong; the lifecycle of the message is right. */
  readonly cancel_async_message: Control<
    { readonly message_uuid: string },
    { readonly cancelled: boolean; readonly message_uuid?: string }
  >;
  /** Ends the agent, after its answer. */
  readonly end_session: Control<NoFields>;

  /** From the next request to the model on; nothing or `null` goes back to the default. */
  readonly set_model: Control<{ readonly model?: string | null | undefined }, { readonly model: string }>;
  /** How many tokens the model may think; `null` for no limit of ours. */
  readonly set_max_thinking_tokens: Control<{
    readonly max_thinking_tokens?: number | null | undefined;
    readonly thinking_display?: 'summarized' | 'omitted' | 'highlights' | null | undefined;
  }>;
  /** Changes the CLI's own mode. `bypassPermissions` is refused unless the launch allowed it. */
  readonly set_permission_mode: Control<{ readonly mode: CliPermissionMode }, { readonly mode: CliPermissionMode }>;
  /** Settings for the rest of this session; `null` removes one. All or nothing is applied. */
  readonly apply_flag_settings: Control<{ readonly settings: Settings }>;
  /** Writes to a settings file; the agent allows it for few keys. */
  readonly update_settings: Control<{
    readonly source: 'localSettings' | 'userSettings';
    readonly settings: Settings;
  }>;
  /** The settings that are in force, and where each comes from. */
  readonly get_settings: Control<NoFields, SettingsReport>;
  /** Refused by CLI 2.1.328 over this wire. */
  readonly set_color: Control<{ readonly color: string }>;
  /** Whether a person reads the session; `null` when the program cannot determine that. */
  readonly set_has_subscribers: Control<{ readonly has_subscribers: boolean | null }>;

  /** The state of the MCP servers of the session. */
  readonly mcp_status: Control<
    { readonly liveReply?: boolean | undefined },
    { readonly mcpServers: readonly McpServerStatus[] }
  >;
  /** Replaces the servers of the session by others. */
  readonly mcp_set_servers: Control<
    { readonly servers: Readonly<Record<string, DialledServer | InProcessServer>> },
    McpServersChange
  >;
  /** Connects to a server again. */
  readonly mcp_reconnect: Control<{ readonly serverName: string }>;
  /** Turns a server on or off. */
  readonly mcp_toggle: Control<{ readonly serverName: string; readonly enabled: boolean }>;
  /**
   * Begins the sign-in to a server that the agent dials by HTTP. The agent waits for the person to come back, connects
   * then, and keeps the tokens in its folder of settings.
   */
  readonly mcp_authenticate: Control<{ readonly serverName: string }, McpSignIn>;
  /**
   * Ends that sign-in with the address that the person was sent back to, where the person's browser is on another machine
   * than the agent, which listens on its own. Then the agent has to be asked to connect again.
   */
  readonly mcp_oauth_callback_url: Control<{ readonly serverName: string; readonly callbackUrl: string }>;
  /** Forgets the tokens of a server. */
  readonly mcp_clear_auth: Control<{ readonly serverName: string }>;
  /** A permission mode for the tools of one server; `null` removes it. */
  readonly set_mcp_permission_mode_override: Control<
    { readonly serverName: string; readonly mode: 'default' | 'auto' | null },
    { readonly warning?: string }
  >;
  /** Only resources whose address begins with `ui://`. */
  readonly mcp_read_resource: Control<{ readonly serverName: string; readonly uri: string }, McpResource>;
  /** Calls a tool of an MCP server; the answer is the tool's own. */
  readonly mcp_call: Control<McpCallFields, Readonly<Record<string, unknown>>>;
  /** A message of an in-process server to the agent. */
  readonly mcp_message: Control<{ readonly server_name: string; readonly message: JsonRpcMessage }>;

  /** Restores files as they were before this message was answered. Needs checkpoints. */
  readonly rewind_files: Control<
    { readonly user_message_id: string; readonly dry_run?: boolean | undefined },
    RewindReport
  >;
  /** Takes the newest turn back, by the message that began it. The answer holds why it did not. */
  readonly rewind_conversation: Control<{ readonly target_message_uuid: string }, ConversationRewind>;
  /** Lets the agent count a file as read that had this time of change, in milliseconds. */
  readonly seed_read_state: Control<{ readonly path: string; readonly mtime: number }>;
  /** A file, if the agent may read it. */
  readonly read_file: Control<
    {
      readonly path: string;
      readonly max_bytes?: number | undefined;
      readonly encoding?: 'utf-8' | 'base64' | undefined;
    },
    ReadFileAnswer
  >;
  /** Files of the working directory that match the beginning of a name. */
  readonly file_suggestions: Control<
    { readonly query: string },
    { readonly suggestions: readonly unknown[]; readonly cwd: string }
  >;
  /** A folder inside the agent's own. */
  readonly register_repo_root: Control<
    {
      readonly directory: string;
      readonly reload_claude_md?: boolean | undefined;
      readonly reload_plugins?: boolean | undefined;
      readonly reload_skills?: boolean | undefined;
    },
    { readonly directory: string }
  >;

  /** What fills the context window. */
  readonly get_context_usage: Control<{ readonly detail?: 'summary' | 'full' | undefined }, ContextWindow>;
  /** What the session cost, and what is left of the account's limits. */
  readonly get_usage: Control<{ readonly skip_behaviors?: boolean | undefined }, UsageAndLimits>;
  /** The cost as a text for people. */
  readonly get_session_cost: Control<NoFields, { readonly text: string }>;
  /** The CLI's own version. */
  readonly get_binary_version: Control<NoFields, { readonly version: string; readonly buildTime?: string }>;
  /** The models that can be chosen. */
  readonly list_models: Control<NoFields, { readonly models: readonly ModelInfo[] }>;
  /** The permission rules that the agent follows. */
  readonly list_permission_rules: Control<NoFields, { readonly state: PermissionRulesState }>;
  /** The hooks of settings files. Those of this program are not among them. */
  readonly get_hooks_listing: Control<NoFields, HooksListing>;
  /** Reads the plugins again. */
  readonly reload_plugins: Control<
    {
      readonly hold_on_cache_impact?: boolean | undefined;
      readonly add_plugins?: readonly PluginFolder[] | undefined;
      readonly refuse_if_busy?: boolean | undefined;
    },
    PluginsReload
  >;
  /** Reads the skills again. */
  readonly reload_skills: Control<NoFields, { readonly skills: readonly SlashCommand[] }>;
  /** Reads the output styles again. */
  readonly reload_output_styles: Control<NoFields, { readonly available_output_styles: readonly string[] }>;

  /** Stops a background shell or a delegated task. */
  readonly stop_task: Control<{ readonly task_id: string }>;
  /** Moves running tools to the background, or only the named one; only then the answer reports whether it was moved. */
  readonly background_tasks: Control<
    { readonly tool_use_id?: string | undefined },
    { readonly backgrounded?: boolean }
  >;
  /** The output of a background shell. */
  readonly get_task_output: Control<
    { readonly task_id: string },
    { readonly output: string; readonly total_bytes: number; readonly truncated: boolean }
  >;

  /** Gives the session a title. */
  readonly rename_session: Control<{
    readonly title: string;
    readonly source?: 'remote' | 'host' | undefined;
    readonly session_id?: string | undefined;
  }>;
  /** Asks the model for a title; `null` when it gave none. */
  readonly generate_session_title: Control<
    { readonly description: string; readonly persist?: boolean | undefined },
    { readonly title: string | null }
  >;
  /** Asks the model something that does not become part of the conversation. */
  readonly side_question: Control<
    { readonly question: string },
    { readonly response: string | null; readonly synthetic?: boolean }
  >;
  /** Gives work to an agent that was started with `--await-claim`. */
  readonly claim_session: Control<ClaimFields, ClaimAnswer>;
}

/** One kind of request: the fields beside the subtype, and the answer. */
interface Control<Fields, Answer = NoAnswer> {
  readonly fields: Fields;
  readonly answer: Answer;
}

/** The subtypes that this version supports. */
export type ControlSubtype = keyof ControlRequests;

/** The fields of a request beside its subtype. */
export type ControlFields<Subtype extends ControlSubtype> = ControlRequests[Subtype]['fields'];

/** The answer of the agent to a request. */
export type ControlAnswer<Subtype extends ControlSubtype> = ControlRequests[Subtype]['answer'];

/** How long a request may wait for its answer. */
export interface RequestOptions {
  /** Aborting ends the waiting with an `AbortError`, and cancels the request at the agent. */
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds. Left out, and for `0` and `Infinity`, there is no deadline. */
  readonly timeoutMs?: number | undefined;
}

/** What follows the subtype in a call: the fields may be left out where none is required. */
export type ControlArguments<Subtype extends ControlSubtype> =
  NoFields extends ControlFields<Subtype>
    ? [fields?: ControlFields<Subtype>, options?: RequestOptions]
    : [fields: ControlFields<Subtype>, options?: RequestOptions];

type NoFields = Readonly<Record<string, never>>;
/** An answer without content: it reports only that the agent handled the request. */
type NoAnswer = Readonly<Record<string, unknown>>;
type Settings = Readonly<Record<string, unknown>>;

interface InProcessServer extends McpServerSettings {
  readonly type: 'sdk';
  readonly name: string;
}

interface PluginFolder {
  readonly type: 'local';
  readonly path: string;
  readonly skipMcpDiscovery?: boolean | undefined;
}

type McpCallFields = {
  /** As the agent names it: `mcp__server__tool`. */
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly expires_at?: string | undefined;
  readonly timeout_ms?: number | undefined;
  readonly result_not_for_model?: boolean | undefined;
  readonly check_permissions?: boolean | undefined;
  readonly input_files?: readonly { readonly name: string; readonly lane_path: string }[] | undefined;
  readonly output_files?:
    | readonly { readonly name: string; readonly lane_path: string; readonly if_match?: string | undefined }[]
    | undefined;
};

type ClaimFields = {
  readonly cwd: string;
  readonly append_system_prompt?: string | undefined;
  readonly title?: string | undefined;
  readonly permission_mode?: string | undefined;
  /** Of a few variables only; the agent refuses others. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly additional_directories?: readonly string[] | undefined;
  readonly agents?: Readonly<Record<string, unknown>> | undefined;
  readonly sdk_mcp_servers: readonly string[];
  readonly include_initialize?: boolean | undefined;
};

interface ClaimAnswer {
  readonly status: string;
  readonly cwd: string;
  readonly session_id: string;
  readonly parked_ms?: number;
  readonly sdk_mcp_settled?: boolean;
  readonly initialize?: InitializeResult;
}
