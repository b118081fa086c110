import type { DialledServer, LaunchOptions, SystemPrompt, Thinking } from '@hexagent/ports';
import { refuseUnsupported } from './unsupported.ts';
import type { McpSdkServerConfigWithInstance, McpServerConfig } from './types/mcp.ts';
import type { Options } from './types/options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The official options as what the launcher takes.
 * @throws {SdkError} `NOT_SUPPORTED_YET`; {@link TypeError} for what can never work.
 */
export function launchOptionsOf(options: Options, environment: () => Environment): LaunchOptions {
  refuseUnsupported(options);
  if (options.supportedDialogKinds !== undefined && options.onUserDialog === undefined) {
    throw new TypeError('`supportedDialogKinds` needs `onUserDialog`: somebody has to show the dialogs.');
  }
  return {
    cwd: options.cwd,
    // As officially: given, it is the whole environment.
    env: options.env ?? environment(),
    model: options.model,
    fallbackModel: options.fallbackModel,
    systemPrompt: systemPromptOf(options.systemPrompt),
    allowedTools: options.allowedTools,
    disallowedTools: options.disallowedTools,
    tools: options.tools,
    permissionMode: options.permissionMode,
    allowDangerouslySkipPermissions: options.allowDangerouslySkipPermissions,
    asksPermission: options.canUseTool === undefined ? undefined : true,
    mcpServers: serversOf(options, isDialled),
    strictMcpConfig: options.strictMcpConfig,
    agents: options.agents,
    agent: options.agent,
    continue: options.continue,
    resume: options.resume,
    resumeSessionAt: options.resumeSessionAt,
    forkSession: options.forkSession,
    sessionId: options.sessionId,
    persistSession: options.persistSession,
    includePartialMessages: options.includePartialMessages,
    maxTurns: options.maxTurns,
    maxBudgetUsd: options.maxBudgetUsd,
    thinking: thinkingOf(options),
    effort: options.effort,
    settingSources: options.settingSources,
    settings: options.settings,
    additionalDirectories: options.additionalDirectories,
    supportedDialogKinds: options.supportedDialogKinds,
    title: options.title,
    extraArgs: options.extraArgs,
  };
}

/** The servers that live in this process. */
export function inProcessServersOf(
  options: Options,
): Readonly<Record<string, McpSdkServerConfigWithInstance>> | undefined {
  return serversOf(options, isInProcess);
}

export function isInProcess(config: McpServerConfig): config is McpSdkServerConfigWithInstance {
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
  for (const [name, config] of Object.entries(mcpServers ?? {})) if (wanted(config)) servers[name] = config;
  return Object.keys(servers).length > 0 ? servers : undefined;
}

/** Omitted means empty here, unlike in the engine, where it means the prompt of Claude Code. */
function systemPromptOf(given: Options['systemPrompt']): SystemPrompt {
  if (given === undefined) return '';
  return typeof given === 'object' && 'type' in given && given.type === 'custom' ? given.prompt : given;
}

function thinkingOf({ thinking, maxThinkingTokens }: Options): Thinking | undefined {
  if (thinking !== undefined || maxThinkingTokens === undefined) return thinking;
  return maxThinkingTokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: maxThinkingTokens };
}
