import { resolve } from 'node:path';
import type {
  AskHandler,
  Budget,
  CliPermissionMode,
  ConversationOptions,
  HookTable,
  LaunchOptions,
  SessionStore,
  Transport,
} from '@hexagent/ports';
import { launchRules, type PolicyMode } from '@hexagent/permissions';
import { isRemoteCommand, type RemoteCommand } from '@hexagent/remote-transport';
import { environmentOf, type Environment } from './environment.ts';
import { codePluginsOf } from './skills/code-plugin.ts';
import type { Command, Plugin, Skill } from './skills/skill.ts';
import type { SessionSubagents, Subagent } from './subagents.ts';
import type { OutputSchema } from './output/output-schema.ts';
import { defaultTools, dialledServersOf, type SessionTools, type ToolEntry } from './session-tools.ts';

/** How a session is to run. Every option may be left out. `Schema` is the type of `output`, where there is one. */
export interface SessionOptions<Schema extends OutputSchema = never> {
  /** Where the agent works. Default: the program's own working directory. */
  readonly cwd?: string | undefined;
  /** Which model answers, by its name or an alias such as `sonnet`. Default: the CLI's. */
  readonly model?: string | undefined;
  /** Which model answers while the first is overloaded. Default: none. */
  readonly fallbackModel?: string | undefined;
  /** Default: the Claude Code prompt. A text or a list replaces it; a preset with `append` extends it. */
  readonly systemPrompt?: LaunchOptions['systemPrompt'];
  /** What the agent may do. Default: what needs permission is denied. */
  readonly permissions?: SessionPermissions | undefined;
  /** Functions of yours that the agent calls at its events, by the name of the event. */
  readonly hooks?: HookTable | undefined;
  /** Subagents by name. */
  readonly agents?: Readonly<Record<string, Subagent>> | undefined;
  /** Instructions that the model reads when a task calls for them. Default: those of the CLI. */
  readonly skills?: readonly Skill[] | undefined;
  /** Prompts that a message calls by `/<name>`. Default: those of the CLI. */
  readonly commands?: readonly Command[] | undefined;
  /** Skills, commands and subagents under names, such as those of libraries. Their names begin with the one of their plugin. */
  readonly plugins?: readonly Plugin[] | undefined;
  /**
   * What tools there are: names of built-in tools (with one of these, no other built-in tool exists; `'none'` for no built-in tool at all),
   * tools made by `tool()`, servers made by `createSdkMcpServer()` or `external()`, and servers by name, `{ github: { type: 'http', url } }`.
   * Default: all built-in tools.
   */
  readonly tools?: readonly ToolEntry[] | undefined;
  /** What the agent sees of the program's environment. Default: an allow list. */
  readonly env?: Environment | undefined;
  /** Which settings files count. Default: `none`. */
  readonly settings?: 'none' | 'project' | 'user' | readonly ('user' | 'project' | 'local')[] | undefined;
  /**
   * The schema of what each turn gives as its output, of any library that follows the Standard Schema, or a JSON Schema. A turn then
   * completes only with an `output` that passes it.
   */
  readonly output?: Schema | undefined;
  /** Whether and how much the model thinks before it answers. Default: the CLI's. */
  readonly thinking?: LaunchOptions['thinking'];
  /** How much the model puts into an answer. Default: the CLI's. */
  readonly effort?: LaunchOptions['effort'];
  /** How much the session may spend: US dollars, tokens, and rounds of tool calls in a turn. Default: no limit. */
  readonly budget?: Budget | undefined;
  /**
   * Ends a turn as failed, with cause `stall`, where in the middle of an answer of the model nothing comes for so many milliseconds. Never while
   * a tool or a person is waited for. At least 1000. In `ask()` it includes `partialMessages`. Default: never.
   */
  readonly stallAfterMs?: number | undefined;
  /**
   * How often a request that the model's service did not answer is tried again. Default: the CLI's, up to ten times in
   * about three minutes, except that credentials which were refused twice are not tried again.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Also the raw events of the model's stream among the messages, as they arrive. Default: whole blocks only; `textStream()` and
   * `snapshots()` have the pieces of the text in either case.
   */
  readonly partialMessages?: boolean | undefined;
  /**
   * Also what running commands write, while they run: messages of type `hexagent` among the others. Needs an agent whose temporary
   * folder this program can read. Default: the output comes with the result.
   */
  readonly toolOutput?: boolean | undefined;
  /** The id of a session to continue. */
  readonly resume?: string | undefined;
  /** With `resume`: continues in a copy, under a new id. */
  readonly fork?: boolean | undefined;
  /**
   * With `resume` or `continue`: what happens to a turn that was cut off when the agent died. With `continue` the agent
   * continues it at once, as an unsolicited turn; the model is shown calls that were cut off, with an outcome that is
   * unknown. What they did may be done twice. Default: `leave`.
   */
  readonly interruptedTurn?: 'leave' | 'continue' | undefined;
  /** Continue the newest session of this folder. */
  readonly continue?: boolean | undefined;
  /** The new session's id, a uuid. */
  readonly sessionId?: string | undefined;
  /** Whether the session is kept for a later `resume`. Default: it is. */
  readonly persist?: boolean | undefined;
  /**
   * Whether the agent keeps a copy of each file before its own tools change it, for `session.rewind(turn, { files: true })`. Default: it does
   * not. The copies lie in the folder of its settings. What commands change is not recorded.
   */
  readonly checkpoints?: boolean | undefined;
  /**
   * A place of yours that the transcript is kept in too, and from which `resume` and `continue` load it, on any machine. Each part is
   * stored as it comes, and a result is delivered once everything before it is stored. For `openSession()`.
   */
  readonly store?: SessionStore | undefined;
  /** Folders beside `cwd` that the agent may work in. Default: none. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** Flags of the CLI that have no option here, without their dashes; `null` for a flag without a value. Visible to other users of the machine. */
  readonly extraArgs?: LaunchOptions['extraArgs'];
  /**
   * Answers what a person is asked: calls that no rule decides, questions, plans, what MCP servers ask, and dialogs, by `ask.kind`. `null`
   * leaves one pending, to be answered by `session.pending`. Default: all of them are denied.
   */
  readonly onAsk?: AskHandler | undefined;
  /** The kinds of dialogs that the agent may show. They are passed to `onAsk`. Default: none. */
  readonly dialogKinds?: readonly string[] | undefined;
  /** What `finish()` does about background shells. Default: stop each. */
  readonly backgroundTasks?: ConversationOptions['backgroundTasks'];
  /**
   * What happens to processes that a tool put into the background and that the agent does not track, such as those of
   * `nohup server &`: they are ended with the agent (`end`), `finish()` waits until they end by themselves (`wait`), or
   * they stay (`leave`). A running tool never stays, but what it has detached does with `leave`. Default: `end`; with `backgroundTasks: 'wait'`, `wait`.
   */
  readonly leftovers?: LaunchOptions['leftovers'];
  /** Ends the session when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** How long the agent may take to introduce itself, in milliseconds. Default 60 000; 0 or `Infinity` for no limit. */
  readonly initializeTimeoutMs?: number | undefined;
  /** How many bytes may be unread before the agent has to wait, while it can ask nothing of the program. Default 2 MB. */
  readonly softMarkBytes?: number | undefined;
  /** The same while there are callbacks, which the agent may need. Default 64 MB. */
  readonly hardMarkBytes?: number | undefined;
  /** How long a line of the agent's may be before the session ends with `LINE_TOO_LONG`. Default 256 MB. For the SDK's own transport. */
  readonly maxLineBytes?: number | undefined;
  /**
   * The CLI's path, or a place where it runs: `ssh()`, `docker()`, `command()`. Paths among the options are then those of that place.
   * Default: searched for on this machine; see the docs of `@hexagent/cli-transport`.
   */
  readonly executable?: string | RemoteCommand | undefined;
  /** Each line the agent writes to its error stream. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /** Throws a `TypeError` where a callback of yours is never called. Default: a warning. */
  readonly strict?: boolean | undefined;
  /** Another way to reach an agent, for this session. */
  readonly transport?: Transport | undefined;
}

