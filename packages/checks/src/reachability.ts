import type { CliPermissionMode, LaunchOptions } from '@hexagent/ports';
import { isRecord } from './unknown-values.ts';

/** What decides whether a callback for permissions is called. */
export interface AskingFacts {
  readonly mode?: CliPermissionMode | undefined;
  /** Who answers what the CLI would ask. */
  readonly prompts?: LaunchOptions['permissionPrompts'];
  /** Allow rules that the CLI, or a gate, applies before anyone is asked. */
  readonly allow?: readonly string[] | undefined;
  /** Deny rules, which hold before anyone is asked. */
  readonly deny?: readonly string[] | undefined;
  /** Skills run by an allow rule as well: for all of them, or for each by its name. */
  readonly skills?: LaunchOptions['skills'];
  /** Rules that have someone asked in every mode. */
  readonly ask?: readonly string[] | undefined;
  readonly tools?: LaunchOptions['tools'];
  readonly extraArgs?: LaunchOptions['extraArgs'];
  /** As an object or as JSON. Rules in a settings file are not read. */
  readonly settings?: LaunchOptions['settings'];
  /** Whether there may be tools beside those that `tools` names. */
  readonly hasServers: boolean;
  /** Whether it may be meant for questions to a person alone. */
  readonly mayBeForQuestions: boolean;
  /** Whether an allow rule that covers a part of the tools is reported too: when nothing else explains its effect. */
  readonly reportsParts: boolean;
}

const questions: readonly string[] = ['AskUserQuestion', 'ExitPlanMode'];
const remedy = 'A PreToolUse hook without a matcher is called for every call of every tool.';

/**
 * Why a callback for permissions is never called with these options, or not for its apparent purpose, as text
 * that follow its name. Both faces warn with this text. Rules in settings files are not read here.
 */
export function whyNotAsked(facts: AskingFacts): string | undefined {
  const { mode: given, ask = [], deny = [], extraArgs = {} } = facts;
  if (facts.prompts === 'none')
    return `is never called: \`permissionPrompts\` of none denies what would be asked, questions to a person among it. ${remedy}`;
  const settings = permissionsIn(facts.settings ?? extraArgs['settings']);
  const mode = modeOf(given, extraArgs) ?? settings.mode;
  if (mode === 'dontAsk')
    return `is never called: the mode dontAsk denies what it would ask, questions to a person among it. ${remedy}`;
  if ([...deny, ...settings.deny].includes('*'))
    return 'is never called: the deny rule "*" takes every tool away, questions to a person among them. Name the tools to deny.';
  const isAsked = ask.length > 0 || settings.ask.length > 0;
  if (mode === 'bypassPermissions' && !isAsked && !facts.mayBeForQuestions)
    return `is called for questions to a person alone: the mode bypassPermissions lets every other call run unasked. ${remedy}`;
  return whyRulesAnswer(facts, { isAsked, settled: settings.allow });
}

interface Rules {
  /** Whether there are rules that have someone asked. */
  readonly isAsked: boolean;
  /** Allow rules of the settings, which the CLI applies before anyone is asked. */
  readonly settled: readonly string[];
}

function whyRulesAnswer(
  { allow = [], skills, tools, hasServers, reportsParts }: AskingFacts,
  { isAsked, settled }: Rules,
): string | undefined {
  const whole = wholeRules([...allow, ...(skills === 'all' ? ['Skill'] : []), ...settled]);
  const all: readonly string[] = Array.isArray(tools) ? tools : [];
  const areAllCovered = all.length > 0 && all.every((tool) => whole.includes(tool) && !questions.includes(tool));
  if (areAllCovered && !hasServers && !isAsked)
    return `is never called: allow rules let every call of ${all.join(', ')} run unasked, and there are no other tools. ${remedy}`;
  const parts = reportsParts ? whole : wholeRules(settled);
  if (parts.length > 0)
    return `is not called for ${parts.join(', ')}: allow rules let every call of these run unasked. ${remedy}`;
  return undefined;
}

/** A rule without content covers every call of its tool. */
function wholeRules(rules: readonly string[]): readonly string[] {
  const whole = rules.filter((rule) => rule !== '' && (!rule.includes('(') || rule.endsWith('(*)')));
  return whole.map((rule) => rule.replace('(*)', ''));
}

/** Flags of the CLI outrank the option. */
function modeOf(
  mode: CliPermissionMode | undefined,
  extraArgs: NonNullable<AskingFacts['extraArgs']>,
): string | undefined {
  if (extraArgs['dangerously-skip-permissions'] !== undefined) return 'bypassPermissions';
  return extraArgs['permission-mode'] ?? mode;
}

/** The permissions in settings that are given inline. Settings that cannot be read are refused by the launch. */
function permissionsIn(
  settings: unknown,
): Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>> & { mode: unknown } {
  const read = typeof settings === 'string' ? parsed(settings) : settings;
  const permissions = isRecord(read) && isRecord(read['permissions']) ? read['permissions'] : {};
  const { defaultMode: mode, allow, ask, deny } = permissions;
  return { mode, allow: textsIn(allow), ask: textsIn(ask), deny: textsIn(deny) };
}

const textsIn = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((item: unknown) => typeof item === 'string') : [];

/** A text is JSON, or the path of a file. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
