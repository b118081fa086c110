import { describe, expect, it } from 'vitest';
import { refusalOf } from './refusals.ts';

const agent = { description: 'd', prompt: 'p' };
const hook = (matcher: string): object => ({ matcher, hooks: [() => ({})] });

describe('A name that differs from the one of a tool in capitals only', () => {
  it.each<readonly [object, string, string, string]>([
    [{ permissions: { deny: ['bash'] } }, 'permissions.deny[0]', 'bash', 'Bash'],
    [{ permissions: { deny: ['Write', 'READ(secret)'] } }, 'permissions.deny[1]', 'READ', 'Read'],
    [{ permissions: { allow: ['webfetch'] } }, 'permissions.allow[0]', 'webfetch', 'WebFetch'],
    [{ permissions: { deny: ['MCP__files__wipe'] } }, 'permissions.deny[0]', 'MCP__files__wipe', 'mcp__files__wipe'],
    [{ tools: ['read'] }, 'tools[0]', 'read', 'Read'],
    [{ agents: { a: { ...agent, tools: ['Grep', 'glob'] } } }, 'agents.a.tools[1]', 'glob', 'Glob'],
    [{ agents: { a: { ...agent, disallowedTools: ['BASH'] } } }, 'agents.a.disallowedTools[0]', 'BASH', 'Bash'],
    [{ hooks: { PreToolUse: [hook('bash')] } }, 'hooks.PreToolUse[0].matcher', 'bash', 'Bash'],
    [{ hooks: { PostToolUse: [hook('Read'), hook('Edit|write')] } }, 'hooks.PostToolUse[1].matcher', 'write', 'Write'],
  ])('is refused with the right name: %o', (options, place, name, meant) => {
    expect(refusalOf(options)).toBe(
      `\`${place}\` names "${name}", which matches no tool: capitals count. Did you mean "${meant}"?`,
    );
  });

  it.each([
    { permissions: { deny: ['Bash(rm *)', 'mcp__files__bash', 'mcp__Files', 'somethingNew'] } },
    { permissions: { allow: ['Read', 'Read(bash)'] } },
    { tools: ['Read', 'NextYearsTool'] },
    { agents: { a: { ...agent, tools: ['Read'], skills: ['read', 'bash'] } } },
    { hooks: { PreToolUse: [hook('Bash|Write'), hook('mcp__.*'), hook('^bash$'), hook(''), hook('*')] } },
    { hooks: { SessionStart: [hook('task')], SubagentStop: [hook('bash')] } },
  ])('is not seen in a right name, in one of a program or of a newer agent, or elsewhere: %o', (options) => {
    expect(refusalOf(options)).toBe('It was accepted.');
  });
});
