import type { HookOutput } from '@hexagent/ports';

/** Refuses the call that is about to run. */
export function denied(reason: string): HookOutput<'PreToolUse'> {
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
  };
}
