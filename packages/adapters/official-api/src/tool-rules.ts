import { kindOf, type WarningListener } from '@hexagent/ports';
import { items } from './lenient.ts';

const rule = String.raw`[^\s,()]+(?:\([^()]*\))?`;
const severalRules = new RegExp(String.raw`^\s*${rule}(?:[\s,]+${rule})+[\s,]*$`, 'u');

/** Officially one item may hold several rules, and each denies. */
export function denyRulesOf(list: string[] | undefined): string[] | undefined {
  return rulesIn('disallowedTools', list)?.flatMap((item) => (holdsSeveral(item) ? rulesOf(item) : [item]));
}

/**
 * Officially one item may hold several rules, and each allows. Here it allows nothing, with a warning: a rule
 * is often made of a name from elsewhere, such as that of a server, which must not be able to add another rule.
 */
export function allowRulesOf(list: string[] | undefined, warn: WarningListener): string[] | undefined {
  const all = rulesIn('allowedTools', list);
  if (all === undefined) return undefined;
  for (const item of all.filter(holdsSeveral)) {
    warn({
      code: 'HEXAGENT_RULE_IGNORED',
      source: `allowedTools ${item}`,
      message: `allowedTools: ${JSON.stringify(item)} allows nothing. Pass each rule as an item of its own.`,
    });
  }
  return all.filter((item) => !holdsSeveral(item));
}

/** @throws {TypeError} for what is no list of texts, with the message of the other face. */
function rulesIn(option: string, list: string[] | undefined): readonly string[] | undefined {
  const all: unknown = items(list);
  if (all === undefined) return undefined;
  if (!Array.isArray(all)) throw new TypeError(`\`${option}\` must be a list of rules, not ${kindOf(all)}.`);
  return all.flatMap((item: unknown, index) => {
    if (typeof item === 'string') return item.trim() === '' ? [] : [item];
    throw new TypeError(`\`${option}[${index}]\` must be a rule, not ${kindOf(item)}.`);
  });
}

const rulesOf = (item: string): readonly string[] => item.match(new RegExp(rule, 'gu')) ?? [];

const holdsSeveral = (item: string): boolean => severalRules.test(item);
