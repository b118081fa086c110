import { shown } from '@hexagent/checks';
import type { CommandReader } from '@hexagent/ports';
import { placesOf, type Places } from './path-rules.ts';
import { doubtAbout, isSurelyTool, mayCover, mayNameTool, surelyCovering } from './rule-matching.ts';
import {
  parseRules,
  ruleLists,
  ruleTexts,
  type PermissionRules,
  type Rule,
  type RuleList,
  type RuleLists,
} from './rules.ts';
import { ReadCall, type ToolCall } from './tool-call.ts';
import { coveredBy } from './tool-families.ts';

/**
 * The decision about a call that no rule decides: the approver is asked (`ask`), or it is allowed. `deny` denies every
 * call, those with an allow rule included.
 */
export type PolicyMode = 'ask' | 'allow' | 'deny';

export interface PermissionPolicyOptions extends PermissionRules {
  /** Reads the commands of shells, in calls and in rules. */
  readonly commands: CommandReader;
  /** Default: `ask`. */
  readonly mode?: PolicyMode | undefined;
  /** Where the agent works: rules with relative paths begin there. Without it, they may begin anywhere. */
  readonly cwd?: string | undefined;
  /** The folder that `~` means. */
  readonly home?: string | undefined;
}

/** The decision of a policy about a call, and why. */
export interface PolicyDecision {
  /** `ask`: the callback that answers in place of a person decides, and without one the call is denied. */
  readonly decision: 'allow' | 'deny' | 'ask';
  /** Which rule or what else decides. */
  readonly by: DecidedBy;
  /** The reason, for a person. */
  readonly why: string;
}

/** A rule, the mode, the kind of the call (a question to a person), or nothing. */
export type DecidedBy =
  | {
      readonly kind: 'rule';
      /** The list of the rule. */
      readonly list: RuleList;
      /** The text of the rule. */
      readonly rule: string;
    }
  | {
      readonly kind: 'mode';
      /** The mode that is set. */
      readonly mode: PolicyMode;
    }
  | { readonly kind: 'question' }
  | { readonly kind: 'nothing' };

/** What restricts a call, as its hook found it. */
interface Found {
  readonly call: ReadCall;
  readonly narrowed: PolicyDecision | undefined;
}

/** More calls than an agent makes at the same time. Most of them are never asked about. */
const mostFound = 100;

/** Tools that ask a person a question, which a rule cannot answer. */
const questions: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/**
 * Which tools may run: rules and a mode, both changeable. Decides without a callback. A deny rule comes first, then
 * the mode `deny`, questions to a person, ask rules, allow rules, and the mode `allow`.
 */
