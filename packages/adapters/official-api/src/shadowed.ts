import type { WarningListener } from '@hexagent/ports';
import type { Options } from './types/options.ts';

/** Warns about a permission callback that the agent asks about some tools only, or about none. */
export function warnWhenShadowed(
  { canUseTool, permissionMode }: Options,
  allowedTools: readonly string[] = [],
  warn: WarningListener,
): void {
  if (!canUseTool) return;
  const whole = allowedTools.filter((rule) => !rule.includes('('));
  const bypasses = permissionMode === 'bypassPermissions';
  if (!bypasses && whole.length === 0) return;
  const why = bypasses
    ? 'is never called: the mode bypassPermissions allows every tool'
    : `is not called for ${whole.join(', ')}: allowedTools allows them whole`;
  warn({
    code: 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED',
    source: `canUseTool ${why}`,
    message: `canUseTool ${why}. A PreToolUse hook without a matcher is asked about every call of every tool.`,
  });
}
