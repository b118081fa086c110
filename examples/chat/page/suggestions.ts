import type { Suggestion } from './wire.ts';

const modes: Readonly<Record<string, string>> = {
  acceptEdits: 'edit files without asking',
  plan: 'only plan',
  default: 'ask as usual',
  dontAsk: 'deny what is not allowed, without asking',
  bypassPermissions: 'run everything without asking',
};

/** What a suggestion would do, in words. */
export function suggestionText({
  type,
  behavior = 'allow',
  rules = [],
  mode = '',
  directories = [],
}: Suggestion): string {
  const how = { allow: 'allow', deny: 'deny', ask: 'ask for' }[behavior] ?? behavior;
  const named = rules
    .map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName))
    .join(', ');
  switch (type) {
    case 'addRules':
      return `Always ${how} ${named}`;
    case 'replaceRules':
      return `From now on ${how} only ${named}`;
    case 'removeRules':
      return `Forget the rule: ${how} ${named}`;
    case 'setMode':
      return `From now on, ${modes[mode] ?? `work in the mode ${mode}`}`;
    case 'addDirectories':
      return `Let it work in ${directories.join(', ')} too`;
    case 'removeDirectories':
      return `Let it no longer work in ${directories.join(', ')}`;
    default:
      return type;
  }
}

/** A mode or a folder changes what is asked from now on, and not for this call alone. */
export const reachesFurther = ({ type }: Suggestion): boolean => type === 'setMode' || type === 'addDirectories';

const files: Readonly<Record<string, string>> = {
  userSettings: 'your own settings',
  projectSettings: 'the settings of the project',
  localSettings: 'your settings for this project',
};

/** The file that a suggestion is written to, if it outlives the session. */
export const keptIn = ({ destination = 'session' }: Suggestion): string | undefined => files[destination];
