import type { CallToolResult } from './tool.ts';

/** What the model reads of wrong arguments. */
export function problemsText(tool: string, problems: readonly string[]): string {
  return `Invalid arguments for ${tool}:\n${problems.map((problem) => `- ${problem}`).join('\n')}`;
}

export function failedResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
