import { isRecord, plainAnswer } from '@hexagent/checks';
import type { Asker, PermissionAnswer, PermissionContext, PermissionGate, PermissionRequest } from '@hexagent/ports';
import { allow, deny } from './answers.ts';
import { hasRulesWithContent, isPathRule, mayReachFiles, whyChangeIsDenied } from './changed-calls.ts';
import { PermissionPolicy, type PermissionPolicyOptions, type PolicyDecision } from './permission-policy.ts';
import type { ToolCall } from './tool-call.ts';

export interface PermissionServiceOptions extends PermissionPolicyOptions {
  /** Decides what the rules leave open. Without one, all of that is denied. */
  readonly approver?: Asker | undefined;
  /** A policy that may change later, in place of the rules and the mode. */
  readonly policy?: PermissionPolicy | undefined;
  /** Whether a rule that the agent has from elsewhere, as from settings files, has such a call asked about. A rejection counts as yes. */
  readonly isAskedElsewhere?: ((call: ToolCall) => Promise<boolean>) | undefined;
  /** All deny rules that the agent has, those of settings files too. Default: those of the policy. */
  readonly listDenyRules?: (() => Promise<readonly string[]>) | undefined;
}

/**
 * Reasons for which the CLI asks although one of its own allow rules covers the call: an ask rule, a hook that answers
 * "ask", plan mode, a command that may leave the sandbox or avoid a deny rule. For these our allow rules do not apply
 * either, since they must not be stronger than the CLI's.
 */
const outranksAllowRules: ReadonlySet<string | undefined> = new Set(['rule', 'hook', 'mode', 'safetyCheck']);

/**
 * Decides about the calls for which the agent requests permission: the policy first, then the approver, and without one the call is
 * denied. It sees only those calls: `EnforcedPolicy` holds a policy for all of them.
 */
export class PermissionService implements PermissionGate {
  readonly #policy: PermissionPolicy;
  readonly #approver: Asker | undefined;
  readonly #isAskedElsewhere: PermissionServiceOptions['isAskedElsewhere'];
  readonly #listDenyRules: () => Promise<readonly string[]>;

  /** @throws {TypeError} for a malformed rule, naming its list and place, and for an unknown mode. */
  constructor({ approver, policy, isAskedElsewhere, listDenyRules, ...options }: PermissionServiceOptions) {
    if (approver !== undefined && typeof approver !== 'function')
      throw new TypeError('The approver must be a function.');
    this.#policy = policy ?? new PermissionPolicy(options);
    this.#approver = approver;
    this.#isAskedElsewhere = isAskedElsewhere;
    this.#listDenyRules = listDenyRules ?? (async () => this.#policy.rules.deny);
  }

  /**
   * Rejects when the approver throws, and when the deny rules for a changed input cannot be listed; the call is then denied with
   * the message of the error. Returns the approver's answer, unless the policy or a rule of the agent denies the changed input.
   */
  async decide(request: PermissionRequest, context: PermissionContext): Promise<PermissionAnswer | null> {
    let { version } = this.#policy;
    let judged = this.#judge(request, request.input);
    let isAsked = judged.decision !== 'allow' || mustBeAsked(request);
    if (!isAsked && request.decision_reason_type === 'subcommandResults' && this.#isAskedElsewhere !== undefined) {
      // Of a compound command the agent does not report that an ask rule covers a part of it.
      isAsked = await this.#isAskedElsewhere(callOf(request, request.input)).catch(() => true);
      if (this.#policy.version !== version) judged = this.#judge(request, request.input);
      ({ version } = this.#policy);
    }
    const { decision, by, why } = judged;
    if (decision === 'deny') return deny(why);
    if (decision === 'allow' && !isAsked) return allow();
    if (this.#approver === undefined) return deny(noApproverMessage(request.tool_name, { by, why }));
    // A copy, since an approver may change the input that it receives, and the agent runs the original.
    const asked = { ...request, input: { ...request.input } };
    const denied = this.#policy.rules.deny;
    // No deadline: a person may need any time, and the signal aborts when the agent no longer waits.
    const answer = toPlain(await this.#approver(request, context));
    if (answer?.behavior !== 'allow') return answer;
    const { updatedInput: changed } = answer;
    const against = await this.#whyDenied(asked, { changed, denied });
    // The agent runs the input of the answer without checking it again.
    if (changed !== undefined || this.#policy.version !== version) {
      const now = this.#judge(asked, isRecord(changed) ? changed : asked.input);
      if (now.decision === 'deny') return deny(now.why);
    }
    if (against !== undefined) return deny(against);
    if (changed === undefined && !isSame(request.input, asked.input))
      throw new TypeError(
        `Your onAsk changed the input of ${request.tool_name} in place, and the agent would run the original. Pass what it is to run with: allow({ input }).`,
      );
    return answer;
  }

  /** Why an answer is denied: by a changed input, or by a rule with a path that was added while the approver was asked. */
  async #whyDenied(
    asked: PermissionRequest,
    { changed, denied }: { readonly changed: unknown; readonly denied: readonly string[] },
  ): Promise<string | undefined> {
    const { tool_name: tool, input } = asked;
    if (isRecord(changed) && hasRulesWithContent(tool) && JSON.stringify(changed) !== JSON.stringify(input))
      return whyChangeIsDenied(callOf(asked, changed), input, {
        all: await this.#listDenyRules(),
        policy: this.#policy,
      });
    const added = mayReachFiles(tool)
      ? this.#policy.rules.deny.find((rule) => !denied.includes(rule) && isPathRule(rule))
      : undefined;
    return added && `${tool} is denied: the rule "${added}" was added meanwhile, and only the agent can compare it.`;
  }

  #judge(request: PermissionRequest, input: PermissionRequest['input']): PolicyDecision {
    return this.#policy.decide(callOf(request, input));
  }
}

function callOf(request: PermissionRequest, input: PermissionRequest['input']): ToolCall {
  return {
    id: request.tool_use_id,
    tool: request.tool_name,
    input,
    server: request.mcp_server?.name,
    needsPerson: request.requires_user_interaction,
    isAskedFor: true,
  };
}

function noApproverMessage(tool: string, { by, why }: Pick<PolicyDecision, 'by' | 'why'>): string {
  if (by.kind === 'question') return `${tool} needs a person to answer, and there is none.`;
  return by.kind === 'rule' ? `${why} There is nobody to ask.` : `No rule allows ${tool}, and there is nobody to ask.`;
}

/** A plain copy, so that the judged answer is sent. The protocol refuses anything but an object. */
const toPlain = (answer: PermissionAnswer | null): PermissionAnswer | null =>
  isRecord(answer) ? (plainAnswer(answer) as PermissionAnswer) : answer; // the protocol checks the rest

/** Whether two inputs have the same members; what is in these is not compared. */
function isSame(one: PermissionRequest['input'], other: PermissionRequest['input']): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** Whether the approver must be asked. For a compound command the agent gives a reason only where a part fails a safety check. */
const mustBeAsked = ({ decision_reason_type, decision_reason, matched_ask_rule }: PermissionRequest): boolean =>
  matched_ask_rule !== undefined ||
  outranksAllowRules.has(decision_reason_type) ||
  (decision_reason_type === 'subcommandResults' && decision_reason !== undefined);
