import { shown } from '@hexagent/ports';
import { RuleIndex } from './rule-index.ts';
import { parseRules, ruleLists, type PermissionRules, type Rule, type RuleList } from './rules.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * What becomes of a call that no rule decides: the approver is asked (`ask`), or it is allowed. `deny` denies every
 * call, those with an allow rule included.
 */
export type PolicyMode = 'ask' | 'allow' | 'deny';

export interface PermissionPolicyOptions extends PermissionRules {
  /** Default: `ask`. */
  readonly mode?: PolicyMode | undefined;
}

/** What a policy says of a call, and why. */
export interface PolicyDecision {
  /** `ask`: whoever answers in place of a person decides, and without one the call is denied. */
  readonly decision: 'allow' | 'deny' | 'ask';
  readonly by: DecidedBy;
  /** The same for a reader. */
  readonly why: string;
}

/** A rule, the mode, that the call is a question to a person, or nothing of these. */
export type DecidedBy =
  | { readonly kind: 'rule'; readonly list: RuleList; readonly rule: string }
  | { readonly kind: 'mode'; readonly mode: PolicyMode }
  | { readonly kind: 'question' }
  | { readonly kind: 'nothing' };

/** Tools that ask a person a question, which a rule cannot answer. */
const questions: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/**
 * Which tools may run: rules and a mode, both changeable. Decides without asking anybody. A deny rule comes first, then
 * the mode `deny`, questions to a person, ask rules, allow rules, and the mode `allow`.
 */
export class PermissionPolicy {
  readonly #lists: Readonly<Record<RuleList, RuleIndex>> = {
    allow: new RuleIndex(),
    deny: new RuleIndex(),
    ask: new RuleIndex(),
  };
  #mode: PolicyMode;

  /** @throws {TypeError} for a malformed rule, naming its list and place, and for an unknown mode. */
  constructor({ mode = 'ask', ...rules }: PermissionPolicyOptions = {}) {
    this.#mode = checkMode(mode);
    this.add(rules);
  }

  get mode(): PolicyMode {
    return this.#mode;
  }

  /** @throws {TypeError} for an unknown mode. */
  setMode(mode: PolicyMode): void {
    this.#mode = checkMode(mode);
  }

  /** The rules as they stand, to be kept as JSON or given to another policy. */
  get rules(): Required<PermissionRules> {
    const { allow, deny, ask } = this.#lists;
    return { allow: allow.texts, deny: deny.texts, ask: ask.texts };
  }

  /** @throws {TypeError} for a malformed rule, naming its list and place; nothing is added then. */
  add(rules: PermissionRules): void {
    const read = ruleLists.map((list) => [list, parseRules(rules, list)] as const);
    for (const [list, added] of read) for (const rule of added) this.#lists[list].add(rule);
  }

  /** @throws {TypeError} for a rule that is malformed or not there, naming its list and place; nothing is removed then. */
  remove(rules: PermissionRules): void {
    const read = ruleLists.map((list) => [list, parseRules(rules, list)] as const);
    for (const [list, removed] of read) {
      const missing = removed.findIndex(({ text }) => !this.#lists[list].has(text));
      if (missing !== -1)
        throw new TypeError(`permissions.${list}[${missing}] is not among the rules, as they are listed.`);
    }
    for (const [list, removed] of read) for (const { text } of removed) this.#lists[list].remove(text);
  }

  /** What the policy says of a call. The CLI may be stricter, and it asks only about what it leaves open. */
  decide(call: ToolCall): PolicyDecision {
    const { tool } = call;
    const denying = this.#lists.deny.find(call, covers);
    if (denying !== undefined) return byRule('deny', denying, `${tool} is denied by the rule "${denying.text}".`);
    if (this.#mode === 'deny') return byMode('deny', 'deny', `${tool} is denied: the mode is "deny".`);
    if (isQuestion(call))
      return { decision: 'ask', by: { kind: 'question' }, why: `${tool} needs a person to answer.` };
    const asking = this.#lists.ask.find(call, covers);
    if (asking !== undefined) return byRule('ask', asking, `The rule "${asking.text}" asks about ${tool}.`);
    const allowing = this.#lists.allow.find(call, (rule) => covers(rule) && isSurelyMeant(rule, call));
    if (allowing !== undefined) return byRule('allow', allowing, `${tool} is allowed by the rule "${allowing.text}".`);
    if (this.#mode === 'allow') return byMode('allow', 'allow', `${tool} is allowed: the mode is "allow".`);
    return { decision: 'ask', by: { kind: 'nothing' }, why: `No rule decides about ${tool}.` };
  }
}

function checkMode(mode: unknown): PolicyMode {
  if (mode === 'ask' || mode === 'allow' || mode === 'deny') return mode;
  throw new TypeError(`The mode of permissions must be "ask", "allow" or "deny", not ${shown(mode)}.`);
}

function byRule(list: RuleList, { text }: Rule, why: string): PolicyDecision {
  return { decision: list, by: { kind: 'rule', list, rule: text }, why };
}

function byMode(decision: PolicyDecision['decision'], mode: PolicyMode, why: string): PolicyDecision {
  return { decision, by: { kind: 'mode', mode }, why };
}

const isQuestion = ({ tool, needsPerson }: ToolCall): boolean => needsPerson === true || questions.has(tool);

/** Rules with content are judged by the CLI, which has them from the launch. */
const covers = ({ content }: Rule): boolean => content === undefined;

/** An ambiguous name is allowed only when the call names the server: `mcp__a__b__c` may be tool `b__c` of server `a`, or tool `c` of `a__b`. */
function isSurelyMeant({ tool: rule }: Rule, { tool, server }: ToolCall): boolean {
  if (tool === rule) return true;
  // The CLI replaces every character that a tool's name must not contain with an underscore.
  if (server) return rule === `mcp__${server.replaceAll(/[^\w-]/g, '_')}`;
  return !tool.slice(rule.length + 2).includes('__');
}
