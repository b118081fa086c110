import type { PermissionMode } from './common.ts';

export type PermissionBehavior = 'allow' | 'deny' | 'ask';

/** Where a changed rule is kept; `session` and `cliArg` are forgotten at the end. */
export type PermissionUpdateDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';

export type PermissionRuleValue = { toolName: string; ruleContent?: string };

type RuleUpdate<Type extends string> = {
  type: Type;
  rules: PermissionRuleValue[];
  behavior: PermissionBehavior;
  destination: PermissionUpdateDestination;
};

/** A change to the CLI's own rules. */
export type PermissionUpdate =
  | RuleUpdate<'addRules'>
  | RuleUpdate<'replaceRules'>
  | RuleUpdate<'removeRules'>
  | { type: 'setMode'; mode: PermissionMode; destination: PermissionUpdateDestination }
  | { type: 'addDirectories'; directories: string[]; destination: PermissionUpdateDestination }
  | { type: 'removeDirectories'; directories: string[]; destination: PermissionUpdateDestination };

/** What kind of answer a person gave; the agent only counts it. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';

export type PermissionResult =
  | {
      behavior: 'allow';
      /** Runs the tool with this input instead. */
      updatedInput?: Record<string, unknown>;
      /** Changes to the rules, usually taken from `suggestions`. */
      updatedPermissions?: PermissionUpdate[];
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    }
  | {
      behavior: 'deny';
      /** The model reads it. */
      message: string;
      /** Also ends the turn. */
      interrupt?: boolean;
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    };

/**
 * Asked for each call that the CLI's rules, mode and hooks leave open. `null` leaves the request unanswered, for someone
 * else to answer; a throw denies with the error's message.
 */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    /** Aborts when the agent withdraws the question. */
    signal: AbortSignal;
    /** Changes to the rules after which this would not be asked again. */
    suggestions?: PermissionUpdate[];
    /** The path that made the agent ask. */
    blockedPath?: string;
    mcpServer?: { name: string; source: string };
    decisionReason?: string;
    title?: string;
    displayName?: string;
    description?: string;
    defaultToNo?: boolean;
    suppressAlwaysAllowRule?: boolean;
    toolUseID: string;
    /** Set when a subagent asks. */
    agentID?: string;
    requestId: string;
    matchedAskRule?: { source: string; toolName: string; ruleContent?: string };
  },
) => Promise<PermissionResult | null>;
