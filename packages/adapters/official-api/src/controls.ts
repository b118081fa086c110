import {
  withArgs,
  type ControlAnswer,
  type ControlFields,
  type ControlSubtype,
  type InitializeFields,
  type InitializeResult,
  type InterruptReceipt,
} from '@hexagent/ports';
import { splitServers } from './launch-options.ts';
import type { HostedConfigs, QueryServers } from './query-parts.ts';
import type { SlashCommand } from './types/common.ts';
import type { McpServerStatus, McpSetServersResult } from './types/mcp.ts';
import type { Query } from './types/query.ts';
import type { SDKControlInitializeResponse, SDKControlReloadPluginsResponse } from './types/control.ts';
import type { Mutable } from './types/mutable.ts';

/** The methods of a query that send requests to the agent. */
export type Controls = Omit<Query, keyof AsyncGenerator | 'streamInput' | 'close'>;

export interface Line {
  ask<Subtype extends ControlSubtype>(
    subtype: Subtype,
    fields: ControlFields<Subtype>,
  ): Promise<ControlAnswer<Subtype>>;
  introduction(): Promise<InitializeResult>;
  /** What an agent that runs is initialized with again. */
  setup(): InitializeFields;
  /** The servers of this process. */
  readonly servers: QueryServers;
  /** The latest commands, once they have changed since the introduction. */
  readonly commands: SlashCommand[] | undefined;
}

type Makers<Methods> = { readonly [Name in keyof Methods]: (line: Line) => Methods[Name] };

// In the official package answers may be changed; this one is not shared.
async function ask<Subtype extends ControlSubtype>(
  line: Line,
  subtype: Subtype,
  fields: ControlFields<Subtype>,
): Promise<Mutable<ControlAnswer<Subtype>>> {
  return (await line.ask(subtype, fields)) as Mutable<ControlAnswer<Subtype>>;
}

async function introduce(line: Line): Promise<SDKControlInitializeResponse> {
  return (await line.introduction()) as SDKControlInitializeResponse; // as the agent sends it
}

const done = async (answer: Promise<unknown>): Promise<void> => void (await answer);

const introductions = {
  initializationResult: (line) => () => introduce(line),
  reinitialize: (line) => async () => (await line.ask('initialize', line.setup())) as SDKControlInitializeResponse, // as the agent sends it
  supportedCommands: (line) => async () => {
    const { commands } = await introduce(line);
    return line.commands ?? commands;
  },
  supportedModels: (line) => async () => (await introduce(line)).models,
  supportedAgents: (line) => async () => (await introduce(line)).agents,
  accountInfo: (line) => async () => (await introduce(line)).account,
} satisfies Partial<Makers<Controls>>;

/** A switch that is off is left out, as in the official package. */
const ifOn = (value: unknown): true | undefined => (value ? true : undefined);

/** The queued and the cancelled messages; an older agent does not report them. */
function receiptOf({ still_queued, cancelled }: Mutable<InterruptReceipt>): Mutable<InterruptReceipt> | undefined {
  if (!Array.isArray(still_queued)) return undefined;
  return { still_queued: texts(still_queued), ...(Array.isArray(cancelled) && { cancelled: texts(cancelled) }) };
}

const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');

/** Requests that change how the agent continues. */
const switches = {
  // In the official package it takes an option that its type does not name.
  interrupt: (line) => async (options?: { readonly cancelQueued?: unknown } | null) =>
    receiptOf(await ask(line, 'interrupt', options?.cancelQueued === true ? { cancel_queued: true } : {})),
  setPermissionMode: (line) => (mode) => done(ask(line, 'set_permission_mode', { mode })),
  setModel: (line) => (model) => done(ask(line, 'set_model', { model })),
  setMaxThinkingTokens: (line) => (max_thinking_tokens, thinking_display) =>
    done(ask(line, 'set_max_thinking_tokens', { max_thinking_tokens, thinking_display })),
  applyFlagSettings: (line) => (settings) => done(ask(line, 'apply_flag_settings', { settings })),
  updateSettings: (line) => (source, settings) => done(ask(line, 'update_settings', { source, settings })),
  seedReadState: (line) => (path, mtime) => done(ask(line, 'seed_read_state', { path, mtime })),
  stopTask: (line) => (task_id) => done(ask(line, 'stop_task', { task_id })),
  // Without the name of a tool only the success is reported.
  backgroundTasks: (line) => async (tool_use_id) =>
    (await ask(line, 'background_tasks', { tool_use_id })).backgrounded ?? true,
  rewindFiles: (line) => (user_message_id, options) =>
    ask(line, 'rewind_files', { user_message_id, dry_run: options?.dryRun }),
} satisfies Partial<Makers<Controls>>;

const questions = {
  getContextUsage: (line) => (options) => ask(line, 'get_context_usage', { detail: options?.detail }),
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: (line) => (options) =>
    ask(line, 'get_usage', { skip_behaviors: ifOn(options?.skipBehaviors) }),
  readFile: (line) => (path, options) =>
    // As in the official package, for every reason why the agent does not read it.
    ask(line, 'read_file', { path, max_bytes: options?.maxBytes, encoding: options?.encoding }).catch(() => null),
  reloadPlugins: (line) => async (options) =>
    (await ask(line, 'reload_plugins', {
      hold_on_cache_impact: ifOn(options?.holdOnCacheImpact),
      add_plugins: options?.addPlugins?.length ? options.addPlugins : undefined,
      refuse_if_busy: ifOn(options?.refuseIfBusy),
    })) as SDKControlReloadPluginsResponse,
  reloadSkills: (line) => () => ask(line, 'reload_skills', {}),
  reloadOutputStyles: (line) => () => ask(line, 'reload_output_styles', {}),
} satisfies Partial<Makers<Controls>>;

const servers = {
  mcpServerStatus: (line) => async () => (await ask(line, 'mcp_status', {})).mcpServers as McpServerStatus[],
  reconnectMcpServer: (line) => (serverName) => done(ask(line, 'mcp_reconnect', { serverName })),
  toggleMcpServer: (line) => (serverName, enabled) => done(ask(line, 'mcp_toggle', { serverName, enabled })),
  readMcpResource: (line) => (serverName, uri) => ask(line, 'mcp_read_resource', { serverName, uri }),
  // The agent answers with nothing unless it has something to warn of.
  setMcpPermissionModeOverride: (line) => (serverName, mode) =>
    ask(line, 'set_mcp_permission_mode_override', { serverName, mode }),
  setMcpServers: (line) => async (given) => {
    const { own, dialled: asGiven } = splitServers(given);
    const dialled = Object.fromEntries(Object.entries(asGiven).map(([name, server]) => [name, withArgs(server)]));
    const announce = async (configs: HostedConfigs): Promise<McpSetServersResult> =>
      await ask(line, 'mcp_set_servers', { servers: { ...dialled, ...configs } });
    return await line.servers.change(own, announce);
  },
} satisfies Partial<Makers<Controls>>;

/** Makes each method over a line. A method is one request; what the agent answers is handed on as it is, in the form its type names. */
export const controls: Makers<Controls> = { ...introductions, ...switches, ...questions, ...servers };
