import { knownToolNames, shown, wrongCapitals } from '@hexagent/checks';
import { factsOf, isAboutTools } from './events.ts';
import { matchesAny, readMatcher } from './matchers.ts';

/**
 * Describes the mistake in a matcher with which the CLI would never call the hooks, or call them for other tools than it
 * names. Continues a sentence that begins with the place of the matcher.
 */
export function wrongWithMatcher(event: string, matcher: string): string | undefined {
  const facts = factsOf(event);
  const read = readMatcher(matcher);
  if (facts === undefined || read.kind === 'all') return undefined;
  // A pattern without a name, such as `.*`, asks for what the CLI does.
  if (facts.matched === undefined && !/\w/.test(matcher)) return undefined;
  if (facts.matched === undefined)
    return `is ${shown(matcher)}, but the CLI ignores matchers of ${event} and calls its hooks always. Leave it out.`;
  if (read.kind === 'broken') return `is ${shown(matcher)}, which matches nothing: ${read.reason}.`;
  if (read.kind === 'names' && read.names.length === 0)
    return `is ${shown(matcher)}, which names nothing, so its hooks would never be called. Leave it out to match all.`;
  if (!isAboutTools(event)) return undefined;
  return read.kind === 'names' ? firstOf(read.names.map(wrongWithToolName)) : wrongWithPattern(matcher);
}

/** Describes the mistake in the name of a tool or of a server, such as `mcp__files`. */
export function wrongWithServerOrTool(name: string): string | undefined {
  if (!/^[\w-]+$/.test(name)) return `takes names of tools, and ${shown(name)} is none. Rules are for \`permissions\`.`;
  if (name.startsWith('mcp__') && name.endsWith('__'))
    return `takes names of tools and servers, and ${shown(name)} is neither. Leave the last underscores out: "mcp__server".`;
  return wrongCapitals(name);
}

/** Describes the mistake in the name of a tool, if certainly no tool has it. */
function wrongWithToolName(name: string): string | undefined {
  if (name.startsWith('mcp__') && !name.slice(5).includes('__'))
    return `names ${shown(name)}, which matches no tool: a name is compared whole. Write "${name}__.*" for all tools of that server.`;
  return wrongCapitals(name);
}

/** `Bash(git *)` is a rule. As a regular expression it would match a tool called "Bashgit". */
function wrongWithPattern(matcher: string): string | undefined {
  const [, name = ''] = /^(\w+)\(.*\)$/s.exec(matcher) ?? [];
  const known = knownToolNames();
  if (!known.includes(name) || matchesAny(matcher, known)) return undefined;
  return `is ${shown(matcher)}, which is a rule and matches no tool: a matcher names tools only. Match "${name}", and read the input in the hook.`;
}

const firstOf = (texts: readonly (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined);
