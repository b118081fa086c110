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

type Makers<Methods> = { readonly [Name in keyof Methods]: (line: Line) => Methods[Name] };

// Officially answers may be changed; nobody else has this one.
async function ask<Subtype extends ControlSubtype>(
  line: Line,
  subtype: Subtype,
  fields: ControlFields<Subtype>,
): Promise<Mutable<ControlAnswer<Subtype>>> {
  return (await line.ask(subtype, fields)) as Mutable<ControlAnswer<Subtype>>;
}

async function introduce(line: Line): Promise<SDKControlInitializeResponse> {
  return (await line.introduction()) as SDKControlInitializeResponse; // the agent's own words
}

/** The agent answers with nothing that anybody needs. */
const done = async (answer: Promise<unknown>): Promise<void> => void (await answer);

const introductions = {
  initializationResult: (line) => () => introduce(line),
  reinitialize: () => () => Promise.reject(notYet('`reinitialize()`')),
  supportedCommands: (line) => async () => {
    const { commands } = await introduce(line);
    return line.commands ?? commands;
  },
  supportedModels: (line) => async () => (await introduce(line)).models,
  supportedAgents: (line) => async () => (await introduce(line)).agents,
  accountInfo: (line) => async () => (await introduce(line)).account,
} satisfies Partial<Makers<Controls>>;

/** What changes how the agent goes on. */
const switches = {
  interrupt: (line) => () => ask(line, 'interrupt', {}),
  setPermissionMode: (line) => (mode) => done(ask(line, 'set_permission_mode', { mode })),
  setModel: (line) => (model) => done(ask(line, 'set_model', { model })),
  setMaxThinkingTokens: (line) => (max_thinking_tokens, thinking_display) =>
    done(ask(line, 'set_max_thinking_tokens', { max_thinking_tokens, thinking_display })),
  applyFlagSettings: (line) => (settings) => done(ask(line, 'apply_flag_settings', { settings })),
  updateSettings: (line) => (source, settings) => done(ask(line, 'update_settings', { source, settings })),
  seedReadState: (line) => (path, mtime) => done(ask(line, 'seed_read_state', { path, mtime })),
  stopTask: (line) => (task_id) => done(ask(line, 'stop_task', { task_id })),
  // Without a tool named there is nothing to report but that it was done.
  backgroundTasks: (line) => async (tool_use_id) =>
    (await ask(line, 'background_tasks', { tool_use_id })).backgrounded ?? true,
  rewindFiles:
    (line) =>
    (user_message_id, { dryRun } = {}) =>
      ask(line, 'rewind_files', { user_message_id, dry_run: dryRun }),
} satisfies Partial<Makers<Controls>>;

const questions = {
  getContextUsage:
    (line) =>
    ({ detail } = {}) =>
      ask(line, 'get_context_usage', { detail }),
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET:
    (line) =>
    ({ skipBehaviors } = {}) =>
      ask(line, 'get_usage', { skip_behaviors: skipBehaviors }),
  readFile:
    (line) =>
    (path, { maxBytes, encoding } = {}) =>
      // As officially, whatever keeps the agent from reading it.
      ask(line, 'read_file', { path, max_bytes: maxBytes, encoding }).catch(() => null),
  reloadPlugins:
    (line) =>
    async ({ holdOnCacheImpact, addPlugins, refuseIfBusy } = {}) =>
      (await ask(line, 'reload_plugins', {
        hold_on_cache_impact: holdOnCacheImpact,
        add_plugins: addPlugins,
        refuse_if_busy: refuseIfBusy,
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
    if (Object.values(given).some(isInProcess)) throw notYet('A server in this process in `setMcpServers()`');
    return (await ask(line, 'mcp_set_servers', { servers: given })) satisfies McpSetServersResult;
  },
} satisfies Partial<Makers<Controls>>;

/** Makes each method over a line. A method is one request; what the agent answers is handed on as it is, in the form its type names. */
export const controls: Makers<Controls> = { ...introductions, ...switches, ...questions, ...servers };
