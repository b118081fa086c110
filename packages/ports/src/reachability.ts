import type { LaunchOptions } from './launch.ts';
import type { CliPermissionMode } from './vocabulary/values.ts';

/** What decides whether a callback for permissions is called. */
export interface AskingFacts {
  readonly mode?: CliPermissionMode | undefined;
  /** Allow rules that the CLI, or a gate, applies before anyone is asked. */
  readonly allow?: readonly string[] | undefined;
  /** Rules that have someone asked in every mode. */
  readonly ask?: readonly string[] | undefined;
  readonly tools?: LaunchOptions['tools'];
  readonly extraArgs?: LaunchOptions['extraArgs'];
  /** Whether there may be tools beside those that `tools` names. */
  readonly hasServers: boolean;
  /** Whether questions and plans go to this callback. */
  readonly takesQuestions: boolean;
  /** Whether an allow rule that covers a part of the tools is worth a word: where no one else says what it does. */
  readonly reportsParts: boolean;
}

const questions: readonly string[] = ['AskUserQuestion', 'ExitPlanMode'];
const remedy = 'A PreToolUse hook without a matcher is called for every call of every tool.';

/**
 * Why a callback for permissions is never called with these options, or not for what it seems to be there for, in words
 * that follow its name. Both faces warn in these words. Rules in settings files are not known here.
 */
export function whyNotAsked(facts: AskingFacts): string | undefined {
  const mode = modeOf(facts);
  if (mode === 'dontAsk')
    return `is never called: the mode dontAsk denies what it would ask, questions to a person among it. ${remedy}`;
  const { ask = [], takesQuestions } = facts;
  const alone = takesQuestions ? 'is called for questions to a person alone' : 'is never called';
  if (mode === 'bypassPermissions' && ask.length === 0)
    return `${alone}: the mode bypassPermissions lets every other call run unasked. ${remedy}`;
  return whyRulesAnswer(facts);
}

function whyRulesAnswer({ allow = [], ask = [], tools, hasServers, reportsParts }: AskingFacts): string | undefined {
  const whole = allow.filter(isWhole).map((rule) => rule.replace('(*)', ''));
  const all: readonly string[] = Array.isArray(tools) ? tools : [];
  const areAllCovered = all.length > 0 && all.every((tool) => whole.includes(tool) && !questions.includes(tool));
  if (areAllCovered && !hasServers && ask.length === 0)
    return `is never called: allow rules let every call of ${all.join(', ')} run unasked, and there are no other tools. ${remedy}`;
  if (reportsParts && whole.length > 0)
    return `is not called for ${whole.join(', ')}: allow rules let every call of these run unasked. ${remedy}`;
  return undefined;
}

/** A rule without content covers every call of its tool. */
const isWhole = (rule: string): boolean => rule !== '' && (!rule.includes('(') || rule.endsWith('(*)'));

/** Flags of the CLI outrank the option. */
function modeOf({ mode, extraArgs = {} }: AskingFacts): string | undefined {
  if (extraArgs['dangerously-skip-permissions'] !== undefined) return 'bypassPermissions';
  return extraArgs['permission-mode'] ?? mode;
}
