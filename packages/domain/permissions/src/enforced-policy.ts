import { Serial } from '@hexagent/async';
import { errorText } from '@hexagent/checks';
import {
  SdkError,
  type FeatureControl,
  type HookDispatcher,
  type HookTable,
  type SessionFeature,
} from '@hexagent/ports';
import { UnknownTools } from './unknown-tools.ts';
import type { PermissionPolicy, PolicyMode } from './permission-policy.ts';
import {
  noRules,
  rulesBeside,
  toMode,
  withoutRules,
  withRules,
  type PolicyChange,
  type PolicyState,
} from './policy-changes.ts';
import { heldToPolicy, withPolicy } from './policy-hooks.ts';
import { hasContent, ruleLists, ruleTexts, type PermissionRules, type RuleLists } from './rules.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * Holds a policy for every call of a session, and keeps it held while it changes. The agent is launched with the deny and
 * the ask rules of the start, and is given later ones, and allow rules with content, at run time. A hook judges every call.
 */
export class EnforcedPolicy {
  readonly #policy: PermissionPolicy;
  readonly #start: RuleLists;
  #control: FeatureControl | undefined;
  /** The changes that the agent has answered. The policy itself has the open ones too. */
  #settled: PolicyState;
  readonly #open: PolicyChange[] = [];
  /** The last rules that the agent accepted. */
  #taken: RuleLists = noRules;
  readonly #serial = new Serial();
  readonly #unknownTools = new UnknownTools();

  /** The rules and the mode of the policy are those with which the agent is launched. From then on it is changed here alone. */
  constructor(policy: PermissionPolicy) {
    this.#policy = policy;
    this.#start = policy.rules;
    this.#settled = { mode: policy.mode, rules: policy.rules };
    this.#findUnknownTools(policy.rules);
  }

  get feature(): SessionFeature {
    return {
      name: 'policy',
      attach: (control) => this.#attach(control),
      toolsListed: (tools) => this.#unknownTools.toolsListed(tools),
    };
  }

