import { whyNotAsked } from '@hexagent/checks';
import type { LaunchOptions, WarningListener } from '@hexagent/ports';
import type { Options } from './types/options.ts';

/** Warns about a permission callback that is called for some tools only, or never. */
export function warnWhenShadowed({ canUseTool }: Options, launch: LaunchOptions, warn: WarningListener): void {
  if (!canUseTool) return;
  const why = whyNotAsked({
    mode: launch.permissionMode,
    prompts: launch.permissionPrompts,
    allow: launch.allowedTools,
    deny: launch.disallowedTools,
    skills: launch.skills,
    tools: launch.tools,
    extraArgs: launch.extraArgs,
    settings: launch.settings,
    hasServers: Object.keys(launch.mcpServers ?? {}).length > 0,
    mayBeForQuestions: false,
    reportsParts: true,
  });
  if (why === undefined) return;
  warn({ code: 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED', source: `canUseTool ${why}`, message: `canUseTool ${why}` });
}
