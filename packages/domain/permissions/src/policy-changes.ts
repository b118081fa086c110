import type { PolicyMode } from './permission-policy.ts';
import { ruleTexts, type PermissionRules, type RuleList, type RuleLists } from './rules.ts';

/** The rules and the mode of a policy, as data. */
export interface PolicyState {
  readonly mode: PolicyMode;
  readonly rules: RuleLists;
}

/** A change of a policy of which the agent may have to be notified. */
export interface PolicyChange {
  readonly accepted: (state: PolicyState) => PolicyState;
  /** The part that holds although the agent refuses it: what restricts. */
  readonly refused: (state: PolicyState) => PolicyState;
  /** The rules that the agent must have for it to hold, those of its start included. */
  readonly needed: PolicyState;
}

export function toMode(mode: PolicyMode): PolicyChange {
  return {
    accepted: (state) => ({ ...state, mode }),
    refused: (state) => ({ ...state, mode: state.mode === 'deny' ? 'deny' : mode }),
    needed: { mode, rules: noRules },
  };
}

export function withRules(rules: PermissionRules): PolicyChange {
  const added = textsOf(rules);
  return {
    accepted: (state) => plus(state, added),
    refused: (state) => plus(state, { ...added, allow: [] }),
    needed: { mode: 'ask', rules: added },
  };
}

export function withoutRules(rules: PermissionRules): PolicyChange {
  const removed = textsOf(rules);
  return {
    accepted: (state) => ({
      ...state,
      rules: byList((list) => state.rules[list].filter((text) => !removed[list].includes(text))),
    }),
    refused: (state) => state,
    needed: { mode: 'ask', rules: noRules },
  };
}

/** The rules of the first lists that are not in the second. */
export function rulesBeside(some: RuleLists, others: RuleLists): RuleLists {
  return byList((list) => {
    const present = new Set(others[list]);
    return some[list].filter((text) => !present.has(text));
  });
}

function plus(state: PolicyState, added: RuleLists): PolicyState {
  return { ...state, rules: byList((list) => [...new Set([...state.rules[list], ...added[list]])]) };
}

const textsOf = (rules: PermissionRules): RuleLists => byList((list) => ruleTexts(rules, list));

function byList(texts: (list: RuleList) => readonly string[]): RuleLists {
  return { allow: texts('allow'), deny: texts('deny'), ask: texts('ask') };
}

export const noRules: RuleLists = { allow: [], deny: [], ask: [] };
