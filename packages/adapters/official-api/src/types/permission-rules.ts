import type { PermissionRuleEntry, PermissionRulesState } from '@hexagent/ports';
import type { Official } from './mutable.ts';

/** The agent's answer to `list_permission_rules`. */
export type SDKControlListPermissionRulesResponse = { state: SDKControlPermissionRulesState };

export type SDKControlPermissionRulesState = Official<PermissionRulesState>;

/** A rule that the agent follows, and where it has it from. */
export type SDKPermissionRuleEntry = Official<PermissionRuleEntry>;

/** A rule as text, in three parts. */
export type SDKPermissionRuleDescription = NonNullable<SDKPermissionRuleEntry['description']>;

export type SDKPermissionWorkspaceDirectory = SDKControlPermissionRulesState['workspaceDirectories'][number];
