import { describe, expect, it } from 'vitest';
import type { HookTable } from '@hexagent/ports';
import { hooks } from '../src/index.ts';
import { asked, call, denial } from './calling.ts';

describe('A list of tools', () => {
  const isRefusedBy = async (table: HookTable, tool: string, server?: string): Promise<boolean> => {
    const mcp_server = server === undefined ? {} : { mcp_server: { name: server, source: 'sdk' } };
    return JSON.stringify((await asked(table, { ...call(tool), ...mcp_server })).answers).includes('"deny"');
  };

  it.each<readonly [string, boolean]>([
    ['Read', false],
    ['Agent', false],
    ['mcp__files__read', false],
    ['mcp__web__get', false],
    ['Bash', true],
    ['mcp__files2__read', true],
    ['mcp__web__getAll', true],
    ['read', true],
    ['constructor', true],
  ])('names the only ones that may run, or those that may not: %s', async (tool, isRefused) => {
    const names = ['Read', 'Task', 'mcp__files', 'mcp__web__get'];
    expect(await isRefusedBy(hooks.onlyTools(...names), tool)).toBe(isRefused);
    expect(await isRefusedBy(hooks.withoutTools(...names), tool)).toBe(!isRefused);
  });

  it('refuses with Bash the other tool that runs commands', async () => {
    expect(await isRefusedBy(hooks.withoutTools('Bash'), 'Monitor')).toBe(true);
    expect(await isRefusedBy(hooks.withoutTools('Monitor'), 'Bash')).toBe(false);
    expect(await isRefusedBy(hooks.onlyTools('Bash'), 'Monitor')).toBe(true);
  });

  it.each<readonly [tool: string, server: string | undefined, isRefused: boolean]>([
    ['mcp__files__read', 'files', false],
    ['mcp__files__x__y', 'files', false],
    ['mcp__files____w', 'files', false],
    ['mcp__files__x__y', 'files__x', true],
    ['mcp__files__x__y', undefined, true],
    ['mcp__files____w', undefined, true],
    ['mcp__my_own__read', 'my.own', false],
    ['mcp__my_own__read', 'my', true],
    ['mcp__web__get', 'web', false],
    ['mcp__web__get__all', 'web', true],
    ['mcp__web__get__all', 'web__get', false],
    ['mcp__web__get__all', undefined, true],
    ['mcp__', '', true],
  ])('lets the tools of a server run, and of none whose name begins so: %s of %s', async (tool, server, isRefused) => {
    const names = ['mcp__files', 'mcp__my_own', 'mcp__web__get'];
    expect(await isRefusedBy(hooks.onlyTools(...names), tool, server)).toBe(isRefused);
  });

  it('refuses the tools of each server that may be meant', async () => {
    for (const server of [undefined, 'files', 'files__x'])
      expect(await isRefusedBy(hooks.withoutTools('mcp__files'), 'mcp__files__x__y', server)).toBe(true);
    expect(await isRefusedBy(hooks.withoutTools('mcp__files'), 'mcp__files_x__y', 'files_x')).toBe(false);
  });

  it('names to the model the tools that there are', async () => {
    expect((await asked(hooks.onlyTools('Read', 'Grep'))).answers).toEqual([
      denial('Bash was refused. Only these tools may be used: Read, Grep.'),
    ]);
  });

  it('holds for every call, and where the hook fails', () => {
    expect({ ...hooks.onlyTools('Read') }).toEqual({
      PreToolUse: [{ hooks: [expect.any(Function)], onFailure: 'block' }],
    });
  });

  it.each<readonly [readonly unknown[], string]>([
    [[], 'needs the name of a tool'],
    [[5], 'takes names of tools, not 5'],
    [[['Read']], 'takes names of tools, not a list'],
    [['read'], 'names "read", which matches no tool: capitals count. Did you mean "Read"?'],
    [['Bash(git *)'], 'takes names of tools, and "Bash(git *)" is none'],
    [['mcp__files__*'], 'takes names of tools, and "mcp__files__*" is none'],
    [['Read|Grep'], 'takes names of tools, and "Read|Grep" is none'],
    [['mcp__files__'], 'takes names of tools and servers, and "mcp__files__" is neither'],
    [['mcp__'], 'takes names of tools and servers, and "mcp__" is neither'],
  ])('takes names of tools and of servers only: %o', (names, message) => {
    for (const make of [hooks.onlyTools, hooks.withoutTools]) {
      expect(() => make(...(names as string[]))).toThrow(TypeError);
      expect(() => make(...(names as string[]))).toThrow(message);
    }
  });
});
