import type { LaunchFolder } from '@hexagent/ports';
import type { Command, Plugin, Skill } from './skill.ts';

/** The plugin of what stands in the options themselves. */
export const ownPluginName = 'hexagent';

/** The folders of the plugins of a program: its own with its skills and commands, and those that it names. */
export function codePluginsOf({
  skills,
  commands,
  plugins = [],
}: Pick<Plugin, 'skills' | 'commands'> & {
  readonly plugins?: readonly Plugin[] | undefined;
}): readonly LaunchFolder[] {
  return [{ name: ownPluginName, skills, commands }, ...plugins].flatMap(folderOf);
}

function folderOf({ name, skills = [], commands = [] }: Plugin): readonly LaunchFolder[] {
  if (skills.length === 0 && commands.length === 0) return [];
  const files = [
    { path: '.claude-plugin/plugin.json', lines: [JSON.stringify({ name })] },
    ...skills.map((skill) => toFile(skill, [])),
    // A skill that the model is not offered: `/name` calls it, which a command of a plugin does only with the plugin's name.
    ...commands.map((command) => toFile(command, ['disable-model-invocation: true'])),
  ];
  return [{ name, files }];
}

function toFile(skill: Skill | Command, more: readonly string[]): LaunchFolder['files'][number] {
  // A text in JSON is one in YAML.
  const head = [`name: ${skill.name}`, `description: ${JSON.stringify(skill.description ?? skill.name)}`, ...more];
  return { path: `skills/${skill.name}/SKILL.md`, lines: ['---', ...head, '---', skill.content] };
}
