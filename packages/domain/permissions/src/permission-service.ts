import {
  isRecord,
  jsonCopy,
  type Asker,
  type PermissionAnswer,
  type PermissionContext,
  type PermissionGate,
  type PermissionRequest,
} from '@hexagent/ports';
import { allow, deny } from './answers.ts';
import { PermissionPolicy, type PermissionPolicyOptions, type PolicyDecision } from './permission-policy.ts';
import type { ToolCall } from './tool-call.ts';

export interface PermissionServiceOptions extends PermissionPolicyOptions {
  /** Decides what the rules leave open. Without one, all of that is denied. */
  readonly approver?: Asker | undefined;
  /** A policy that may change later, in place of the rules and the mode. */
  readonly policy?: PermissionPolicy | undefined;
  /** Whether a rule that the agent has from elsewhere, as from settings files, has such a call asked about. A rejection counts as yes. */
  readonly isAskedElsewhere?: ((call: ToolCall) => Promise<boolean>) | undefined;
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

  /** @throws {TypeError} for a malformed rule, naming its list and place, and for an unknown mode. */
  constructor({ approver, policy, isAskedElsewhere, ...options }: PermissionServiceOptions = {}) {
    if (approver !== undefined && typeof approver !== 'function')
      throw new TypeError('The approver must be a function.');
    this.#policy = policy ?? new PermissionPolicy(options);
    this.#approver = approver;
    this.#isAskedElsewhere = isAskedElsewhere;
  }

  /**
   * Rejects when the approver throws; the call is then denied with the message of the error. Returns the approver's answer
   * unchanged, unless the policy denies the input that it changes.
   */
  async decide(request: PermissionRequest, context: PermissionContext): Promise<PermissionAnswer | null> {
    let judged = this.#judge(request, request.input);
    let isAsked = judged.decision !== 'allow' || mustBeAsked(request);
    if (!isAsked && request.decision_reason_type === 'subcommandResults' && this.#isAskedElsewhere !== undefined) {
      // Of a compound command the agent does not report that an ask rule covers a part of it.
      isAsked = await this.#isAskedElsewhere(callOf(request, request.input)).catch(() => true);
      judged = this.#judge(request, request.input);
    }
    const { decision, by, why } = judged;
    if (decision === 'deny') return deny(why);
    if (decision === 'allow' && !isAsked) return allow();
    if (this.#approver === undefined) return deny(nobodyAbout(request.tool_name, { by, why }));
    // A copy, since an approver may change the input that it receives, and the agent runs the original.
    const asked = { ...request, input: { ...request.input } };
    // No deadline: a person may need any time, and the signal aborts when the agent no longer waits.
    const answer = readOnce(await this.#approver(request, context));
    if (answer?.behavior !== 'allow') return answer;
    // The policy may have changed while a person was asked, and the agent runs the input of the answer without checking it again.
    const { updatedInput: changed } = answer;
    const now = this.#judge(asked, isRecord(changed) ? changed : asked.input);
    if (now.decision === 'deny') return deny(now.why);
    if (changed === undefined && !isSame(request.input, asked.input))
      throw new TypeError(
        `The approver changed the input of ${request.tool_name} in place, and the agent would run the original. Pass what it is to run with: allow({ input }).`,
      );
    return answer;
  }

  #judge(request: PermissionRequest, input: PermissionRequest['input']): PolicyDecision {
    return this.#policy.decide(callOf(request, input));
  }
}

function callOf(request: PermissionRequest, input: PermissionRequest['input']): ToolCall {
  return {
    tool: request.tool_name,
    input,
    server: request.mcp_server?.name,
    needsPerson: request.requires_user_interaction,
    isAskedFor: true,
  };
}

function nobodyAbout(tool: string, { by, why }: Pick<PolicyDecision, 'by' | 'why'>): string {
  if (by.kind === 'question') return `${tool} needs a person to answer, and there is none.`;
  return by.kind === 'rule' ? `${why} There is nobody to ask.` : `No rule allows ${tool}, and there is nobody to ask.`;
}

/**
 * The answer of an approver, each field read once: what is judged is what is sent. It may be anything; what is no answer,
 * and an input that JSON cannot carry, is for the protocol to refuse.
 */
function readOnce(answer: PermissionAnswer | null): PermissionAnswer | null {
  if (!isRecord(answer)) return answer;
  const fields: PermissionAnswer = { ...answer };
  // A class may inherit them.
  for (const name of answerFields)
    if (!Object.hasOwn(fields, name) && name in answer) Reflect.set(fields, name, Reflect.get(answer, name));
  const { copy } = jsonCopy(Reflect.get(fields, 'updatedInput'), { name: 'updatedInput', exact: true });
  if (copy !== undefined) Reflect.set(fields, 'updatedInput', copy);
  return fields;
}

const answerFields = ['behavior', 'message', 'interrupt', 'updatedInput', 'updatedPermissions'];

/** Whether two inputs have the same members; what is in these is not compared. */
function isSame(one: PermissionRequest['input'], other: PermissionRequest['input']): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** For a compound command the agent gives a reason in words only where a part of it fails a safety check. */
const mustBeAsked = ({ decision_reason_type, decision_reason, matched_ask_rule }: PermissionRequest): boolean =>
  matched_ask_rule !== undefined ||
  outranksAllowRules.has(decision_reason_type) ||
  (decision_reason_type === 'subcommandResults' && decision_reason !== undefined);
