import { describe, expect, it } from 'vitest';
import type { HookTable } from '@hexagent/ports';
import { HookService } from '../src/index.ts';

const hook = (): object => ({});

/** A table as an untyped program may write it. */
const untyped = (table: unknown): HookTable => table as HookTable;

describe('The registration', () => {
  it('has an id for every hook, in the order of the table and with the names of the wire', () => {
    const service = new HookService({
      PreToolUse: [
        { matcher: 'Bash', hooks: [hook, hook], timeout: 5 },
        { hooks: [hook], onFailure: 'block' },
      ],
      Stop: [{ hooks: [hook] }],
    });
    expect(service.registration()).toStrictEqual({
      PreToolUse: [
        { matcher: 'Bash', hookCallbackIds: ['hook_0', 'hook_1'], timeout: 5 },
        { hookCallbackIds: ['hook_2'], onFailure: 'block' },
      ],
      Stop: [{ hookCallbackIds: ['hook_3'] }],
    });
  });

  it.each([
    ['no table', undefined],
    ['no events', {}],
    ['an event without matchers', { Stop: [] }],
    ['an event that is undefined', { Stop: undefined }],
    ['a matcher without hooks', { Stop: [{ hooks: [] }] }],
  ])('is undefined when the table has no hook: %s', (_, table) => {
    expect(new HookService(table === undefined ? undefined : untyped(table)).registration()).toBeUndefined();
  });

  it('leaves out matchers without hooks and keeps the others', () => {
    const service = new HookService({ Stop: [{ hooks: [] }], PreToolUse: [{ hooks: [] }, { hooks: [hook] }] });
    expect(service.registration()).toStrictEqual({ PreToolUse: [{ hookCallbackIds: ['hook_0'] }] });
  });

  it('accepts events that are newer than this version', () => {
    expect(new HookService(untyped({ BrandNew: [{ hooks: [hook] }] })).registration()).toHaveProperty('BrandNew');
  });
});

describe('A table that the agent cannot use is refused at construction:', () => {
  it.each<[string, unknown]>([
    ['`hooks` must be one table, not a list. Join several: createHooks(first, second).', []],
    ['`hooks` must be an object with events as its keys, not null.', null],
    [
      '`hooks` must be an object with events as its keys, not an object of the class Map.',
      new Map([['PreToolUse', [{ hooks: [hook] }]]]),
    ],
    ['`hooks`: the name of an event is empty.', { ' ': [{ hooks: [hook] }] }],
    ['`hooks.PreToolUse` must be a list of { matcher, hooks }, not a function.', { PreToolUse: hook }],
    ['`hooks.PreToolUse[1]` must be { matcher, hooks }, not a function.', { PreToolUse: [{ hooks: [hook] }, hook] }],
    ['`hooks.Stop[0].hooks` must be a list of functions, not undefined.', { Stop: [{}] }],
    ['`hooks.Stop[0].hooks[1]` must be a function, not a string.', { Stop: [{ hooks: [hook, 'log'] }] }],
    [
      '`hooks.Stop[0].matcher` must be a string, not an object of the class RegExp.',
      { Stop: [{ matcher: /Bash/, hooks: [hook] }] },
    ],
    ['`hooks.Stop[0].timeout` must be a positive number of seconds, not 0.', { Stop: [{ timeout: 0, hooks: [hook] }] }],
    [
      '`hooks.Stop[0].timeout` must be a positive number of seconds, not NaN.',
      { Stop: [{ timeout: Number.NaN, hooks: [hook] }] },
    ],
    [
      '`hooks.Stop[0].timeout` must be a positive number of seconds, not "5".',
      { Stop: [{ timeout: '5', hooks: [hook] }] },
    ],
    [
      '`hooks.Stop[0].onFailure` must be "continue" or "block", not "deny".',
      { Stop: [{ onFailure: 'deny', hooks: [hook] }] },
    ],
  ])('%s', (message, table) => {
    expect(() => new HookService(untyped(table))).toThrow(TypeError);
    expect(() => new HookService(untyped(table))).toThrow(message);
  });
});
