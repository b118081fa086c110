import { describe, expect, it } from 'vitest';
import type { HookCallback, HookInput, HookOutput } from '@hexagent/ports';
import { HookService } from '../src/index.ts';

const input: HookInput = {
  hook_event_name: 'PreToolUse',
  session_id: 's1',
  transcript_path: '/t.jsonl',
  cwd: '/w',
  tool_name: 'Bash',
  tool_input: {},
  tool_use_id: 'toolu_1',
};
const { signal } = new AbortController();

/** Calls the `index`-th of these hooks as the agent would. */
async function dispatch(hooks: readonly HookCallback<'PreToolUse'>[], index = 0): Promise<HookOutput> {
  const service = new HookService({ PreToolUse: [{ hooks }] });
  return await service.dispatch({ callback_id: `hook_${index}`, input, tool_use_id: 'toolu_1' }, { signal });
}

describe('A hook', () => {
  it('receives the input, the id of the tool call, and the signal that aborts when the agent no longer waits', async () => {
    const received: unknown[] = [];
    await dispatch([(...args) => void received.push(...args)]);
    expect(received[0]).toBe(input);
    expect(received[1]).toBe('toolu_1');
    expect((received[2] as { signal: AbortSignal }).signal).toBe(signal);
  });

  it('finds the signal in a copy of its context too', async () => {
    const copies: unknown[] = [];
    await dispatch([(_input, _id, context) => void copies.push({ ...context })]);
    expect(copies).toEqual([{ signal }]);
  });

  it('is called by the id that the agent sends', async () => {
    const hooks = ['first', 'second'].map((reason) => () => ({ reason }));
    expect(await dispatch(hooks, 1)).toEqual({ reason: 'second' });
  });

  it('is answered for with the very object that it returns', async () => {
    const output: HookOutput<'PreToolUse'> = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    };
    expect(await dispatch([() => Promise.resolve(output)])).toBe(output);
  });

  it('that returns nothing is answered for with an empty object', async () => {
    expect(await dispatch([() => {}])).toStrictEqual({});
    expect(await dispatch([async () => {}])).toStrictEqual({});
  });

  it('that throws or rejects makes dispatch() reject with that error', async () => {
    const failure = new Error('no such log');
    const throwing = (): never => {
      throw failure;
    };
    await expect(dispatch([throwing])).rejects.toBe(failure);
    await expect(dispatch([() => Promise.reject(failure)])).rejects.toBe(failure);
  });

  it.each<unknown>(['deny', false, 5, []])(
    'that answers with something else has it handed on, for the protocol to judge: %o',
    async (output) => {
      expect(await dispatch([() => output as HookOutput<'PreToolUse'>])).toBe(output);
    },
  );

  it('is the one of the table at construction, although the table changes later', async () => {
    const hooks: HookCallback<'PreToolUse'>[] = [() => ({ reason: 'registered' })];
    const service = new HookService({ PreToolUse: [{ hooks }] });
    hooks[0] = () => ({ reason: 'put there later' });
    expect(await service.dispatch({ callback_id: 'hook_0', input }, { signal })).toEqual({ reason: 'registered' });
  });
});

describe('An id that belongs to no hook', () => {
  it('makes dispatch() reject with an error that names it', async () => {
    await expect(dispatch([], 7)).rejects.toThrow('No hook callback found for ID: hook_7');
  });
});
