import type { RememberScope } from './approvals.ts';
import type { PermissionDestination, PermissionRuleValue, PermissionUpdate } from './vocabulary/permission-values.ts';

/** Where a rule can be stored. */
export type StoredIn = Exclude<PermissionDestination, 'cliArg'>;

/** Where the CLI stores what is remembered. */
export const rememberDestinations: Readonly<Record<RememberScope, StoredIn>> = {
  session: 'session',
  local: 'localSettings',
  project: 'projectSettings',
  user: 'userSettings',
};

/** As the agent lists it. */
export function ruleText({ toolName, ruleContent }: PermissionRuleValue): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}

/**
 * The rules that such calls be allowed, of what the agent suggests. Read with care: the agent sends them, and another version may send
 * other things.
 */
export function allowRulesIn(
  suggestions: readonly PermissionUpdate[] | undefined,
): readonly (readonly PermissionRuleValue[])[] {
  if (!Array.isArray(suggestions)) return [];
  return (suggestions as readonly PermissionUpdate[]).flatMap((update) => {
    const isRule = update.type === 'addRules' && update.behavior === 'allow' && Array.isArray(update.rules);
    return isRule ? [update.rules] : [];
  });
}
