import { kindOf } from '@hexagent/checks';
import { items } from './lenient.ts';

const rule = String.raw`[^\s,()]+(?:\([^()]*\))?`;
const severalRules = new RegExp(String.raw`^\s*${rule}(?:[\s,]+${rule})+[\s,]*$`, 'u');

/**
 * The rules of a list as the CLI reads them. The official package joins the items with commas, so one item may hold
 * several rules, and a program that split a text at its commas passes the parts of one.
 * @throws {TypeError} for anything but a list of texts, naming the option.
 */
export function rulesOf(option: string, list: string[] | undefined): string[] | undefined {
  const all: unknown = items(list);
  if (all === undefined) return undefined;
  if (!Array.isArray(all)) throw new TypeError(`\`${option}\` must be a list of rules, not ${kindOf(all)}.`);
  return joined(all.map((item: unknown, index) => textOf(item, `${option}[${index}]`))).flatMap(split);
}

function textOf(item: unknown, place: string): string {
  if (typeof item === 'string') return item;
  throw new TypeError(`\`${place}\` must be a rule, not ${kindOf(item)}.`);
}

/** An item whose parenthesis is still open continues with the next one. What never closes is left for the launcher to refuse. */
function joined(texts: readonly string[]): readonly string[] {
  const whole: string[] = [];
  let open: string | undefined;
  for (const text of texts) {
    const item: string = open === undefined ? text : `${open},${text}`;
    open = isOpen(item) ? item : undefined;
    if (open === undefined && item.trim() !== '') whole.push(item);
  }
  return open === undefined ? whole : [...whole, open];
}

const isOpen = (item: string): boolean => item.includes('(') && !item.includes(')');

const split = (item: string): readonly string[] =>
  severalRules.test(item) ? (item.match(new RegExp(rule, 'gu')) ?? []) : [item];
