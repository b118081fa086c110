import type { ControlAnswer, ControlFields, ControlSubtype, InitializeResult } from '@hexagent/ports';
import { isInProcess } from './launch-options.ts';
import { notYet } from './not-yet.ts';
import type { SlashCommand } from './types/common.ts';
import type { McpServerStatus, McpSetServersResult } from './types/mcp.ts';
import type { Query } from './types/query.ts';
import type { SDKControlInitializeResponse, SDKControlReloadPluginsResponse } from './types/control.ts';
import type { Mutable } from './types/mutable.ts';

/** The methods of a query that talk to the agent. */
export type Controls = Omit<Query, keyof AsyncGenerator | 'streamInput' | 'close'>;

export interface Line {
  ask<Subtype extends ControlSubtype>(
    subtype: Subtype,
    fields: ControlFields<Subtype>,
  ): Promise<ControlAnswer<Subtype>>;
  introduction(): Promise<InitializeResult>;
  /** The latest commands, once they have changed since the introduction. */
  readonly commands: SlashCommand[] | undefined;
}

/** Each method is one request; what the agent answers is handed on as it is, in the form its type names. */
export function controlsOver(line: Line): Controls {
  // Officially answers may be changed; nobody else has this one.
  const ask: Ask = async (subtype, fields) =>
    (await line.ask(subtype, fields)) as Mutable<ControlAnswer<typeof subtype>>;
  return { ...introductionsOf(line), ...switchesOver(ask), ...questionsOver(ask), ...serversOver(ask) };
}

type Ask = <Subtype extends ControlSubtype>(
  subtype: Subtype,
  fields: ControlFields<Subtype>,
) => Promise<Mutable<ControlAnswer<Subtype>>>;

function introductionsOf(line: Line) {
  const introduction = async (): Promise<SDKControlInitializeResponse> =>
    (await line.introduction()) as SDKControlInitializeResponse; // the agent's own words
  return {
    initializationResult: introduction,
    reinitialize: () => Promise.reject(notYet('`reinitialize()`')),
    supportedCommands: async () => {
      const { commands } = await introduction();
      return line.commands ?? commands;
    },
    supportedModels: async () => (await introduction()).models,
    supportedAgents: async () => (await introduction()).agents,
    accountInfo: async () => (await introduction()).account,
  } satisfies Partial<Controls>;
}

/** The agent answers with nothing that anybody needs. */
const done = async (answer: Promise<unknown>): Promise<void> => void (await answer);

/** What changes how the agent goes on. */
function switchesOver(ask: Ask) {
  return {
    interrupt: () => ask('interrupt', {}),
    setPermissionMode: (mode) => done(ask('set_permission_mode', { mode })),
    setModel: (model) => done(ask('set_model', { model })),
    setMaxThinkingTokens: (max_thinking_tokens, thinking_display) =>
      done(ask('set_max_thinking_tokens', { max_thinking_tokens, thinking_display })),
    applyFlagSettings: (settings) => done(ask('apply_flag_settings', { settings })),
    updateSettings: (source, settings) => done(ask('update_settings', { source, settings })),
    seedReadState: (path, mtime) => done(ask('seed_read_state', { path, mtime })),
    stopTask: (task_id) => done(ask('stop_task', { task_id })),
    // Without a tool named there is nothing to report but that it was done.
    backgroundTasks: async (tool_use_id) => (await ask('background_tasks', { tool_use_id })).backgrounded ?? true,
    rewindFiles: (user_message_id, { dryRun } = {}) => ask('rewind_files', { user_message_id, dry_run: dryRun }),
  } satisfies Partial<Controls>;
}

function questionsOver(ask: Ask) {
  return {
    getContextUsage: ({ detail } = {}) => ask('get_context_usage', { detail }),
    usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: ({ skipBehaviors } = {}) =>
      ask('get_usage', { skip_behaviors: skipBehaviors }),
    readFile: (path, { maxBytes, encoding } = {}) =>
      // As officially, whatever keeps the agent from reading it.
      ask('read_file', { path, max_bytes: maxBytes, encoding }).catch(() => null),
    reloadPlugins: async ({ holdOnCacheImpact, addPlugins, refuseIfBusy } = {}) =>
      (await ask('reload_plugins', {
        hold_on_cache_impact: holdOnCacheImpact,
        add_plugins: addPlugins,
        refuse_if_busy: refuseIfBusy,
      })) as SDKControlReloadPluginsResponse,
    reloadSkills: () => ask('reload_skills', {}),
    reloadOutputStyles: () => ask('reload_output_styles', {}),
  } satisfies Partial<Controls>;
}

function serversOver(ask: Ask) {
  return {
    mcpServerStatus: async () => (await ask('mcp_status', {})).mcpServers as McpServerStatus[],
    reconnectMcpServer: (serverName) => done(ask('mcp_reconnect', { serverName })),
    toggleMcpServer: (serverName, enabled) => done(ask('mcp_toggle', { serverName, enabled })),
    readMcpResource: (serverName, uri) => ask('mcp_read_resource', { serverName, uri }),
    // The agent answers with nothing unless it has something to warn of.
    setMcpPermissionModeOverride: (serverName, mode) => ask('set_mcp_permission_mode_override', { serverName, mode }),
    async setMcpServers(servers): Promise<McpSetServersResult> {
      if (Object.values(servers).some(isInProcess)) throw notYet('A server in this process in `setMcpServers()`');
      return await ask('mcp_set_servers', { servers });
    },
  } satisfies Partial<Controls>;
}
