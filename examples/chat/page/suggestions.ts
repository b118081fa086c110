import type { Suggestion } from './wire.ts';

const modes: Readonly<Record<string, string>> = {
  acceptEdits: 'edit files without asking',
  plan: 'only plan',
  default: 'ask as usual',
  dontAsk: 'deny what is not allowed, without asking',
  bypassPermissions: 'run everything without asking',
};

/** What a suggestion would do, in words. */
export function suggestionText(suggestion: Suggestion): string {
  switch (suggestion.type) {
    case 'addRules':
      return `Always ${rulesText(suggestion)}`;
    case 'replaceRules':
      return `From now on, only ${rulesText(suggestion)}`;
    case 'removeRules':
      return `Forget the rule: ${rulesText(suggestion)}`;
    case 'setMode':
      return `From now on, ${modes[suggestion.mode] ?? `work in the mode ${suggestion.mode}`}`;
    case 'addDirectories':
      return `Let it work in ${suggestion.directories.join(', ')} too`;
    default:
      return `Let it no longer work in ${suggestion.directories.join(', ')}`;
  }
}

const behaviors = { allow: 'allow', deny: 'deny', ask: 'ask about' };

function rulesText({ behavior, rules }: Extract<Suggestion, { rules: unknown }>): string {
  const named = rules.map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName));
  return `${behaviors[behavior]} ${named.join(', ')}`;
}

/** A mode or a folder changes what is asked from now on, and not for this call alone. */
export const reachesFurther = ({ type }: Suggestion): boolean => type === 'setMode' || type === 'addDirectories';

const files: Readonly<Record<string, string>> = {
  userSettings: 'your own settings',
  projectSettings: 'the settings of the project',
  localSettings: 'your settings for this project',
};

/** The file that a suggestion is written to, if it outlives the session. */
export const keptIn = ({ destination }: Suggestion): string | undefined => files[destination];
