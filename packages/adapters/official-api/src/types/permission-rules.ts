import type { SDKSettingsParseError } from './resolved-settings.ts';

/** The agent's answer to `list_permission_rules`. */
export type SDKControlListPermissionRulesResponse = { state: SDKControlPermissionRulesState };

export type SDKControlPermissionRulesState = {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
};

/** A rule that the agent follows, and where it has it from. */
export type SDKPermissionRuleEntry = {
  behavior: 'allow' | 'deny' | 'ask';
  source:
    | 'userSettings'
    | 'projectSettings'
    | 'localSettings'
    | 'flagSettings'
    | 'policySettings'
    | 'cliArg'
    | 'command'
    | 'session'
    | 'mcpMount'
    | 'toolsNarrowing'
    | 'mcpServerPolicy'
    | 'hostCredential';
  rule: string;
  description?: SDKPermissionRuleDescription;
  editability: 'persistent' | 'session' | 'readonly';
  notInEffect?: boolean;
};

/** A rule in words, in three parts. */
export type SDKPermissionRuleDescription = { prefix: string; emphasis?: string; suffix?: string };

export type SDKPermissionWorkspaceDirectory = { path: string; source: string };
