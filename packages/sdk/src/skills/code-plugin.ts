import type { LaunchFolder } from '@hexagent/ports';
import type { Command, Skill } from './skill.ts';

/** The part of the names of the agent before the colon: a skill `greet` is `hexagent:greet`. */
const name = 'hexagent';

/** The plugin with the skills and the commands of a program, if there are any. */
export function codePluginOf(
  skills: readonly Skill[] = [],
  commands: readonly Command[] = [],
): LaunchFolder | undefined {
  if (skills.length === 0 && commands.length === 0) return undefined;
  return {
    name,
    files: [
      { path: '.claude-plugin/plugin.json', lines: [JSON.stringify({ name })] },
      ...skills.map((skill) => toFile(skill, [])),
      // A skill that the model is not offered: `/name` calls it, which a command of a plugin does only with the plugin's name.
      ...commands.map((command) => toFile(command, ['disable-model-invocation: true'])),
    ],
  };
}

function toFile(skill: Skill | Command, more: readonly string[]): LaunchFolder['files'][number] {
  // A text in JSON is one in YAML.
  const head = [`name: ${skill.name}`, `description: ${JSON.stringify(skill.description ?? skill.name)}`, ...more];
  return { path: `skills/${skill.name}/SKILL.md`, lines: ['---', ...head, '---', skill.content] };
}
