import type { WarningListener } from '@hexagent/ports';
import { items } from './lenient.ts';

const rule = String.raw`[^\s,()]+(?:\([^()]*\))?`;
const severalRules = new RegExp(String.raw`^\s*${rule}(?:[\s,]+${rule})+[\s,]*$`, 'u');

/** Officially one item may hold several rules, and each denies. */
export function denyRulesOf(list: string[] | undefined): string[] | undefined {
  const all = rulesIn(list);
  return Array.isArray(all) ? all.flatMap((item) => (holdsSeveral(item) ? rulesOf(item) : [item])) : all;
}

/**
 * Officially one item may hold several rules, and each allows. Here it allows nothing, and a warning says so: a rule
 * is often made of a name from elsewhere, such as that of a server, which must not be able to add another rule.
 */
export function allowRulesOf(list: string[] | undefined, warn: WarningListener): string[] | undefined {
  const all = rulesIn(list);
  if (!Array.isArray(all)) return all;
  for (const item of all.filter(holdsSeveral)) {
    warn({
      code: 'HEXAGENT_RULE_IGNORED',
      source: `allowedTools ${item}`,
      message: `allowedTools: ${JSON.stringify(item)} allows nothing. Pass each rule as an item of its own.`,
    });
  }
  return all.filter((item) => !holdsSeveral(item));
}

function rulesIn(list: string[] | undefined): string[] | undefined {
  const all = items(list);
  return Array.isArray(all) ? all.filter((item) => typeof item !== 'string' || item.trim() !== '') : all;
}

const rulesOf = (item: string): readonly string[] => item.match(new RegExp(rule, 'gu')) ?? [];

const holdsSeveral = (item: string): boolean => typeof item === 'string' && severalRules.test(item);
