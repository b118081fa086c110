import { describe, expect, it } from 'vitest';
import type { HookTable } from '@hexagent/ports';
import { createHooks, hooks, HookService, isHookSet } from '../src/index.ts';
import { asked, call } from './calling.ts';

const first = (): object => ({ reason: 'first' });
const second = (): object => ({ reason: 'second' });
/** A hook of a set: it calls the one that was added. */
const added = expect.any(Function);

describe('createHooks()', () => {
  it('makes a set that is a table, of the hooks that are added to it', () => {
    const set = createHooks()
      .on('PreToolUse', 'Bash|Write', first, { timeout: 5, onFailure: 'block' })
      .on('PreToolUse', second)
      .on('Stop', first, { onFailure: 'continue' });
    expect({ ...set }).toStrictEqual({
      PreToolUse: [{ matcher: 'Bash|Write', hooks: [added], timeout: 5, onFailure: 'block' }, { hooks: [added] }],
      Stop: [{ hooks: [added], onFailure: 'continue' }],
    });
    expect(new HookService(set).registration()).toStrictEqual({
      PreToolUse: [
        { matcher: 'Bash|Write', hookCallbackIds: ['hook_0'], timeout: 5, onFailure: 'block' },
        { hookCallbackIds: ['hook_1'] },
      ],
      Stop: [{ hookCallbackIds: ['hook_2'], onFailure: 'continue' }],
    });
  });

  it('joins tables and sets in their order, and overwrites nothing', () => {
    const table: HookTable = { PreToolUse: [{ matcher: 'Bash', hooks: [first] }], Stop: undefined };
    const set = createHooks().on('PreToolUse', 'Bash', second).on('Stop', second);
    const joined = createHooks(table, set, table).on('Stop', first);
    expect({ ...joined }).toStrictEqual({
      PreToolUse: [
        { matcher: 'Bash', hooks: [first] },
        { matcher: 'Bash', hooks: [added] },
        { matcher: 'Bash', hooks: [first] },
      ],
      Stop: [{ hooks: [added] }, { hooks: [added] }],
    });
  });

  it('changes none of the tables and sets that it joins', () => {
    const set = createHooks().on('Stop', first);
    createHooks(set).on('Stop', second).on('PreToolUse', second);
    expect({ ...set }).toStrictEqual({ Stop: [{ hooks: [added] }] });
    const joined = createHooks(set);
    set.on('Stop', second);
    expect({ ...joined }).toStrictEqual({ Stop: [{ hooks: [added] }] });
  });

  it('adds to the set itself: a hook whose `on()` is not chained is there as well', () => {
    const set = createHooks();
    expect(set.on('Stop', first)).toBe(set);
    expect(set.Stop).toHaveLength(1);
  });

  it('calls a hook with the tool, its input and what the agent sent', async () => {
    const seen: unknown[] = [];
    const input = call();
    const set = createHooks().on('PreToolUse', ({ tool, input: given, toolUseId, request, signal }) => {
      seen.push(tool, given, toolUseId, request, signal.aborted);
    });
    await asked(set, input);
    expect(seen).toEqual(['Bash', { command: 'ls' }, 'toolu_1', input, false]);
    expect(seen[3]).toBe(input);
  });

  it('treats an undefined matcher as absent', () => {
    expect({ ...createHooks().on('Stop', undefined as never, first) }).toStrictEqual({ Stop: [{ hooks: [added] }] });
  });

  it.each<readonly [string, readonly unknown[]]>([
    ['on(): "PreToolUsed" is no event. Did you mean "PreToolUse"?', ['PreToolUsed', first]],
    ['on(): "Thunder" is no event. There are: PreToolUse, ', ['Thunder', first]],
    ['on(): "pretooluse" is no event. Did you mean "PreToolUse"?', ['pretooluse', first]],
    ['on(): the event must be a string, not undefined.', []],
    ['on("Stop"): the hook must be a function, not undefined.', ['Stop']],
    ['on("Stop"): the hook must be a function, not an object.', ['Stop', '', { hooks: [first] }]],
    ['`on("Stop").matcher` must be a string, not an object of the class RegExp.', ['Stop', /Bash/, first]],
    ['`on("Stop").matcher` is "Bash", but the CLI ignores matchers of Stop', ['Stop', 'Bash', first]],
    ['`on("PreToolUse").matcher` names "bash", which matches no tool', ['PreToolUse', 'bash', first]],
    ['`on("Stop").timeout` must be a positive number of seconds, not 0.', ['Stop', first, { timeout: 0 }]],
    ['`on("Stop").onFailure` must be "continue" or "block", not "deny".', ['Stop', first, { onFailure: 'deny' }]],
    ['on("Stop"): "timeoutMs" is no option. There are timeout and onFailure.', ['Stop', first, { timeoutMs: 5 }]],
    ['on("Stop"): the options must be { timeout, onFailure }, not 5.', ['Stop', first, 5]],
    ['on("Stop"): the hook: hooks.deny() is a hook for PreToolUse, not for Stop.', ['Stop', hooks.deny('no')]],
    ['on("PreToolUse"): this is a set of hooks', ['PreToolUse', hooks.onlyTools('Read')]],
    ['on("PreToolUse"): this is a set of hooks', ['PreToolUse', 'Bash', hooks.onlyTools('Read')]],
  ])('refuses at the call what the agent would not follow: %s', (message, given) => {
    const add = (): unknown => Reflect.apply(createHooks().on, createHooks(), given);
    expect(add).toThrow(TypeError);
    expect(add).toThrow(message);
  });

  it.each<readonly [string, unknown]>([
    ['`hooks` must be one table, not a list. Join several: createHooks(first, second).', []],
    ['`hooks` must be an object with events as its keys, not a function.', hooks.deny('no')],
    ['`hooks.PreToolUsed` is no event. Did you mean `hooks.PreToolUse`?', { PreToolUsed: [{ hooks: [first] }] }],
    [
      '`hooks.PreToolUse[1].matcher` names "bash"',
      { PreToolUse: [{ hooks: [] }, { matcher: 'bash', hooks: [first] }] },
    ],
    [
      '`hooks.PreToolUse[0].mather` is not known. Did you mean `hooks.PreToolUse[0].matcher`?',
      { PreToolUse: [{ mather: 'Bash', hooks: [first] }] },
    ],
    [
      '`hooks.PreToolUse[0].hooks[0]`: hooks.modify() is a hook for createHooks().on(), not for a table.',
      { PreToolUse: [{ hooks: [hooks.modify(String as never)] }] },
    ],
  ])('refuses a table that the agent would not follow: %s', (message, table) => {
    expect(() => createHooks(table as HookTable)).toThrow(TypeError);
    expect(() => createHooks(table as HookTable)).toThrow(message);
  });
});

describe('A ready-made hook that was not called', () => {
  it.each(Object.entries(hooks))('is refused, since it would fail for every call: hooks.%s', (name, make) => {
    const message = `hooks.${name} has to be called: hooks.${name}(…).`;
    expect(() => createHooks().on('PreToolUse', make as never)).toThrow(TypeError);
    expect(() => createHooks().on('PreToolUse', make as never)).toThrow(message);
    expect(() => new HookService({ PreToolUse: [{ hooks: [make as never] }] })).toThrow(message);
  });
});

describe('A set', () => {
  it('is distinguished from a table', () => {
    expect([createHooks(), hooks.audit(() => {})].map(isHookSet)).toEqual([true, true]);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect([{}, { on: [] }, [], null, undefined, first, new Map(), proxy].map(isHookSet)).toEqual(
      Array.from({ length: 8 }, () => false),
    );
  });
});
