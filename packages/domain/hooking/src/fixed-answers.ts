import { shown } from '@hexagent/checks';
import type { HookOutput } from '@hexagent/ports';
import type { HookHandler } from './hook-call.ts';
import { marked } from './ready-made-marks.ts';

/**
 * A hook for PreToolUse: the call runs without anyone being asked. Deny rules, and other hooks that deny or ask, still
 * hold.
 */
export function allow(...nothing: readonly never[]): HookHandler<'PreToolUse'> {
  if (nothing.length > 0)
    throw new TypeError(`hooks.allow() takes nothing, not ${shown(nothing[0])}: its matcher selects the calls.`);
  return marked(() => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }), {
    name: 'hooks.allow',
    event: 'PreToolUse',
    isHandler: true,
  });
}

/**
 * A hook for PreToolUse: the call is refused, even if a rule or hook allows it. The model reads the reason.
 * @throws {TypeError} without a reason.
 */
export function deny(reason: string): HookHandler<'PreToolUse'> {
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new TypeError(`hooks.deny() needs a reason that the model can read, not ${shown(reason)}.`);
  return marked(() => denied(reason), { name: 'hooks.deny', event: 'PreToolUse', isHandler: true });
}

/** Refuses the call that is about to run. */
export function denied(reason: string): HookOutput<'PreToolUse'> {
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
  };
}
