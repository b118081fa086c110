import { BUILTIN_TOOL_NAMES } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { matchingTools, wrongWithMatcher } from '../src/index.ts';

describe('matchingTools()', () => {
  it.each<readonly [string, readonly string[]]>([
    ['Bash', ['Bash']],
    ['Bash|Write', ['Bash', 'Write']],
    ['Read, Bash', ['Bash', 'Read']],
    [' Bash ', ['Bash']],
    ['Ba', []],
    ['bash', []],
    ['Edit.*', ['Edit', 'NotebookEdit']],
    ['^Edit', ['Edit']],
    ['^(Bash|Read)$', ['Bash', 'Read']],
    ['Bash$', ['Bash', 'TaskStop']],
    ['Task', ['Agent']],
    ['^Task$', ['Agent']],
    [' ', []],
  ])('lists the tools that the matcher matches, of those that come with the CLI: %o', (matcher, tools) => {
    expect(matchingTools(matcher)).toEqual(tools);
  });

  it.each(['', '*', '.*'])('lists all tools for %o', (matcher) => {
    expect(matchingTools(matcher)).toEqual(BUILTIN_TOOL_NAMES);
  });

  it('searches among the names that it is given', () => {
    const names = ['Bash', 'mcp__files__read', 'mcp__files-2__read'];
    expect(matchingTools('mcp__files__.*', names)).toEqual(['mcp__files__read']);
    expect(matchingTools('mcp__.*__read', names)).toEqual(['mcp__files__read', 'mcp__files-2__read']);
    expect(matchingTools('mcp__files', names)).toEqual([]);
  });

  it.each<readonly [unknown, unknown, string]>([
    [/Bash/, undefined, '`matcher` of matchingTools() must be a string, not an object of the class RegExp.'],
    ['[', undefined, '`matcher` of matchingTools() matches nothing: Invalid regular expression: /[/'],
    ['Bash', 'Bash', '`names` of matchingTools() must be a list of the names of tools, not "Bash".'],
    ['Bash', [1], '`names` of matchingTools() must be a list of the names of tools, not a list.'],
  ])('throws for anything but a matcher: %o among %o', (matcher, names, message) => {
    expect(() => matchingTools(matcher as string, names as string[])).toThrow(TypeError);
    expect(() => matchingTools(matcher as string, names as string[])).toThrow(message);
  });
});

describe('A matcher', () => {
  it.each<readonly [string, string, string]>([
    ['PreToolUse', 'bash', 'names "bash", which matches no tool: capitals count. Did you mean "Bash"?'],
    ['PermissionRequest', 'Edit|write', 'names "write", which matches no tool: capitals count. Did you mean "Write"?'],
    ['PostToolUse', 'MCP__files__read', 'names "MCP__files__read", which matches no tool: capitals count.'],
    [
      'PreToolUse',
      'mcp__files',
      'names "mcp__files", which matches no tool: a name is compared whole. Write "mcp__files__.*"',
    ],
    ['PreToolUse', 'Bash(git *)', 'is "Bash(git *)", which is a rule and matches no tool'],
    ['PreToolUse', '[', 'is "[", which matches nothing: Invalid regular expression'],
    ['Notification', '(', 'is "(", which matches nothing: Invalid regular expression'],
    ['PreToolUse', ' ', 'is " ", which names nothing'],
    ['PreToolUse', '|', 'is "|", which names nothing'],
    ['Stop', 'Bash', 'is "Bash", but the CLI ignores matchers of Stop and calls its hooks always. Leave it out.'],
    ['UserPromptSubmit', 'deploy', 'is "deploy", but the CLI ignores matchers of UserPromptSubmit'],
  ])('that would match other tools than it names is reported: %s %o', (event, matcher, wrong) => {
    expect(wrongWithMatcher(event, matcher)).toContain(wrong);
  });

  it.each([
    ['PreToolUse', ''],
    ['PreToolUse', '*'],
    ['PreToolUse', 'Bash|Edit, Write'],
    ['PreToolUse', 'NextYearsTool'],
    ['Stop', '.*'],
    ['PreToolUse', 'mcp__files__.*'],
    ['PreToolUse', 'mcp__files__read'],
    ['PreToolUse', 'Bash(Output)?'],
    ['PreToolUse', '^bash$'],
    ['Stop', ''],
    ['Stop', '*'],
    ['SessionStart', 'clear|compact'],
    ['SubagentStop', 'bash'],
    ['NextYearsEvent', '['],
  ])('that may be meant is not: %s %o', (event, matcher) => {
    expect(wrongWithMatcher(event, matcher)).toBeUndefined();
  });
});
