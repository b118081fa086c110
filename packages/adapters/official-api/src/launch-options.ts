import { resolve } from 'node:path';
import { isRecord } from '@hexagent/checks';
import type { DialledServer, LaunchOptions, SystemPrompt, Thinking } from '@hexagent/ports';
import { agentEnvironment } from './agent-environment.ts';
import { given, isOn, items, names, onOrOff } from './lenient.ts';
import type { QueryParts } from './query-parts.ts';
import { rulesOf } from './tool-rules.ts';
import { agentsOf } from './subagents.ts';
import { refuseUnsupported } from './refused-options.ts';
import type { McpSdkServerConfigWithInstance, McpServerConfig } from './types/mcp.ts';
import type { Options, OwnOptions } from './types/options.ts';

type LaunchContext = Pick<QueryParts, 'environment' | 'debugFile' | 'warn'>;

/**
 * The official options as what the launcher takes. Values that ask for nothing count as not given, as they do
 * in the official package; what would let the agent do more than was meant is left for the launcher to refuse.
 * @throws {TypeError} for what can never work.
 */
// oxlint-disable-next-line max-lines-per-function -- one line for each option, in one literal
export function launchOptionsOf(
  options: Options & OwnOptions,
  { environment, debugFile, warn }: LaunchContext,
): LaunchOptions {
  refuseUnsupported(options);
  refuseUnshownDialogs(options);
  return {
    cwd: folderOf(options),
    // What is given is the whole environment, as in the official package.
    env: agentEnvironment(given(options.env) ?? environment()),
    extraArgs: extraArgsOf(options),
    // As in the official package: what a tool put into the background on purpose outlives the query.
    leftovers: 'leave',
    allowedTools: rulesOf('allowedTools', options.allowedTools),
    disallowedTools: rulesOf('disallowedTools', options.disallowedTools),
    disallowedToolsDelivery: options.disallowedToolsDelivery,
    tools: toolsOf(options.tools),
    toolAliases: given(options.toolAliases),
    toolConfig: toolConfigOf(options.toolConfig),
    skills: skillsOf(options.skills),
    permissionMode: given(options.permissionMode),
    permissionPromptToolName: given(options.permissionPromptToolName),
    permissionPrompts: given(options.permissionPrompts),
    allowDangerouslySkipPermissions: given(options.allowDangerouslySkipPermissions),
    mcpServers: serversOf(options, isDialled),
    mcpServersDelivery: serversDeliveryOf(options),
    strictMcpConfig: isOn(options.strictMcpConfig),
    plugins: pluginsOf(options.plugins),
    pluginDelivery: options.pluginDelivery,
    additionalDirectories: items(options.additionalDirectories),
    settingSources: sourcesOf(options.settingSources),
    settings: given(options.settings),
    settingsDelivery: options.settingsDelivery,
    managedSettings: given(options.managedSettings),
    managedSettingsDelivery: options.managedSettingsDelivery,
    projectConfigRoot: given(options.projectConfigRoot),
    sandbox: given(options.sandbox),
    continue: isOn(options.continue),
    resume: given(options.resume),
    resumeSessionAt: given(options.resumeSessionAt),
    // An empty one is passed on, and the CLI exits: without it the guard that the program asked for would be missing.
    resumeDropsTurn: options.resumeDropsTurn === '' ? '' : given(options.resumeDropsTurn),
    forkSession: isOn(options.forkSession),
    sessionId: given(options.sessionId),
    // Only `false` means that nothing is kept.
    persistSession: options.persistSession === false ? false : undefined,
    model: given(options.model),
    fallbackModel: given(options.fallbackModel),
    effort: given(options.effort),
    betas: items(options.betas),
    thinking: thinkingOf(options),
    thinkingDisplay: displayOf(options.thinking),
    taskBudget: given(options.taskBudget),
    outputFormat: outputFormatOf(options.outputFormat),
    maxTurns: limitOf(options.maxTurns),
    maxBudgetUsd: options.maxBudgetUsd === Infinity ? undefined : options.maxBudgetUsd,
    systemPrompt: systemPromptOf(options.systemPrompt),
    systemPromptSnapshot: snapshotOf(options.systemPrompt),
    planModeInstructions: given(options.planModeInstructions),
    agents: agentsOf(options.agents, warn),
    agent: given(options.agent),
    agentProgressSummaries: onOrOff(options.agentProgressSummaries),
    forwardSubagentText: onOrOff(options.forwardSubagentText),
    perTaskStopAffordance: onOrOff(options.perTaskStopAffordance),
    promptSuggestions: onOrOff(options.promptSuggestions),
    includePartialMessages: isOn(options.includePartialMessages),
    includeHookEvents: isOn(options.includeHookEvents),
    enableFileCheckpointing: isOn(options.enableFileCheckpointing),
    title: options.title,
    debug: isOn(options.debug),
    debugFile: given(options.debugFile) ?? debugFile(),
  };
}

