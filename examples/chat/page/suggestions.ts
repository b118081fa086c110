import type { ApprovalDescriptor, Suggestion } from './wire.ts';

const modes: Readonly<Record<string, string>> = {
  acceptEdits: 'Allow all file edits',
  plan: 'Switch to plan mode',
  default: 'Ask before each change',
  dontAsk: 'Deny everything that is not allowed yet, without asking',
  bypassPermissions: 'Allow everything without asking',
};

/** What a suggestion would do, in words. */
export function suggestionText(suggestion: Suggestion): string {
  switch (suggestion.type) {
    case 'addRules':
      return `${effects[suggestion.behavior]} ${rulesText(suggestion)}`;
    case 'replaceRules':
      return `${effects[suggestion.behavior]} ${rulesText(suggestion)}, and replace the rules there are`;
    case 'removeRules':
      return `Remove the rule for ${rulesText(suggestion)}`;
    case 'setMode':
      return modes[suggestion.mode] ?? `Switch to the mode ${suggestion.mode}`;
    case 'addDirectories':
      return `Allow access to ${suggestion.directories.join(', ')}`;
    default:
      return `Remove access to ${suggestion.directories.join(', ')}`;
  }
}

const effects = { allow: "Don't ask again for", deny: 'Always deny', ask: 'Always ask before' };

/** A rule about commands is shown as the command alone. */
const rulesText = ({ rules }: Extract<Suggestion, { rules: unknown }>): string =>
  rules
    .map(({ toolName, ruleContent }) => {
      if (!ruleContent) return toolName;
      return toolName === 'Bash' ? ruleContent : `${toolName}(${ruleContent})`;
    })
    .join(', ');

const files: Readonly<Record<string, string>> = {
  userSettings: 'saved in your settings',
  projectSettings: 'saved in the project settings',
  localSettings: 'saved in your settings for this project',
};

/** How long a suggestion lasts: until the agent of this chat ends, unless it is written to a file. */
export const lastsIn = ({ destination }: Suggestion): string => files[destination] ?? 'in this chat';

/**
 * What a person can choose, each with its position, apart from what the server refuses. With `note` where the agent would ask
 * about the same call again: then there is nothing to choose.
 */
export function offered({ suggestions, refusedSuggestions = [], asksAgain = [] }: ApprovalDescriptor) {
  const refused = new Set(refusedSuggestions.map(({ index }) => index));
  const notes = new Map(asksAgain.map(({ index, reason }) => [index, reason]));
  return suggestions
    .map((suggestion, index) => ({ suggestion, index, note: notes.get(index) }))
    .filter(({ index }) => !refused.has(index));
}
