import { describe, expect, it } from 'vitest';
import { createHooks, openSession } from '../src/index.ts';
import { query } from '../src/claude-agent-sdk.ts';
import { refusalOf } from './refusals.ts';

const hook = (): void => {};

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  return 'Nothing was thrown.';
}

const queryRefusal = (options: object): string => messageOf(() => query({ prompt: 'go', options }));

describe('A wrong table of hooks', () => {
  it.each<readonly [unknown, string]>([
    [[{ Stop: [] }], '`hooks` must be one table, not a list. Join several: createHooks(first, second).'],
    [new Map(), '`hooks` must be an object with events as its keys, not an object of the class Map.'],
    ['Stop', '`hooks` must be an object with events as its keys, not a string.'],
    [hook, '`hooks` must be an object with events as its keys, not a function.'],
    [{ Stop: hook }, '`hooks.Stop` must be a list of { matcher, hooks }, not a function.'],
    [{ Stop: { hooks: [hook] } }, '`hooks.Stop` must be a list of { matcher, hooks }, not an object.'],
    [{ Stop: [hook] }, '`hooks.Stop[0]` must be { matcher, hooks }, not a function.'],
    [{ Stop: [null] }, '`hooks.Stop[0]` must be { matcher, hooks }, not null.'],
    [{ Stop: [{}] }, '`hooks.Stop[0].hooks` must be a list of functions, not undefined.'],
    [{ Stop: [{ hooks: hook }] }, '`hooks.Stop[0].hooks` must be a list of functions, not a function.'],
    [{ Stop: [{ hooks: [hook, 'log'] }] }, '`hooks.Stop[0].hooks[1]` must be a function, not a string.'],
    [
      { Stop: [{ matcher: /a/, hooks: [] }] },
      '`hooks.Stop[0].matcher` must be a string, not an object of the class RegExp.',
    ],
    [{ Stop: [{ timeout: '5', hooks: [] }] }, '`hooks.Stop[0].timeout` must be a positive number of seconds, not "5".'],
    [
      { Stop: [{ onFailure: 'deny', hooks: [] }] },
      '`hooks.Stop[0].onFailure` must be "continue" or "block", not "deny".',
    ],
  ])('is refused in the same words at every door: %o', (table, message) => {
    expect(refusalOf({ hooks: table })).toBe(message);
    expect(queryRefusal({ hooks: table })).toBe(message);
    expect(messageOf(() => createHooks(table as never))).toBe(message); // untyped
  });

  it.each<readonly [object, string]>([
    [{ Stopp: [{ hooks: [hook] }] }, '`hooks.Stopp` is no event. Did you mean `hooks.Stop`?'],
    [
      { Stop: [{ mather: 'x', hooks: [hook] }] },
      '`hooks.Stop[0].mather` is not known. Did you mean `hooks.Stop[0].matcher`?',
    ],
    [{ Stop: [{ callback: hook }] }, '`hooks.Stop[0].callback` is not known. Did you mean `hooks.Stop[0].hooks`?'],
    [
      { Stop: [{ signal: 1, hooks: [hook] }] },
      '`hooks.Stop[0].signal` is not known. There are matcher, hooks, timeout, onFailure.',
    ],
    [{ 'odd event': [] }, '`hooks["odd event"]` is no event. There are: PreToolUse, PostToolUse, '],
  ])('is refused in the same words where names are checked: %o', (table, message) => {
    for (const refusal of [refusalOf({ hooks: table }), messageOf(() => createHooks(table))])
      expect(refusal.slice(0, message.length)).toBe(message);
  });
});

describe('A wrong list of rules', () => {
  it.each<readonly [unknown, string, string]>([
    ['Read', '', 'must be a list of rules, not a string.'],
    [{ 0: 'Read' }, '', 'must be a list of rules, not an object.'],
    [new Set(['Read']), '', 'must be a list of rules, not an object of the class Set.'],
    [['Read', 5], '[1]', 'must be a rule, not a number.'],
    [['Read', ['Write']], '[1]', 'must be a rule, not a list.'],
    [
      ['Read', 'Bash('],
      '[1]',
      `is a text that is no rule; a rule is a tool's name, "Tool(content)", "mcp__server" or "mcp__server__tool"`,
    ],
  ])('is refused in the same words by both faces: %o', async (rules, at, words) => {
    for (const [list, option] of [
      ['allow', 'allowedTools'],
      ['deny', 'disallowedTools'],
    ] as const) {
      const opening = openSession({ permissions: { [list]: rules } });
      await expect(opening).rejects.toThrow(`\`permissions.${list}${at}\` ${words}`);
      expect(queryRefusal({ [option]: rules })).toContain(`\`${option}${at}\` ${words}`);
    }
  });
});
