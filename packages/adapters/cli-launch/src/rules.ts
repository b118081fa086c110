import type { LaunchArgument } from '@hexagent/ports';
import { tooLong } from './length.ts';
import { aRule, type Settings } from './parts.ts';
import { isPlainObject, refuseText } from './values.ts';

export interface Rules {
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
}

interface Delivery {
  readonly option: keyof Rules;
  readonly flag: string;
  readonly list: 'allow' | 'deny';
}

const deliveries: readonly Delivery[] = [
  { option: 'allowedTools', flag: '--allowedTools', list: 'allow' },
  { option: 'disallowedTools', flag: '--disallowedTools', list: 'deny' },
];

/** Puts each list of rules where it survives whole: into an argument, else into the settings. */
export function placeRules(
  rules: Rules,
  settings: Settings | undefined,
): { readonly args: readonly LaunchArgument[]; readonly settings: Settings | undefined } {
  const args: LaunchArgument[] = [];
  let placed = settings;
  for (const delivery of deliveries) {
    const list = rules[delivery.option].map((rule, index) => checkRule(rule, `${delivery.option}[${index}]`));
    if (list.length === 0) continue;
    const argument = `${delivery.flag}=${list.join(',')}`;
    if (!tooLong(argument) && !list.some(isTornApart)) args.push(argument);
    else placed = withRules(placed, delivery, list);
  }
  return { args, settings: placed };
}

/** The same rules in the settings, which hold a list: nothing is split there, and nothing is too long. */
function withRules(
  settings: Settings = { object: {} },
  { option, list }: Delivery,
  rules: readonly string[],
): Settings {
  if ('path' in settings) {
    const torn = rules.findIndex(isTornApart);
    const place = torn === -1 ? option : `${option}[${torn}]`;
    const why = torn === -1 ? 'The list is too long for an argument' : 'The rule does not survive as an argument';
    throw new TypeError(
      `${place}: ${why}, and ${settings.option} is the path of a file. Write the rules into that file as permissions.${list}, or pass ${settings.option} as JSON.`,
    );
  }
  const permissions = isPlainObject(settings.object['permissions']) ? settings.object['permissions'] : {};
  const present: readonly unknown[] = Array.isArray(permissions[list]) ? permissions[list] : [];
  return { object: { ...settings.object, permissions: { ...permissions, [list]: [...present, ...rules] } } };
}

function checkRule(rule: string, place: string): string {
  const name = rule.trim();
  // `Read,Write` in one item is two rules to the agent; whoever builds rules from other people's names must not be able to add one.
  // Taken for one rule, `Bash(rm *), Write(x)` would deny neither.
  if (!/^[^\s,()]+(?:\(.*\))?$/su.test(name) || severalRules.test(name)) throw refuseText(place, 'rule', aRule);
  return name;
}

const severalRules = /^[^\s,()]+(?:\([^()]*\))?(?:[\s,]+[^\s,()]+(?:\([^()]*\))?)+$/u;

/** The agent splits an argument at commas and spaces outside parentheses, and the first closing one counts as the end. */
function isTornApart(rule: string): boolean {
  let isInside = false;
  for (const character of rule) {
    if (character === '(') isInside = true;
    else if (character === ')') isInside = false;
    else if (!isInside && /[\s,]/u.test(character)) return true;
  }
  return false;
}
