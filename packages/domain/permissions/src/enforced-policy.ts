import {
  errorText,
  SdkError,
  type FeatureControl,
  type HookDispatcher,
  type HookTable,
  type SessionFeature,
} from '@hexagent/ports';
import type { PermissionPolicy, PolicyMode } from './permission-policy.ts';
import { heldToPolicy, withPolicy } from './policy-hooks.ts';
import { parseRules, type PermissionRules, type RuleLists } from './rules.ts';

/**
 * Holds a policy for every call of a session, and keeps it held while it changes. The agent is launched with the deny and
 * the ask rules of the start; those that come later, and allow rules with content, it is given at run time. A hook judges every call.
 */
export class EnforcedPolicy {
  readonly #policy: PermissionPolicy;
  readonly #start: RuleLists;
  #control: FeatureControl | undefined;
  #changes: Promise<unknown> = Promise.resolve();
  /** How often the policy was changed. */
  #count = 0;

  /** The rules and the mode of the policy are those with which the agent is launched. */
  constructor(policy: PermissionPolicy) {
    this.#policy = policy;
    this.#start = policy.rules;
  }

  get feature(): SessionFeature {
    return { name: 'policy', attach: (control) => this.#attach(control) };
  }

  /** The hooks of the program, and before them that of the policy. */
  hooks(table: HookTable | undefined): HookTable {
    return withPolicy(this.#policy, table);
  }

  /** The dispatcher of these hooks, whose answers are held to the policy. */
  dispatcher(dispatcher: HookDispatcher): HookDispatcher {
    return heldToPolicy(this.#policy, dispatcher, () => this.#count);
  }

  /** Holds at once in this process. Rejects when the agent does not take or give up the mode `deny`, which then holds. */
  async setMode(mode: PolicyMode): Promise<void> {
    const [before, given] = [this.#policy.mode, this.#given];
    this.#policy.setMode(mode);
    this.#count += 1;
    if (isSame(this.#given, given)) return;
    try {
      await this.#give();
    } catch (error) {
      if (before === 'deny') this.#policy.setMode(before);
      throw error;
    }
  }

  /**
   * Holds at once in this process. Rejects when the agent does not take the rules; those that narrow hold nevertheless,
   * and those that allow do not.
   */
  async add(rules: PermissionRules): Promise<void> {
    const [before, known] = [this.#given, new Set(this.#policy.rules.allow)];
    this.#policy.add(rules);
    this.#count += 1;
    if (isSame(this.#given, before)) return;
    try {
      await this.#give();
    } catch (error) {
      const allowed = new Set(parseRules(rules, 'allow').map(({ text }) => text));
      this.#policy.remove({ allow: this.#policy.rules.allow.filter((text) => allowed.has(text) && !known.has(text)) });
      throw error;
    }
  }

  /**
   * @throws {TypeError} for a rule with which the agent was launched to narrow it: the agent keeps that to its end.
   * Rejects when the agent does not give a rule up; the rule then stays.
   */
  async remove(rules: PermissionRules): Promise<void> {
    const before = this.#given;
    this.#refuseFirstRules(rules);
    this.#policy.remove(rules);
    this.#count += 1;
    if (isSame(this.#given, before)) return;
    try {
      await this.#give();
    } catch (error) {
      this.#policy.add(rules);
      throw error;
    }
  }

  #refuseFirstRules(rules: PermissionRules): void {
    for (const list of ['deny', 'ask'] as const)
      for (const [index, { text }] of parseRules(rules, list).entries())
        if (this.#start[list].includes(text))
          throw new TypeError(
            `permissions.${list}[${index}] was given at the start, and the agent keeps it to its end. Rules that are added later can be taken back.`,
          );
  }

  /** The rules that the agent is given at run time, each time all of them: it forgets those of before. */
  get #given(): RuleLists {
    const { allow, deny, ask } = this.#policy.rules;
    const withContent = parseRules({ allow }, 'allow').filter(({ content }) => content !== undefined);
    return {
      allow: withContent.map(({ text }) => text),
      // Lines for the shell in commands of settings files are no calls of tools: of the mode the agent has to know.
      deny: [
        ...deny.filter((text) => !this.#start.deny.includes(text)),
        ...(this.#policy.mode === 'deny' ? ['*'] : []),
      ],
      ask: ask.filter((text) => !this.#start.ask.includes(text)),
    };
  }

  #attach(control: FeatureControl): void {
    this.#control = control;
    // At the start the deny and ask rules are in the launch.
    const { allow, deny } = this.#given;
    if (allow.length + deny.length === 0) return;
    this.#give().catch((error: unknown) => {
      // An agent that has gone follows no rules, and that it has gone is reported elsewhere.
      if (!SdkError.is(error) || error.code !== 'REQUEST_FAILED') return;
      control.warn({
        code: 'HEXAGENT_RULES_NOT_TAKEN',
        source: 'permissions',
        message: `The agent did not take the allow rules with content and the mode of the policy: ${errorText(error)}`,
        cause: error,
      });
    });
  }

  /** One after the other, so that the agent has the last state last. */
  #give(): Promise<void> {
    const given = this.#changes.then(async () => {
      await this.#control?.request('apply_flag_settings', { settings: { permissions: this.#given } });
    });
    this.#changes = given.catch(() => {});
    return given;
  }
}

const isSame = (one: RuleLists, other: RuleLists): boolean => JSON.stringify(one) === JSON.stringify(other);
