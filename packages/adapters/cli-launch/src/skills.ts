import type { Addition } from './rows.ts';
import { requireStrings, wrongValue } from './values.ts';

const remedy = 'Pass "all", or each name as an item of its own: that of its folder, or plugin:skill.';

/** Skills run without asking by rules like those of tools. A list also goes to the agent, which offers no other skill. */
export function addSkills(value: 'all' | readonly string[], option: string): Addition {
  if (value === 'all') return { rules: { allow: ['Skill'] } };
  const skills = requireStrings(option, value, remedy);
  // A rule would end at a parenthesis or a comma, a padded one matches nothing, `*` would match every skill, and half a
  // surrogate reaches the agent as another character.
  const wrong = skills.find(
    (name) => name === '' || name === '*' || name !== name.trim() || /[(),\p{Cc}\p{Cs}]/u.test(name),
  );
  if (wrong !== undefined) throw wrongValue(option, wrong, remedy);
  return { rules: { allow: skills.map((name) => `Skill(${name})`) }, initialize: { skills } };
}
