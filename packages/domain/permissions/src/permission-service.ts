import type { Approver, PermissionAnswer, PermissionContext, PermissionGate, PermissionRequest } from '@hexagent/ports';
import { allow, deny } from './answers.ts';
import { denyingRule, isAllowed, judgedRules, type JudgedRules, type PermissionRules } from './rules.ts';

export interface PermissionServiceOptions extends PermissionRules {
  /** Decides what the rules leave open. Without one, all of that is denied. */
  readonly approver?: Approver | undefined;
}

/** Tools that ask a person a question, which a rule cannot answer. */
const questions: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/**
 * Reasons for which the CLI asks although one of its own allow rules covers the call: an ask rule, a hook that answers
 * "ask", plan mode, a command that may leave the sandbox or avoid a deny rule. For these our allow rules do not apply
 * either, since they must not be stronger than the CLI's.
 */
const outranksAllowRules: ReadonlySet<string | undefined> = new Set(['rule', 'hook', 'mode', 'safetyCheck']);

/**
 * Decides whether a tool may run. Deny rules come first, then questions to a person, which go to the approver, then allow
 * rules; the approver decides the rest, and without one it is denied. The CLI enforces rules with content, such as
 * `Bash(rm *)`: a program that builds this service launches the CLI with `launchRules()` of the same rules.
 */
export class PermissionService implements PermissionGate {
  readonly #rules: JudgedRules;
  readonly #approver: Approver | undefined;

  /** @throws {TypeError} for a malformed rule, naming its list and place. */
  constructor({ approver, ...rules }: PermissionServiceOptions = {}) {
    if (approver !== undefined && typeof approver !== 'function')
      throw new TypeError('The approver must be a function.');
    this.#rules = judgedRules(rules);
    this.#approver = approver;
  }

  /** Rejects when the approver throws; the call is then denied with the message of the error. Returns the approver's answer unchanged. */
  async decide(request: PermissionRequest, context: PermissionContext): Promise<PermissionAnswer | null> {
    const rule = denyingRule(this.#rules, request);
    if (rule !== undefined) return deny(`${request.tool_name} is denied by the rule "${rule}".`);
    if (isQuestion(request))
      return await this.#ask(request, context, `${request.tool_name} needs a person to answer, and there is none.`);
    if (!mustBeAsked(request) && isAllowed(this.#rules, request)) return allow();
    return await this.#ask(request, context, `No rule allows ${request.tool_name}, and there is nobody to ask.`);
  }

  async #ask(request: PermissionRequest, context: PermissionContext, nobody: string): Promise<PermissionAnswer | null> {
    // No deadline: a person may need any time, and the signal aborts when the agent no longer waits.
    return this.#approver === undefined ? deny(nobody) : await this.#approver(request, context);
  }
}

const isQuestion = ({ tool_name, requires_user_interaction }: PermissionRequest): boolean =>
  requires_user_interaction === true || questions.has(tool_name);

const mustBeAsked = ({ decision_reason_type, matched_ask_rule }: PermissionRequest): boolean =>
  matched_ask_rule !== undefined || outranksAllowRules.has(decision_reason_type);