/** The option `settings` wins over a flag of the same name, as in the official package. */
function extraArgsOf(options: Options): LaunchOptions['extraArgs'] {
  const extraArgs = flagsOf(given(options.extraArgs));
  if (extraArgs?.['settings'] === undefined || given(options.settings) === undefined) return extraArgs;
  const { settings: _, ...others } = extraArgs;
  return others;
}

/** A name may hold its value (`max-turns=2`); apart, so that each check of a flag finds it. */
function flagsOf(extraArgs: Options['extraArgs']): Options['extraArgs'] {
  if (!isRecord(extraArgs)) return extraArgs;
  return Object.fromEntries(
    Object.entries(extraArgs).map(([name, value]) => {
      const at = value === null ? name.indexOf('=') : -1;
      return at === -1 ? [name, value] : [name.slice(0, at), name.slice(at + 1)];
    }),
  );
}

/** Fixed now, as in the official package: the program may change its own folder before the agent is started. */
function folderOf({ cwd, transport, spawnClaudeCodeProcess }: Options & OwnOptions): string | undefined {
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string')
    throw new TypeError('`cwd` must be a string: the path of a folder.');
  // Where the agents of another transport run, this process has no folders.
  if (transport !== undefined || spawnClaudeCodeProcess) return given(cwd);
  try {
    return resolve(cwd ?? '');
  } catch {
    return given(cwd); // this process works in a folder that was deleted, which the transport reports
  }
}

/**
 * In the official package any value but a list means all tools; here only a missing one does. An item of another type
 * counts as its text, which names no tool.
 */
function toolsOf(tools: Options['tools']): Options['tools'] {
  if (!Array.isArray(tools)) return tools ?? undefined;
  return items(tools.join(',').split(','));
}

/** All count where it is absent: a value that is not a list was meant to select fewer. */
function sourcesOf(sources: Options['settingSources']): Options['settingSources'] {
  if (sources === undefined) return undefined;
  if (!Array.isArray(sources)) throw new TypeError('`settingSources` must be a list of user, project and local.');
  return names(sources);
}

/** `NaN` means no limit, as in the official package, and so does infinity, as for the agent. */
function limitOf(limit: number | undefined): number | undefined {
  return limit === Infinity ? undefined : given(limit);
}

/** The kinds of dialogs that the program shows: it has to be asked to show any. */
export function dialogKindsOf({ supportedDialogKinds: kinds }: Options): readonly string[] | undefined {
  return given(kinds);
}

/** A private file does not reach an agent that the program starts itself, and its command line may be read by others. */
function serversDeliveryOf({
  mcpServersDelivery,
  spawnClaudeCodeProcess,
}: Options): LaunchOptions['mcpServersDelivery'] {
  return mcpServersDelivery === undefined && spawnClaudeCodeProcess ? 'initialize' : mcpServersDelivery;
}

/** Any value but a missing one and `all` is the list of skills, as in the official package. */
function skillsOf(skills: Options['skills']): Options['skills'] {
  if (skills === undefined || skills === 'all' || Array.isArray(skills)) return skills;
  throw new TypeError('`skills` must be "all" or a list of names.');
}

/** A value that counts as not given elsewhere is refused here, as in the official package. */
function pluginsOf(plugins: Options['plugins']): Options['plugins'] {
  if (plugins === undefined || plugins === null || Array.isArray(plugins)) return plugins ?? undefined;
  throw new TypeError('`plugins` must be a list of { type: "local", path }.');
}

/** Only the format of previews in questions is read, as in the official package. */
function toolConfigOf(config: Options['toolConfig']): Options['toolConfig'] {
  return given(given(config)?.askUserQuestion) === undefined ? undefined : config;
}

