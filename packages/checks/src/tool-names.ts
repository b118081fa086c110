import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from '@hexagent/ports';
import { nearestName } from './misspelt-names.ts';
import { shown } from './unknown-values.ts';

/** The tools that the CLI brings, by all their names. A newer CLI may have others. */
export const knownToolNames = (): readonly string[] => [
  ...BUILTIN_TOOL_NAMES,
  ...Object.keys(LEGACY_TOOL_NAME_ALIASES),
  'StructuredOutput',
];

/** Tools of older CLIs, which programs name for all versions alike. */
const formerToolNames: ReadonlySet<string> = new Set([
  'BashOutput',
  'LS',
  'MultiEdit',
  'NotebookRead',
  'SlashCommand',
  'TodoRead',
  'exit_plan_mode',
]);

/** Whether a tool of some version of the CLI has this name. */
export function isToolName(name: string): boolean {
  return formerToolNames.has(name) || knownToolNames().includes(name);
}

/**
 * The tool that a misspelt name most likely means. `listed` are the tools that the agent has.
 * @returns `undefined` for the name of a tool of any version, and for one that resembles none.
 */
export function meantTool(name: string, listed: readonly string[]): string | undefined {
  const names = [...knownToolNames(), ...listed.filter((tool) => !tool.startsWith('mcp__'))];
  return isToolName(name) || names.includes(name) ? undefined : nearestName(name, names);
}

/** How the doors describe a rule that is refused. */
export const formOfRules = `a rule is a tool's name, "Tool(content)", "mcp__server" or "mcp__server__tool"`;

/** The name under which the agent calls the tool: rules and lists may still have an old one. */
export function currentToolName(tool: string): string {
  return Object.hasOwn(LEGACY_TOOL_NAME_ALIASES, tool) ? (LEGACY_TOOL_NAME_ALIASES[tool] ?? tool) : tool;
}

/** Describes the mistake in a name that differs from a tool's name in its capitals only, and so matches no tool. */
export function wrongCapitals(name: string): string | undefined {
  const meant = /^mcp__/i.test(name)
    ? `mcp__${name.slice(5)}`
    : knownToolNames().find((known) => known.toLowerCase() === name.toLowerCase());
  if (meant === undefined || meant === name) return undefined;
  return `names ${shown(name)}, which matches no tool: capitals count. Did you mean ${shown(meant)}?`;
}

/** What the names of all tools of an MCP server begin with, but for two underscores. The agent replaces what a name must not contain. */
export function serverInToolNames(server: string): string {
  return `mcp__${server.replaceAll(/[^\w-]/g, '_')}`;
}

/** The name under which the agent calls a tool of an MCP server. */
export function mcpToolName(server: string, tool: string): string {
  return serverInToolNames(`${server}__${tool}`);
}
