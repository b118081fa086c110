import { anyText, type Check, list, record, text } from '@hexagent/checks';
import type { Command, Skill } from '../skills/skill.ts';

/** It is the name of a folder as well. */
const name = text('a name of small letters, digits and dashes, up to 64', /^[a-z0-9][a-z0-9-]{0,63}$/);

export const skills: Check<readonly Skill[]> = list(
  record<Skill>(
    { name, description: text(), content: text() },
    { required: ['name', 'description', 'content'], elsewhere: { prompt: 'content', body: 'content' } },
  ),
);

export const commands: Check<readonly Command[]> = list(
  record<Command>(
    { name, description: anyText, content: text() },
    { required: ['name', 'content'], elsewhere: { prompt: 'content', body: 'content' } },
  ),
);

/** @throws {TypeError} for a name that is given twice: the agent has one list of both. */
export function refuseRepeatedNames(given: readonly (Skill | Command)[]): void {
  const seen = new Set<string>();
  for (const { name: each } of given) {
    if (seen.has(each))
      throw new TypeError(
        `\`skills\` and \`commands\` have the name ${JSON.stringify(each)} twice. Rename one of them.`,
      );
    seen.add(each);
  }
}