/** Text is what the agent answers anyway. */
function outputFormatOf(format: Options['outputFormat']): Options['outputFormat'] {
  const { type }: { readonly type?: unknown } = given(format) ?? {};
  return type === 'text' ? undefined : given(format);
}

function refuseUnshownDialogs({ supportedDialogKinds: kinds, onUserDialog }: Options): void {
  if (given(kinds)?.length !== 0 && given(kinds) !== undefined && !onUserDialog)
    throw new TypeError('`supportedDialogKinds` needs `onUserDialog`: it shows the dialogs.');
}

/** The servers that live in this process. */
export function inProcessServersOf(options: Options): Readonly<Record<string, McpSdkServerConfigWithInstance>> {
  return serversOf(options, isInProcess) ?? {};
}

/**
 * The servers of `setMcpServers()`, by who runs them.
 * @throws {TypeError} for what is not a server.
 */
export function splitServers(mcpServers: Record<string, McpServerConfig>): {
  readonly own: Readonly<Record<string, McpSdkServerConfigWithInstance>>;
  readonly dialled: Readonly<Record<string, DialledServer>>;
} {
  if (typeof mcpServers !== 'object' || mcpServers === null || Array.isArray(mcpServers))
    throw new TypeError('setMcpServers() takes an object with a config for each server, by its name.');
  return { own: inProcessServersOf({ mcpServers }), dialled: serversOf({ mcpServers }, isDialled) ?? {} };
}

function isInProcess(config: McpServerConfig): config is McpSdkServerConfigWithInstance {
  return config.type === 'sdk';
}

function isDialled(
  config: McpServerConfig,
): config is DialledServer & Exclude<McpServerConfig, McpSdkServerConfigWithInstance> {
  return config.type !== 'sdk';
}

function serversOf<T extends McpServerConfig>(
  { mcpServers }: Options,
  wanted: (config: McpServerConfig) => config is T,
): Readonly<Record<string, T>> | undefined {
  const servers: Record<string, T> = {};
  for (const [name, config] of Object.entries(given(mcpServers) ?? {})) {
    if (typeof config !== 'object' || config === null) throw new TypeError(`\`mcpServers.${name}\` must be an object.`);
    if ('open' in config && typeof config.open === 'function')
      throw new TypeError(
        `\`mcpServers.${name}\` is a server for openSession() and ask(), as external() makes one. query() takes what createSdkMcpServer() makes, or a config by which the CLI dials the server.`,
      );
    if (wanted(config)) servers[name] = config;
  }
  return Object.keys(servers).length > 0 ? servers : undefined;
}

/** Omitted means empty here, unlike in the engine, where it means the prompt of Claude Code. */
function systemPromptOf(prompt: Options['systemPrompt']): SystemPrompt {
  if (prompt === undefined) return '';
  if (prompt === null) throw new TypeError('`systemPrompt` must be a text, a list of texts, or a preset.');
  return typeof prompt === 'object' && 'type' in prompt && prompt.type === 'custom' ? prompt.prompt : prompt;
}

/** Whether a session keeps the prompt that it began with; a text and a list do not set this. */
function snapshotOf(prompt: Options['systemPrompt']): boolean | undefined {
  if (typeof prompt !== 'object' || !('snapshot' in prompt)) return undefined;
  const { snapshot } = prompt;
  if (snapshot === undefined || snapshot === null || typeof snapshot === 'boolean') return snapshot ?? undefined;
  throw new TypeError('`systemPrompt.snapshot` must be true or false.');
}

/** Nothing can be shown of thinking that is disabled. */
function displayOf(thinking: Options['thinking']): LaunchOptions['thinkingDisplay'] {
  if (typeof thinking !== 'object' || thinking === null || thinking.type === 'disabled') return undefined;
  return given(thinking.display);
}

function thinkingOf({ thinking, maxThinkingTokens }: Options): Thinking | undefined {
  if (given(thinking) !== undefined) return thinking;
  if (maxThinkingTokens === undefined || maxThinkingTokens === null) return undefined;
  if (!Number.isInteger(maxThinkingTokens))
    throw new TypeError('`maxThinkingTokens` must be a whole number of tokens, or 0 for no thinking.');
  return maxThinkingTokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: maxThinkingTokens };
}