export class PermissionPolicy {
  readonly #commands: CommandReader;
  /** The rules of each list by their texts. */
  readonly #lists: Readonly<Record<RuleList, Map<string, Rule>>> = {
    allow: new Map(),
    deny: new Map(),
    ask: new Map(),
  };
  readonly #places: Places;
  /** By the ids of calls, since the last change. */
  readonly #found = new Map<string, Found>();
  #version = 0;
  #mode: PolicyMode;

  /** @throws {TypeError} for a rule that is malformed or would cover nothing, naming its list and place, and for an unknown mode. */
  constructor({ commands, mode = 'ask', cwd, home, ...rules }: PermissionPolicyOptions) {
    this.#commands = commands;
    this.#mode = checkMode(mode);
    this.#places = placesOf(cwd, home);
    this.add(rules);
  }

  /** Grows with each change. */
  get version(): number {
    return this.#version;
  }

  get mode(): PolicyMode {
    return this.#mode;
  }

  /** @throws {TypeError} for an unknown mode. */
  setMode(mode: PolicyMode): void {
    this.#mode = checkMode(mode);
    this.#changed();
  }

  /** The rules as they stand, to be kept as JSON or given to another policy. */
  get rules(): RuleLists {
    const { allow, deny, ask } = this.#lists;
    return { allow: [...allow.keys()], deny: [...deny.keys()], ask: [...ask.keys()] };
  }

  /** @throws {TypeError} for a rule that is malformed or would cover nothing, naming its list and place; nothing is added then. */
  add(rules: PermissionRules): void {
    const read = ruleLists.map((list) => [list, parseRules(rules, list, this.#commands)] as const);
    for (const [list, added] of read) for (const rule of added) this.#lists[list].set(rule.text, rule);
    this.#changed();
  }

  /** @throws {TypeError} for a rule that is malformed or not there, naming its list and place; nothing is removed then. */
  remove(rules: PermissionRules): void {
    const read = ruleLists.map((list) => [list, ruleTexts(rules, list)] as const);
    for (const [list, removed] of read) {
      const missing = removed.findIndex((text) => !this.#lists[list].has(text));
      if (missing !== -1)
        throw new TypeError(`\`permissions.${list}[${missing}]\` is not among the rules, as they are listed.`);
    }
    for (const [list, removed] of read) for (const text of removed) this.#lists[list].delete(text);
    this.#changed();
  }

  #changed(): void {
    this.#version += 1;
    this.#found.clear();
  }

  /**
   * Decides about a call. The CLI may be stricter, and requests permission only for calls that it leaves open. What restricts
   * a call with an id is found once, when its hook judges it.
   */
  decide(call: ToolCall): PolicyDecision {
    const read = new ReadCall(call, this.#places, this.#commands);
    const narrowed = call.id === undefined ? this.#narrowed(read) : this.#narrowedOnce(read, call.id, call.isAskedFor);
    if (narrowed?.decision === 'deny') return narrowed;
    if (isQuestion(call))
      return { decision: 'ask', by: { kind: 'question' }, why: `${call.tool} needs a person to answer.` };
    return (
      narrowed ??
      this.#widened(read, call) ?? {
        decision: 'ask',
        by: { kind: 'nothing' },
        why: `No rule decides about ${call.tool}.`,
      }
    );
  }

  /** Whether a rule that this policy need not have may cover a call. One that cannot be read may cover any. */
  mayCover(rule: string, call: ToolCall): boolean {
    try {
      return new PermissionPolicy({ commands: this.#commands, deny: [rule] }).decide(call).decision === 'deny';
    } catch {
      return true;
    }
  }

  /** The cases in which the agent asks about a command although an allow rule with content covers it. */
  caveatsOf({ tool, input: { command } }: Pick<ToolCall, 'tool' | 'input'>): readonly string[] {
    if (tool !== 'Bash' || typeof command !== 'string') return [];
    return [
      ...(this.#commands.read(command, 'bash').writesFile
        ? ['A rule for a command does not cover the file that its output is written to: the CLI asks about that.']
        : []),
      'Of a command that a rule covers, the CLI asks about files outside the working directory, and about what it cannot check.',
    ];
  }

  /** A hook judges each time: the id may have another input, or be for another folder. */
  #narrowedOnce(call: ReadCall, id: string, isAskedFor = false): PolicyDecision | undefined {
    const found = this.#found.get(id);
    this.#found.delete(id);
    if (isAskedFor) return found?.call.isSame(call) ? found.narrowed : this.#narrowed(call);
    const narrowed = this.#narrowed(call);
    this.#found.set(id, { call, narrowed });
    const [oldest] = this.#found.keys();
    if (this.#found.size > mostFound && oldest !== undefined) this.#found.delete(oldest);
    return narrowed;
  }

  /** A deny rule, the mode `deny`, or an ask rule. */
  #narrowed(call: ReadCall): PolicyDecision | undefined {
    const denying = this.#findNarrowing('deny', call);
    if (denying !== undefined)
      return byRule(
        'deny',
        denying,
        `${call.tool} is denied by the rule "${denying.text}".${doubtAbout(denying, call)}`,
      );
    if (this.#mode === 'deny') return byMode('deny', `${call.tool} is denied: the mode is "deny".`);
    const asking = this.#findNarrowing('ask', call);
    if (asking === undefined) return undefined;
    return byRule('ask', asking, `The rule "${asking.text}" has ${call.tool} asked about.${doubtAbout(asking, call)}`);
  }

  /** An allow rule, or the mode `allow`. */
  #widened(call: ReadCall, { isAskedFor }: ToolCall): PolicyDecision | undefined {
    const rules = [...this.#lists.allow.values()];
    const [tool] = coveredBy(call.tool, false);
    const allowing =
      rules.find((rule) => rule.content === undefined && mayNameTool(rule, call.tool) && isSurelyTool(rule, call)) ??
      (isAskedFor === true
        ? undefined
        : surelyCovering(
            rules.filter((rule) => rule.content !== undefined && rule.tool === tool),
            call,
          ));
    if (allowing !== undefined)
      return byRule('allow', allowing, `${call.tool} is allowed by the rule "${allowing.text}".`);
    return this.#mode === 'allow' ? byMode('allow', `${call.tool} is allowed: the mode is "allow".`) : undefined;
  }

  #findNarrowing(list: 'deny' | 'ask', call: ReadCall): Rule | undefined {
    const rules = [...this.#lists[list].values()];
    const tools = coveredBy(call.tool, true);
    return (
      // A tool that watches the output of a command runs it in a shell.
      rules.find(
        (rule) =>
          rule.content === undefined &&
          (mayNameTool(rule, call.tool) || (call.tool === 'Monitor' && rule.tool === 'Bash')),
      ) ?? rules.find(({ tool, content }) => content !== undefined && tools.includes(tool) && mayCover(content, call))
    );
  }
}

function checkMode(mode: unknown): PolicyMode {
  if (mode === 'ask' || mode === 'allow' || mode === 'deny') return mode;
  throw new TypeError(`The mode of permissions must be "ask", "allow" or "deny", not ${shown(mode)}.`);
}

function byRule(list: RuleList, { text }: Rule, why: string): PolicyDecision {
  return { decision: list, by: { kind: 'rule', list, rule: text }, why };
}

function byMode(mode: 'allow' | 'deny', why: string): PolicyDecision {
  return { decision: mode, by: { kind: 'mode', mode }, why };
}

const isQuestion = ({ tool, needsPerson }: ToolCall): boolean => needsPerson === true || questions.has(tool);
