import { formOfRules, isRecord } from '@hexagent/checks';
import type { InitializeFields, LaunchArgument, LaunchOptions } from '@hexagent/ports';
import { isTooLong } from './length.ts';
import type { Settings } from './rows.ts';

export interface Rules {
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly askedTools: readonly string[];
}

interface RuleList {
  readonly option: keyof Rules;
  /** The CLI has no flag for ask rules. */
  readonly flag?: string;
  readonly list: 'allow' | 'deny' | 'ask';
}

const ruleLists: readonly RuleList[] = [
  { option: 'allowedTools', flag: '--allowedTools', list: 'allow' },
  { option: 'disallowedTools', flag: '--disallowedTools', list: 'deny' },
  { option: 'askedTools', list: 'ask' },
];

interface Placed {
  readonly args: readonly LaunchArgument[];
  readonly settings: Settings | undefined;
  readonly initialize: Pick<InitializeFields, 'disallowedTools'>;
}

/**
 * Puts each list of rules into an argument or, where it is delivered so, into `initialize`; and into the settings where
 * the CLI would split a rule of the list, which it does in both places.
 */
export function placeRules(
  rules: Rules,
  settings: Settings | undefined,
  { disallowedToolsDelivery }: Pick<LaunchOptions, 'disallowedToolsDelivery'>,
): Placed {
  const args: LaunchArgument[] = [];
  let placed = settings;
  let initialize: Placed['initialize'] = {};
  for (const ruleList of ruleLists) {
    const list = rules[ruleList.option].map((rule, index) => checkRule(rule, `${ruleList.option}[${index}]`));
    if (list.length === 0) continue;
    const argument = ruleList.flag && `${ruleList.flag}=${list.join(',')}`;
    const isInitialized = ruleList.option === 'disallowedTools' && disallowedToolsDelivery === 'initialize';
    if (isInitialized && !list.some(isSplitByAgent)) initialize = { disallowedTools: list };
    else if (argument !== undefined && !isTooLong(argument) && !list.some(isSplitByAgent)) args.push(argument);
    else placed = withRules(placed, ruleList, list);
  }
  return { args, settings: placed, initialize };
}

/** Adds the rules to the settings, where they are a list: nothing is split there, and no length is too long. */
function withRules(
  settings: Settings = { object: {} },
  { option, flag, list }: RuleList,
  rules: readonly string[],
): Settings {
  if ('path' in settings) {
    const split = flag === undefined ? -1 : rules.findIndex(isSplitByAgent);
    const place = split === -1 ? option : `${option}[${split}]`;
    const tooLong =
      flag === undefined ? 'There is no argument for these rules' : 'The list is too long for an argument';
    const why = split === -1 ? tooLong : 'The rule does not survive as an argument';
    throw new TypeError(
      `${place}: ${why}, and ${settings.option} is the path of a file. Write the rules into that file as permissions.${list}, or pass ${settings.option} as JSON.`,
    );
  }
  const permissions = isRecord(settings.object['permissions']) ? settings.object['permissions'] : {};
  const present: readonly unknown[] = Array.isArray(permissions[list]) ? permissions[list] : [];
  return { object: { ...settings.object, permissions: { ...permissions, [list]: [...present, ...rules] } } };
}

function checkRule(rule: string, place: string): string {
  const name = rule.trim();
  // The agent reads `Read,Write` as two rules: a program that builds rules from foreign names would add one by accident.
  // As one rule, `Bash(rm *), Write(x)` would deny neither.
  if (!/^[^\s,()]+(?:\(.*\))?$/su.test(name) || severalRules.test(name))
    throw new TypeError(`\`${place}\` is a text that is no rule; ${formOfRules}, as an item of its own.`);
  return name;
}

const severalRules = /^[^\s,()]+(?:\([^()]*\))?(?:[\s,]+[^\s,()]+(?:\([^()]*\))?)+$/u;

/** The agent splits an argument at commas and spaces outside parentheses, which end at the first closing one. */
function isSplitByAgent(rule: string): boolean {
  let isInside = false;
  for (const character of rule) {
    if (character === '(') isInside = true;
    else if (character === ')') isInside = false;
    else if (!isInside && /[\s,]/u.test(character)) return true;
  }
  return false;
}
