import type { Asker, PermissionAnswer, PermissionContext, PermissionGate, PermissionRequest } from '@hexagent/ports';
import { allow, deny } from './answers.ts';
import { PermissionPolicy, type PermissionPolicyOptions } from './permission-policy.ts';

export interface PermissionServiceOptions extends PermissionPolicyOptions {
  /** Decides what the rules leave open. Without one, all of that is denied. */
  readonly approver?: Asker | undefined;
  /** A policy that may change later, in place of the rules and the mode. */
  readonly policy?: PermissionPolicy | undefined;
}

/**
 * Reasons for which the CLI asks although one of its own allow rules covers the call: an ask rule, a hook that answers
 * "ask", plan mode, a command that may leave the sandbox or avoid a deny rule. For these our allow rules do not apply
 * either, since they must not be stronger than the CLI's.
 */
const outranksAllowRules: ReadonlySet<string | undefined> = new Set(['rule', 'hook', 'mode', 'safetyCheck']);

/**
 * Decides about the calls that the agent asks about: the policy first, then the approver, and without one the call is
 * denied. The CLI enforces rules with content, such as `Bash(rm *)`: a program that builds this service launches the CLI
 * with `launchRules()` of the same rules.
 */
export class PermissionService implements PermissionGate {
  readonly #policy: PermissionPolicy;
  readonly #approver: Asker | undefined;

  /** @throws {TypeError} for a malformed rule, naming its list and place, and for an unknown mode. */
  constructor({ approver, policy, ...options }: PermissionServiceOptions = {}) {
    if (approver !== undefined && typeof approver !== 'function')
      throw new TypeError('The approver must be a function.');
    this.#policy = policy ?? new PermissionPolicy(options);
    this.#approver = approver;
  }

  /** Rejects when the approver throws; the call is then denied with the message of the error. Returns the approver's answer unchanged. */
  async decide(request: PermissionRequest, context: PermissionContext): Promise<PermissionAnswer | null> {
    const { decision, by, why } = this.#policy.decide({
      tool: request.tool_name,
      input: request.input,
      server: request.mcp_server?.name,
      needsPerson: request.requires_user_interaction,
    });
    if (decision === 'deny') return deny(why);
    if (decision === 'allow' && !mustBeAsked(request)) return allow();
    if (this.#approver === undefined)
      return deny(
        by.kind === 'question'
          ? `${request.tool_name} needs a person to answer, and there is none.`
          : `No rule allows ${request.tool_name}, and there is nobody to ask.`,
      );
    // No deadline: a person may need any time, and the signal aborts when the agent no longer waits.
    return await this.#approver(request, context);
  }
}

const mustBeAsked = ({ decision_reason_type, matched_ask_rule }: PermissionRequest): boolean =>
  matched_ask_rule !== undefined || outranksAllowRules.has(decision_reason_type);