/** The options as they are used: each was checked and read once. */
export interface CheckedOptions extends Omit<SessionOptions<OutputSchema>, 'tools' | 'agents'> {
  /** The servers of subagents are among its servers. */
  readonly tools?: SessionTools | undefined;
  readonly agents?: SessionSubagents | undefined;
}

/** Which tools may run, and who is asked. */
export interface SessionPermissions {
  /** Tools and rules that need no asking. */
  readonly allow?: readonly string[] | undefined;
  /** Whether the tools made by `tool()`, those of `agents` too, need no asking. Default: they do, like any other. */
  readonly allowOwnTools?: boolean | undefined;
  /** Tools and rules that never run, even if another rule allows them. */
  readonly deny?: readonly string[] | undefined;
  /** Tools and rules about which `onAsk` is asked, although another rule allows them. */
  readonly ask?: readonly string[] | undefined;
  /** The decision about a call that no rule decides: `onAsk` is asked, or it is allowed; `deny` denies every call. Default: `ask`. */
  readonly mode?: PolicyMode | undefined;
  /** Denies what is not answered after so many milliseconds; what an MCP server asks and a dialog are cancelled. Default: never. */
  readonly expiresAfterMs?: number | undefined;
  /** The CLI's own mode. */
  readonly cliMode?: CliPermissionMode | undefined;
  /** Needed for the CLI's mode `bypassPermissions`. */
  readonly allowBypass?: boolean | undefined;
}

