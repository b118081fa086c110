/** Tools whose rules hold patterns of files: `:*` at an end means nothing there. */
const filePatterns = new Set(['Read', 'Write', 'Edit', 'Glob', 'NotebookRead', 'NotebookEdit']);

/** Whether the agent can read a rule of permissions. What it cannot read it leaves out of the list. */
export function isReadableRule(rule: unknown, list: 'allow' | 'deny' | 'ask'): boolean {
  if (typeof rule !== 'string' || rule.trim() === '') return false;
  const parts = partsOf(rule);
  if (parts === undefined) return false;
  const { tool, content } = parts;
  if (tool.startsWith('mcp__')) return content === undefined && (list !== 'allow' || isOneServer(tool));
  if (tool[0] !== tool[0]?.toUpperCase()) return false;
  if (list === 'allow' && tool.includes('*')) return false;
  return content === undefined || isReadableContent(tool, content);
}

/** A rule that allows many must name the server, and then a pattern of its tools. */
const isOneServer = (tool: string): boolean => !tool.includes('*') || /^mcp__[^*]+__/.test(tool);

function isReadableContent(tool: string, content: string): boolean {
  if (content === '*') return true;
  if (filePatterns.has(tool)) return !content.includes(':*');
  if (tool === 'Bash') return content !== ':*';
  if (tool === 'WebSearch') return !/[*?]/.test(content);
  if (tool === 'WebFetch') return content.startsWith('domain:') && !content.includes('://');
  return true;
}

/** `Tool` or `Tool(content)`; parentheses behind a backslash belong to the text. */
function partsOf(rule: string): { tool: string; content: string | undefined } | undefined {
  const opening = rule.search(/(?<!\\)(?:\\\\)*\(/);
  const closing = [...rule.matchAll(/(?<!\\)(?:\\\\)*\)/g)].at(-1);
  if (opening === -1 && closing === undefined) return { tool: rule, content: undefined };
  if (opening === -1 || closing === undefined) return undefined;
  const start = rule.indexOf('(', opening);
  const end = closing.index + closing[0].length - 1;
  if (end !== rule.length - 1 || start === 0 || end <= start + 1) return undefined;
  return { tool: rule.slice(0, start), content: rule.slice(start + 1, end) };
}
