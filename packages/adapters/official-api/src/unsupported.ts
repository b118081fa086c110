import { notYet } from './not-yet.ts';
import type { Options } from './types/options.ts';

/** Options that have their type and nothing behind it yet. Only ever shorter. */
export const unsupportedOptions = [
  'agentProgressSummaries',
  'betas',
  'debug',
  'debugFile',
  'enableFileCheckpointing',
  'forwardSubagentText',
  'includeHookEvents',
  'loadTimeoutMs',
  'managedSettings',
  'mcpServersDelivery',
  'outputFormat',
  'perTaskStopAffordance',
  'permissionPromptToolName',
  'permissionPrompts',
  'planModeInstructions',
  'pluginDelivery',
  'plugins',
  'projectConfigRoot',
  'promptSuggestions',
  'resumeDropsTurn',
  'sandbox',
  'sessionStore',
  'sessionStoreFlush',
  'skills',
  'spawnClaudeCodeProcess',
  'taskBudget',
  'toolAliases',
  'toolConfig',
  'verbatimPrompts',
] as const;

/**
 * An option that is silently ignored is worse than one that is missing. `false` asks for nothing: each of these that is
 * a switch is off by itself.
 * @throws {SdkError} `NOT_SUPPORTED_YET`, naming the option.
 */
export function refuseUnsupported(options: Options): void {
  for (const name of unsupportedOptions) {
    const value: unknown = options[name];
    if (value !== undefined && value !== false) throw notYet(`The option \`${name}\``);
  }
  const { thinking, systemPrompt } = options;
  if (thinking !== undefined && 'display' in thinking && thinking.display !== undefined)
    throw notYet('`thinking.display`');
  if (typeof systemPrompt === 'object' && 'snapshot' in systemPrompt && systemPrompt.snapshot !== undefined) {
    throw notYet('`systemPrompt.snapshot`');
  }
}