const sources = { none: [], project: ['project', 'local'], user: ['user', 'project', 'local'] } as const;

/**
 * The part of the options that the agent gets at its start.
 * @throws {TypeError} for an invalid value or combination.
 */
export function launchOptionsOf(options: CheckedOptions, env: LaunchOptions['env']): LaunchOptions {
  refuseUnmeantBypass(options.permissions);
  const { permissions = {}, fork, partialMessages, persist } = options;
  const { tools = defaultTools } = options;
  const { cwd, model, fallbackModel, systemPrompt, agents, thinking, effort, budget } = options;
  const { resume, sessionId, additionalDirectories, extraArgs } = options;
  return {
    env,
    cwd,
    model,
    fallbackModel,
    systemPrompt,
    agents: agents?.definitions,
    privatePlugins: codePluginsOf(options),
    tools: tools.builtIn,
    thinking,
    effort,
    maxTurns: budget?.turns,
    maxBudgetUsd: budget?.usd,
    resume,
    sessionId,
    additionalDirectories,
    extraArgs,
    leftovers: options.leftovers ?? (options.backgroundTasks === 'wait' ? 'wait' : 'end'),
    continue: options.continue,
    forkSession: fork,
    persistSession: persist,
    enableFileCheckpointing: options.checkpoints,
    includePartialMessages: partialMessages,
    ...launchRules(permissions),
    permissionMode: permissions.cliMode,
    allowDangerouslySkipPermissions: permissions.allowBypass,
    mcpServers: dialledServersOf(tools),
    settingSources: settingSourcesOf(options),
  };
}

/** The settings files that the session reads. */
export function settingSourcesOf({ settings = 'none' }: CheckedOptions): readonly ('user' | 'project' | 'local')[] {
  return typeof settings === 'string' ? sources[settings] : settings;
}

/** The CLI accepts the mode without the permission, so a mistyped mode would let everything run. */
function refuseUnmeantBypass({ cliMode, allowBypass }: SessionPermissions = {}): void {
  if (cliMode !== 'bypassPermissions' || allowBypass === true) return;
  throw new TypeError(
    'permissions.cliMode "bypassPermissions" lets every tool run unasked. Add allowBypass: true if that is meant.',
  );
}

/**
 * Whether the session has a policy, which may change: then the CLI has to ask. Without one, and without anyone to ask, it
 * denies by itself what needs permission.
 */
export function hasPolicy({ permissions = {}, onAsk }: CheckedOptions): boolean {
  const { allow, deny, ask, mode } = permissions;
  return [allow, deny, ask, mode, onAsk].some((value) => value !== undefined);
}

/** The folders in which rules with relative paths and with `~` begin. */
export function foldersOf(options: CheckedOptions): {
  readonly cwd: string | undefined;
  readonly home: string | undefined;
} {
  const { cwd, env, executable } = options;
  // Neither the folder nor the home of this process is one there.
  if (isRemoteCommand(executable)) return { cwd, home: env?.set?.['HOME'] };
  const { HOME, USERPROFILE } = environmentOf(options);
  return { cwd: folderOf(cwd), home: HOME ?? USERPROFILE };
}

function folderOf(cwd = '.'): string | undefined {
  try {
    return resolve(cwd);
  } catch {
    return undefined; // The program's own folder was deleted.
  }
}
