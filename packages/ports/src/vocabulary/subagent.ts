import type { DialledServer } from './dialled-server.ts';
import type { CliPermissionMode, EffortLevel } from './values.ts';

/** A subagent that the model may call, under the name that it is given. */
export interface Subagent {
  /** The model reads it to decide when to call this subagent. */
  readonly description: string;
  /** The subagent's system prompt. */
  readonly prompt: string;
  /** The tools that exist for it. Default: those of the session. */
  readonly tools?: readonly string[] | undefined;
  /** Tools that do not exist for it; `mcp__server` stands for all tools of a server. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** Which model answers, by its name, an alias, or `inherit` for the session's. Default: the CLI's for subagents. */
  readonly model?: string | undefined;
  /** Servers of the session by name, or servers of its own that the CLI dials. */
  readonly mcpServers?: readonly (string | Readonly<Record<string, DialledServer>>)[] | undefined;
  /** Added to its system prompt. An experiment of the CLI. */
  readonly criticalSystemReminder_EXPERIMENTAL?: string | undefined;
  /** Skills it has from the start. */
  readonly skills?: readonly string[] | undefined;
  /** Sent as the first message where this subagent is the main agent. */
  readonly initialPrompt?: string | undefined;
  /** How many rounds of tool calls it may take. Default: no limit. */
  readonly maxTurns?: number | undefined;
  /** At how many tokens it shortens its history, where that is earlier than the session's. */
  readonly autoCompactWindow?: number | undefined;
  /** Runs beside the conversation and reports back. */
  readonly background?: boolean | undefined;
  /** Works without the `CLAUDE.md` files of the user and the project. */
  readonly omitClaudeMd?: boolean | undefined;
  /** Where it keeps what it remembers between sessions. Default: nowhere. */
  readonly memory?: 'user' | 'project' | 'local' | undefined;
  /** How much the model puts into an answer: a level, or a number. */
  readonly effort?: EffortLevel | number | undefined;
  /** The CLI's own mode for its tool calls. */
  readonly permissionMode?: CliPermissionMode | undefined;
  /** Subagents that watch it, by name, joined by commas. */
  readonly observer?: string | undefined;
  /** Added to what the observers read. */
  readonly observerMessage?: string | undefined;
}
