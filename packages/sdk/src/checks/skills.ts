import { anyText, type Check, list, record, text } from '@hexagent/checks';
import { ownPluginName } from '../skills/code-plugin.ts';
import type { Command, Plugin, Skill } from '../skills/skill.ts';
import { definitions } from './agents.ts';

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

const plugin: Check<Plugin> = (value, place) => {
  const checked = pluginParts(value, place);
  const { name: prefix, skills = [], commands = [], agents } = checked;
  if (prefix === ownPluginName)
    throw new TypeError(
      `\`${place}.name\` is "${prefix}", the plugin of what stands in the options themselves. Choose another name.`,
    );
  refuseRepeatedNames([...skills, ...commands], `\`${place}\``);
  if (agents === undefined) return checked;
  const named = Object.entries(agents).map(([each, subagent]) => [`${prefix}:${each}`, subagent] as const);
  return { ...checked, agents: Object.fromEntries(named) };
};

const pluginParts = record<Plugin>(
  { name, skills, commands, agents: definitions },
  { required: ['name'], elsewhere: { subagents: 'agents', path: "extraArgs: { 'plugin-dir': path }" } },
);

/** Each with the names of its subagents as the agent sees them. */
export const plugins: Check<readonly Plugin[]> = (value, place) => {
  const checked = list(plugin)(value, place);
  refuseRepeatedNames(checked, `\`${place}\``);
  return checked;
};

/** @throws {TypeError} for a name that is given twice: the agent has one list. */
export function refuseRepeatedNames(given: readonly { readonly name: string }[], place: string): void {
  const seen = new Set<string>();
  for (const { name: each } of given) {
    if (seen.has(each)) throw new TypeError(`${place} has the name ${JSON.stringify(each)} twice. Rename one of them.`);
    seen.add(each);
  }
}
