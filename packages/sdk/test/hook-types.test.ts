import type { HOOK_EVENTS, Options } from '@hexagent/sdk/claude-agent-sdk';
import { createHooks, hooks, type HookEvent, type HookHandler, type HookSet, type HookTable } from '@hexagent/sdk';
import { describe, expect, expectTypeOf, it } from 'vitest';

const deny = { hookEventName: 'PreToolUse', permissionDecision: 'deny' } as const;

describe('A set of hooks, in an editor', () => {
  it('has every event', () => {
    expectTypeOf<keyof Omit<HookSet, 'on'>>().toEqualTypeOf<HookEvent>();
    expectTypeOf<keyof HookTable>().toEqualTypeOf<HookEvent>();
    expectTypeOf<(typeof HOOK_EVENTS)[number]>().toEqualTypeOf<HookEvent>();
    // @ts-expect-error -- a slip of the pen would never be called
    expect(() => createHooks().on('PreToolUsed', () => {})).toThrow(TypeError);
  });

  it('gives each hook what the agent sends at its event', () => {
    const set = createHooks()
      .on('PreToolUse', 'Bash', ({ tool }) => void expectTypeOf(tool).toEqualTypeOf<string>())
      .on('PostCompact', async ({ request }) => void expectTypeOf(request.compact_summary).toEqualTypeOf<string>())
      // @ts-expect-error -- a turn that ends is no tool call
      .on('Stop', ({ tool }) => void tool)
      .on('Stop', ({ request, signal }) => {
        expectTypeOf(request.hook_event_name).toEqualTypeOf<'Stop'>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      });
    expect(Object.keys(set)).toEqual(['PreToolUse', 'PostCompact', 'Stop']);
  });

  it('takes what the agent takes, returned at once or later, in one branch or none', () => {
    const any: HookHandler = ({ request }) => ({ systemMessage: request.hook_event_name });
    createHooks()
      .on('PreToolUse', () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }))
      .on('PreToolUse', async ({ tool }) => {
        if (tool === 'Read') return undefined;
        return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } };
      })
      .on('PreToolUse', async ({ tool }) => (tool === 'Read' ? {} : { decision: 'block', reason: 'no' }))
      .on('Stop', ({ request }) => (request.stop_hook_active ? {} : { decision: 'block', reason: 'more' }))
      .on('PostToolUse', () => ({ async: true, asyncTimeout: 5 }))
      .on('PreToolUse', 'Bash', () => ({ hookSpecificOutput: deny }))
      .on('PreToolUse', 'Bash', () => ({
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
      }))
      .on('Stop', () => ({ decision: 'block', reason: 'more' }), { onFailure: 'block' })
      .on('PreToolUse', 'Bash', hooks.deny('no'), { timeout: 5, onFailure: 'block' })
      .on('PreToolUse', any)
      .on('Stop', any)
      .on(
        'Stop',
        hooks.log(() => {}),
      );
  });

  it('does not take a mistyped member in an answer', () => {
    createHooks()
      // @ts-expect-error -- misspelt: the call would not be denied
      .on('PreToolUse', () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecisoin: 'deny' } }))
      // @ts-expect-error -- the same behind a matcher
      .on('PreToolUse', 'Bash', () => ({
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecisoin: 'deny' },
      }))
      // @ts-expect-error -- the same in one of several answers
      .on('PreToolUse', async ({ tool }) => {
        if (tool === 'Read') return {};
        return { hookSpecificOutput: { ...deny, permissionDecisionReson: 'no' } };
      })
      // @ts-expect-error -- a decision that there is not
      .on('PreToolUse', () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'denied' } }))
      // @ts-expect-error -- the answer of another event
      .on('PreToolUse', () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } }))
      // @ts-expect-error -- misspelt beside a right field
      .on('Stop', () => ({ decision: 'block', reson: 'more' }))
      // @ts-expect-error -- no answer at all
      .on('Stop', () => 'block')
      // @ts-expect-error -- an event that has no such part
      .on('SessionEnd', () => ({ hookSpecificOutput: { hookEventName: 'SessionEnd', additionalContext: 'x' } }));
  });

  it('does not take a ready-made hook of another event, nor wrong arguments', () => {
    // @ts-expect-error -- a turn that ends cannot be denied
    expect(() => createHooks().on('Stop', hooks.deny('no'))).toThrow(TypeError);
    // @ts-expect-error -- a whole set has its own events
    expect(() => createHooks().on('PreToolUse', hooks.onlyTools('Read'))).toThrow(TypeError);
    // @ts-expect-error -- not for the model to read
    expect(() => hooks.deny()).toThrow(TypeError);
    // @ts-expect-error -- nothing returned would leave it open what runs
    hooks.modify(() => {});
    // @ts-expect-error -- misspelt
    expect(() => createHooks().on('Stop', () => {}, { onFail: 'block' })).toThrow(TypeError);
  });

  it('is a table at both doors', () => {
    expectTypeOf<HookSet>().toExtend<HookTable>();
    expectTypeOf<HookSet>().toExtend<NonNullable<Options['hooks']>>();
    const options: Options = { hooks: createHooks().on('Stop', () => {}) };
    expect(Object.keys(options.hooks ?? {})).toEqual(['Stop']);
  });
});

describe('A table of hooks, in an editor', () => {
  it('has the answers of each event, and of no other', () => {
    const table: HookTable = {
      PreToolUse: [{ hooks: [() => ({ hookSpecificOutput: deny })] }],
      // @ts-expect-error -- the answer of another event, which the agent refuses
      PostToolUse: [{ hooks: [() => ({ hookSpecificOutput: deny })] }],
      // @ts-expect-error -- a decision that there is not
      Stop: [{ hooks: [() => ({ decision: 'blocked' })] }],
    };
    expect(Object.keys(table)).toEqual(['PreToolUse', 'PostToolUse', 'Stop']);
  });
});
