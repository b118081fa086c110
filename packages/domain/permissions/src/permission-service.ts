import type { Approver, PermissionAnswer, PermissionContext, PermissionGate, PermissionRequest } from '@hexagent/ports';
import { allow, deny } from './answers.ts';
import { denyingRule, isAllowed, judgedRules, type JudgedRules, type PermissionRules } from './rules.ts';

export interface PermissionServiceOptions extends PermissionRules {
  /** Who is asked about what the rules leave open. Without one, all of it is denied. */
  readonly approver?: Approver | undefined;
}

/** Tools that are a question to a person; a rule cannot answer it. */
const questions: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/**
 * Why the CLI asks although one of its own allow rules covers the call: an ask rule, a hook that wants the question
 * asked, plan mode, a command that may undo the sandbox or go around a deny rule. An allow rule of ours must not be
 * stronger than the CLI's, so it does not answer these.
 */
const outranksAllowRules: ReadonlySet<string | undefined> = new Set(['rule', 'hook', 'mode', 'safetyCheck']);

/**
 * May this tool run? A deny rule says no, what needs a person goes to the approver, an allow rule says yes, the
 * approver decides the rest, and nobody means no. Rules with content, such as `Bash(rm *)`, are the CLI's to enforce:
 * whoever builds this service launches the CLI with `launchRules()` of the same rules.
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

  /** Rejects when the approver throws: the call is denied with those words, and the failure is seen. What it answers is handed on as it is. */
  async decide(request: PermissionRequest, context: PermissionContext): Promise<PermissionAnswer | null> {
    const rule = denyingRule(this.#rules, request);
    if (rule !== undefined) return deny(`${request.tool_name} is denied by the rule "${rule}".`);
    if (isQuestion(request))
      return await this.#ask(request, context, `${request.tool_name} needs a person to answer, and there is none.`);
    if (!mustBeAsked(request) && isAllowed(this.#rules, request)) return allow();
    return await this.#ask(request, context, `No rule allows ${request.tool_name}, and there is nobody to ask.`);
  }

  async #ask(request: PermissionRequest, context: PermissionContext, nobody: string): Promise<PermissionAnswer | null> {
    // No deadline: a person may take as long as it takes, and the signal says when the agent no longer waits.
    return this.#approver === undefined ? deny(nobody) : await this.#approver(request, context);
  }
}

const isQuestion = ({ tool_name, requires_user_interaction }: PermissionRequest): boolean =>
  requires_user_interaction === true || questions.has(tool_name);

const mustBeAsked = ({ decision_reason_type, matched_ask_rule }: PermissionRequest): boolean =>
  matched_ask_rule !== undefined || outranksAllowRules.has(decision_reason_type);
