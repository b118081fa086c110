import { nearestName, shown } from '@hexagent/checks';
import type { CommandReader } from '@hexagent/ports';
import { commandPattern, type CommandPattern } from './command-rules.ts';
import { domainPattern } from './domain-rules.ts';
import { commandGlob, type Glob } from './glob.ts';
import { pathPattern, type PathPattern } from './path-rules.ts';
import { contentKindOf, pathRulesOf, toolsWithContent } from './tool-families.ts';

/** The content of a rule's parentheses, parsed. */
export type Content =
  | { readonly kind: 'command'; readonly pattern: CommandPattern; readonly exact: string | undefined }
  | { readonly kind: 'path'; readonly pattern: PathPattern }
  | { readonly kind: 'domain'; readonly pattern: Glob }
  | { readonly kind: 'name'; readonly pattern: Glob };

/** Reads the content of a rule, or returns what is wrong with it; never with the content itself, which may be a secret. */
export function readContent(tool: string, text: string, commands: CommandReader): Content | string {
  const kind = contentKindOf(tool);
  if (kind === undefined) return noContent(tool);
  switch (kind) {
    case 'command': {
      const pattern = commandPattern(unescaped(text), commands);
      if (pattern === undefined) return `names no command in its parentheses; "${tool}" alone covers all`;
      return { kind, pattern, exact: /(?<!\\)\*/.test(text) ? undefined : unescaped(text).trim() };
    }
    case 'path': {
      if (isForShells.test(text))
        return 'would cover nothing: the agent expands no braces, no variable and no home of another user. Write a rule for each, and "~/" or "//" for a place';
      const pattern = pathPattern(text);
      if (pattern !== undefined) return { kind, pattern };
      return 'has no path that the agent understands in its parentheses: "//etc/**", "~/x", "/x" or "x", without "!", ".." and ":*"';
    }
    case 'domain': {
      const pattern = domainPattern(text);
      return pattern === undefined
        ? 'needs a domain in its parentheses, as "WebFetch(domain:example.com)"'
        : { kind, pattern };
    }
    default:
      return { kind, pattern: commandGlob(text.replace(/(?::| )\*$/, '*')) };
  }
}

/** `*.{a,b}`, `$HOME/x` and `~name/x` mean something to a shell only. Names of files such as `$slug.tsx` and `{{name}}` exist. */
const isForShells = /\{[^{}]*,[^{}]*\}|^\$\{?[A-Z_]+\}?(?:\/|$)|^~[A-Za-z_][\w-]*(?:\/|$)/;

/** Why a rule for the tool cannot have content. The CLI accepts some of these rules, and does not apply them. */
function noContent(tool: string): string {
  const other = pathRulesOf(tool);
  if (other !== undefined)
    return `would cover nothing: rules with a path are written as "${other}(path)", which covers ${tool} too`;
  if (tool.startsWith('mcp__'))
    return 'has content, which rules for tools of MCP servers cannot have: name the tool alone';
  const meant = nearestName(tool, toolsWithContent);
  const hint = meant === undefined ? '' : ` (did you mean ${shown(meant)}?)`;
  return `has content, which rules for this tool cannot have${hint}: name the tool alone`;
}

/** The CLI writes parentheses in a rule's content with backslashes. */
const unescaped = (text: string): string => text.replaceAll(/\\([()\\])/g, '$1');
