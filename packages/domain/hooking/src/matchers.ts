import { shown } from '@hexagent/checks';
import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from '@hexagent/ports';

/** How the CLI reads a matcher. */
export type ReadMatcher =
  | { readonly kind: 'all' }
  /** Each name is compared with the whole name of a tool. */
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** The pattern is searched for anywhere in the name. */
  | { readonly kind: 'pattern'; readonly pattern: RegExp }
  /** It matches nothing, and the CLI does not report it. */
  | { readonly kind: 'broken'; readonly reason: string };

/** Reads a matcher as the CLI does, which e2e/hooks/hook-matchers.test.ts proves. */
export function readMatcher(matcher: string): ReadMatcher {
  if (matcher === '' || matcher === '*') return { kind: 'all' };
  if (/^[\w|, -]+$/.test(matcher)) return { kind: 'names', names: toolNamesOf(matcher) };
  try {
    return { kind: 'pattern', pattern: new RegExp(matcher) };
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? error.message : 'it does not compile' };
  }
}

const toolNamesOf = (matcher: string): readonly string[] =>
  matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Whether the matcher matches one of these texts. */
export function matchesAny(matcher: string | undefined, texts: readonly string[]): boolean {
  const read = readMatcher(matcher ?? '');
  if (read.kind === 'names') return texts.some((text) => read.names.includes(text));
  if (read.kind === 'pattern') return texts.some((text) => read.pattern.test(text));
  return read.kind === 'all';
}

/** A tool's name, and what it was called before: the CLI compares a matcher with all of them. */
const allNamesOf = (tool: string): readonly string[] => [
  tool,
  ...Object.keys(LEGACY_TOOL_NAME_ALIASES).filter((former) => LEGACY_TOOL_NAME_ALIASES[former] === tool),
];

/**
 * The tools that a matcher of hooks matches, by the rules of the CLI: of the tools that come with it, or of the names
 * that are given, such as those of the `init` message.
 * @example matchingTools('Edit|Write'); // ['Edit', 'Write']
 * @example matchingTools('Edit.*'); // ['Edit', 'NotebookEdit']: a regular expression is searched for anywhere
 * @throws {TypeError} for a matcher that is not a text or does not compile: the CLI would never call its hooks.
 */
export function matchingTools(matcher: string, names: readonly string[] = BUILTIN_TOOL_NAMES): readonly string[] {
  if (typeof matcher !== 'string')
    throw new TypeError(`\`matcher\` of matchingTools() must be a string, not ${shown(matcher)}.`);
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new TypeError(`\`names\` of matchingTools() must be a list of the names of tools, not ${shown(names)}.`);
  const read = readMatcher(matcher);
  if (read.kind === 'broken') throw new TypeError(`\`matcher\` of matchingTools() matches nothing: ${read.reason}.`);
  return names.filter((name) => matchesAny(matcher, allNamesOf(name)));
}
