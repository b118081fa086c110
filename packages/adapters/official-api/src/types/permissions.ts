import type * as vocabulary from '@hexagent/ports';
import type { PermissionAnswer } from '@hexagent/ports';
import type { Mutable, Official } from './mutable.ts';

export type {
  PermissionBehavior,
  PermissionDecisionClassification,
  PermissionDestination as PermissionUpdateDestination,
} from '@hexagent/ports';

export type PermissionRuleValue = Official<vocabulary.PermissionRuleValue>;

/** A change to the CLI's own rules. */
export type PermissionUpdate = Mutable<vocabulary.PermissionUpdate>;

/** Whether a tool call may run. */
export type PermissionResult = Mutable<PermissionAnswer & { readonly toolUseID?: string }>;

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
