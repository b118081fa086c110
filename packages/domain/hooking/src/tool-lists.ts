import { LEGACY_TOOL_NAME_ALIASES, shown, type HookInputOf, type HookOutput } from '@hexagent/ports';
import { denied } from './denied.ts';
import { createHooks, type HookSet } from './hook-set.ts';
import { wrongWithServerOrTool } from './wrong-matchers.ts';

/**
 * A set of hooks that refuses the calls of all tools but these, in subagents too, whatever else allows them. A name is
 * that of a tool, or of a server for all of its tools: `mcp__files`.
 * @throws {TypeError} without a name, or for a name that no tool can have.
 */
export function onlyTools(...names: readonly string[]): HookSet {
  const isNamed = namedBy('hooks.onlyTools()', names);
  return refusing((tool) => !isNamed(tool), `Only these tools may be used: ${names.join(', ')}.`);
}

/**
 * A set of hooks that refuses the calls of these tools, in subagents too, whatever else allows them. A name is that of
 * a tool, or of a server for all of its tools: `mcp__files`.
 * @throws {TypeError} without a name, or for a name that no tool can have.
 */
export function withoutTools(...names: readonly string[]): HookSet {
  return refusing(namedBy('hooks.withoutTools()', names), 'This tool may not be used.');
}

function refusing(isRefused: (tool: string) => boolean, reason: string): HookSet {
  const hook = ({ tool_name: tool }: HookInputOf<'PreToolUse'>): HookOutput<'PreToolUse'> =>
    isRefused(tool) ? denied(`${tool} was refused. ${reason}`) : {};
  return createHooks().on('PreToolUse', hook, { onFailure: 'block' });
}

/** Whether a tool is among these names. */
function namedBy(caller: string, given: readonly string[]): (tool: string) => boolean {
  if (given.length === 0) throw new TypeError(`${caller} needs the name of a tool.`);
  for (const name of given) {
    if (typeof name !== 'string') throw new TypeError(`${caller} takes names of tools, not ${shown(name)}.`);
    const wrong = wrongWithServerOrTool(name);
    if (wrong !== undefined) throw new TypeError(`${caller} ${wrong}`);
  }
  const names = new Set(given.map(nameOfToday));
  const servers = given.filter((name) => name.startsWith('mcp__')).map((name) => `${name}__`);
  return (tool) => names.has(tool) || servers.some((server) => tool.startsWith(server));
}

const nameOfToday = (name: string): string =>
  (Object.hasOwn(LEGACY_TOOL_NAME_ALIASES, name) ? LEGACY_TOOL_NAME_ALIASES[name] : undefined) ?? name;
