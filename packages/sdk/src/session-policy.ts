import { withHandledPromises } from '@hexagent/async';
import type { PermissionPolicy, PermissionRules, PolicyDecision, PolicyMode } from '@hexagent/permissions';
import { permissionRules, policyMode, toolName } from './checks/tool-names.ts';
import { requestFields } from './checks/input.ts';
import type { SessionPermissions } from './session-options.ts';

/** Which tools the session's agent may use, as it stands now. */
export interface SessionPolicy {
  /** What becomes of a call that no rule decides; `deny` denies every call. */
  readonly mode: PolicyMode;
  /** Resolves when it holds. */
  setMode(mode: PolicyMode): Promise<void>;
  /** The rules as plain data: `permissions` of another session may be made of them. */
  readonly rules: Required<PermissionRules>;
  /** Adds rules; those already there stay as they are. Resolves when they hold. */
  add(rules: PermissionRules): Promise<void>;
  /** Takes rules back, by their text. Rejects, and removes nothing, when one of them is not there. Resolves when it holds. */
  remove(rules: PermissionRules): Promise<void>;
  /** What would become of a call, which rule or mode decides it, and why. */
  explain(tool: string, input?: Readonly<Record<string, unknown>>): PermissionExplanation;
}

/** A decision of the policy, and what it cannot foresee. */
export interface PermissionExplanation extends PolicyDecision {
  /** What else has a say in it: the CLI's own mode, settings files, hooks. */
  readonly besides: readonly string[];
}

export function toSessionPolicy(policy: PermissionPolicy, permissions: SessionPermissions | undefined): SessionPolicy {
  return withHandledPromises<SessionPolicy>({
    get mode() {
      return policy.mode;
    },
    get rules() {
      return policy.rules;
    },
    setMode: async (mode) => policy.setMode(policyMode(mode, 'mode')),
    add: async (rules) => policy.add(permissionRules(rules, 'rules')),
    remove: async (rules) => policy.remove(permissionRules(rules, 'rules')),
    explain(tool, input = {}) {
      const call = { tool: toolName(tool, 'tool'), input: requestFields(input, 'input') };
      return explained(policy.decide(call), permissions);
    },
  });
}

function explained(decided: PolicyDecision, permissions: SessionPermissions | undefined): PermissionExplanation {
  const hasApprover = permissions?.approver !== undefined;
  if (decided.decision === 'ask' && !hasApprover)
    return {
      ...decided,
      decision: 'deny',
      why: `${decided.why} There is nobody to ask, so it is denied.`,
      besides: [],
    };
  return { ...decided, besides: [] };
}
