import { list, text } from '@hexagent/checks';
import { items } from './lenient.ts';

const rule = String.raw`[^\s,()]+(?:\([^()]*\))?`;
const severalRules = new RegExp(String.raw`^\s*${rule}(?:[\s,]+${rule})+[\s,]*$`, 'u');

/** An item may be empty: it counts as left out. */
const texts = list(text('a rule', /^/), 'a list of rules');

/**
 * The rules of a list as the CLI reads them. The official package joins the items with commas, so one item may hold
 * several rules, and a program that split a text at its commas passes the parts of one.
 * @throws {TypeError} for anything but a list of texts, naming the option.
 */
export function rulesOf(option: string, given: string[] | undefined): string[] | undefined {
  const all: unknown = items(given);
  if (all === undefined) return undefined;
  return joined(texts(all, option)).flatMap(split);
}

/** An item whose parenthesis is still open continues with the next one. What never closes is left for the launcher to refuse. */
function joined(items: readonly string[]): readonly string[] {
  const whole: string[] = [];
  let open: string | undefined;
  for (const next of items) {
    const item: string = open === undefined ? next : `${open},${next}`;
    open = isOpen(item) ? item : undefined;
    if (open === undefined && item.trim() !== '') whole.push(item);
  }
  return open === undefined ? whole : [...whole, open];
}

const isOpen = (item: string): boolean => item.includes('(') && !item.includes(')');

const split = (item: string): readonly string[] =>
  severalRules.test(item) ? (item.match(new RegExp(rule, 'gu')) ?? []) : [item];
