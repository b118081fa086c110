/** The kind of content in the parentheses of a rule. */
export type ContentKind = 'command' | 'path' | 'domain' | 'name';

const kinds: ReadonlyMap<string, ContentKind> = new Map([
  ['Bash', 'command'],
  ['PowerShell', 'command'],
  ['Read', 'path'],
  ['Edit', 'path'],
  ['WebFetch', 'domain'],
  ['Agent', 'name'],
  ['Skill', 'name'],
]);

export const toolsWithContent: readonly string[] = [...kinds.keys()];

export function contentKindOf(tool: string): ContentKind | undefined {
  return kinds.get(tool);
}

/** Rules with a path are written for one tool and cover others that do the same. */
const writtenFor: ReadonlyMap<string, string> = new Map([
  ['Write', 'Edit'],
  ['MultiEdit', 'Edit'],
  ['NotebookEdit', 'Edit'],
  ['Glob', 'Read'],
  ['Grep', 'Read'],
  ['LS', 'Read'],
]);

/** The tool whose rules with a path cover this tool; `undefined` where it is the tool itself. */
export function pathRulesOf(tool: string): string | undefined {
  return writtenFor.get(tool);
}

/**
 * The tools whose rules with content cover calls of this one. What must not be read must not be edited either, and
 * what a shell must not run must not be run by a tool that watches its output.
 */
export function coveredBy(tool: string, isNarrowing: boolean): readonly string[] {
  const written = writtenFor.get(tool) ?? tool;
  if (!isNarrowing) return [written];
  if (written === 'Edit') return ['Edit', 'Read'];
  return tool === 'Monitor' ? ['Bash'] : [written];
}