  /** The hooks of the program, and before them that of the policy. */
  hooks(table: HookTable | undefined): HookTable {
    return withPolicy(this.#policy, table);
  }

  /** The dispatcher of these hooks, whose answers are held to the policy. */
  dispatcher(dispatcher: HookDispatcher): HookDispatcher {
    return heldToPolicy(this.#policy, dispatcher);
  }

  /** All deny rules that the agent has, also those of settings files. Rejects when it does not list its rules. */
  readonly listDenyRules = async (): Promise<readonly string[]> => {
    const answer = await this.#control?.request('list_permission_rules', {});
    const listed = answer?.state.rules.flatMap(({ behavior, rule }) => (behavior === 'deny' ? [rule] : [])) ?? [];
    return [...new Set([...this.#policy.rules.deny, ...listed])];
  };

  /** Whether any ask rule that the agent has covers the call, also one of a settings file. Rejects when the agent does not list its rules. */
  readonly isAskedElsewhere = async (call: ToolCall): Promise<boolean> => {
    const answer = await this.#control?.request('list_permission_rules', {});
    return (
      answer?.state.rules.some(({ behavior, rule }) => behavior === 'ask' && this.#policy.mayCover(rule, call)) ?? true
    );
  };

  /** Holds at once in this process. Rejects when the agent does not take or give up the mode `deny`, which then holds. */
  async setMode(mode: PolicyMode): Promise<void> {
    this.#policy.setMode(mode);
    await this.#settle(toMode(mode));
  }

  /**
   * Holds at once in this process. Rejects when the agent does not take the rules; those that narrow hold nevertheless,
   * and those that allow do not.
   */
  async add(rules: PermissionRules): Promise<void> {
    this.#policy.add(rules);
    this.#findUnknownTools(rules);
    await this.#settle(withRules(rules));
  }

  /**
   * @throws {TypeError} for a rule with which the agent was launched to narrow it: the agent keeps that to its end.
   * Rejects when the agent does not give a rule up; the rule then stays.
   */
  async remove(rules: PermissionRules): Promise<void> {
    this.#refuseFirstRules(rules);
    this.#policy.remove(rules);
    await this.#settle(withoutRules(rules));
  }

  #findUnknownTools(rules: PermissionRules): void {
    for (const list of ruleLists) this.#unknownTools.add(`permissions.${list}`, rules[list] ?? []);
  }

  #refuseFirstRules(rules: PermissionRules): void {
    for (const list of ['deny', 'ask'] as const)
      for (const [index, text] of ruleTexts(rules, list).entries())
        if (this.#start[list].includes(text))
          throw new TypeError(
            `\`permissions.${list}[${index}]\` was given at the start, and the agent keeps it to its end. Rules that are added later can be taken back.`,
          );
  }

  /**
   * Settles a change when those before it are settled, so that each resolves with its own outcome, and the agent receives
   * the last state last. Only a change that the agent refuses is reverted.
   */
  #settle(change: PolicyChange): Promise<void> {
    this.#open.push(change);
    return this.#serial.run(async () => {
      const after = change.accepted(this.#settled);
      try {
        if (this.#mustBeGiven(change, after)) await this.#give(after);
        this.#settled = after;
        this.#open.shift();
      } catch (error) {
        this.#settled = change.refused(this.#settled);
        this.#open.shift();
        this.#restore();
        throw error;
      }
    });
  }

  /** A later change does not repeat rules that the agent has refused, unless the change is about them. */
  #mustBeGiven({ needed }: PolicyChange, after: PolicyState): boolean {
    const given = this.#givenIn(after);
    if (isSame(given, this.#taken)) return false;
    return !isSame(given, this.#givenIn(this.#settled)) || !isSame(this.#givenIn(needed), noRules);
  }

  /** Sets the policy to the settled state with the open changes applied. */
  #restore(): void {
    const { mode, rules } = this.#open.reduce((state, { accepted }) => accepted(state), this.#settled);
    const now = this.#policy.rules;
    this.#policy.setMode(mode);
    this.#policy.add(rulesBeside(rules, now));
    this.#policy.remove(rulesBeside(now, rules));
  }

  /** The rules that the agent is given at run time, each time all of them: they replace those of before. */
  #givenIn({ mode, rules }: PolicyState): RuleLists {
    const { deny, ask } = rulesBeside(rules, this.#start);
    return {
      allow: rules.allow.filter((text) => hasContent(text)),
      // Shell lines in commands of settings files are not tool calls, so the agent itself needs a rule for the mode.
      deny: [...deny, ...(mode === 'deny' ? ['*'] : [])],
      ask,
    };
  }

  #attach(control: FeatureControl): void {
    this.#control = control;
    this.#unknownTools.attach(control);
    // At the start the deny and ask rules are in the launch.
    if (isSame(this.#givenIn(this.#settled), noRules)) return;
    this.#serial
      .run(() => this.#give(this.#settled))
      .catch((error: unknown) => {
        // An agent that has exited follows no rules, and its exit is reported elsewhere.
        if (!SdkError.is(error) || (error.code !== 'REQUEST_FAILED' && error.code !== 'REQUEST_UNSUPPORTED')) return;
        control.warn({
          code: 'HEXAGENT_RULES_NOT_TAKEN',
          source: 'permissions',
          message: `The agent did not take the allow rules with content and the mode of the policy: ${errorText(error)}`,
          cause: error,
        });
      });
  }

  async #give(state: PolicyState): Promise<void> {
    const permissions = this.#givenIn(state);
    await this.#control?.request('apply_flag_settings', { settings: { permissions } });
    this.#taken = permissions;
  }
}

const isSame = (one: RuleLists, other: RuleLists): boolean => JSON.stringify(one) === JSON.stringify(other);
