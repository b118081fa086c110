import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  HookCallback,
  HookEvent,
  HookInput,
  HookInputOf,
  HookOutput,
  HookSpecificOutputOf,
  HookTable,
} from '@hexagent/ports';

describe('The type of a hook', () => {
  it('has the input of its event', () => {
    const table: HookTable = {
      PreToolUse: [
        {
          hooks: [
            (input, toolUseId, { signal }) => {
              expectTypeOf(input).toEqualTypeOf<HookInputOf<'PreToolUse'>>();
              expectTypeOf(input.tool_name).toEqualTypeOf<string>();
              expectTypeOf(toolUseId).toEqualTypeOf<string | undefined>();
              expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
            },
          ],
        },
      ],
      PostCompact: [{ hooks: [({ compact_summary }) => void expectTypeOf(compact_summary).toEqualTypeOf<string>()] }],
      // @ts-expect-error -- a turn that ends is no tool call
      Stop: [{ hooks: [({ tool_name }) => void tool_name] }],
    };
    expect(Object.keys(table)).toEqual(['PreToolUse', 'PostCompact', 'Stop']);
  });

  it('may be one for many events, whose inputs differ by their name', () => {
    const log: HookCallback = (input) => {
      if (input.hook_event_name === 'FileChanged')
        expectTypeOf(input.event).toEqualTypeOf<'change' | 'add' | 'unlink'>();
    };
    const table: HookTable = { PreToolUse: [{ hooks: [log] }], Stop: [{ hooks: [log] }] };
    expect(table.Stop).toEqual([{ hooks: [log] }]);
    expectTypeOf<HookInput['hook_event_name']>().toEqualTypeOf<HookEvent>();
  });

  it('is of an event that exists', () => {
    // @ts-expect-error -- a slip of the pen would never be called
    const table: HookTable = { PreToolUsed: [] };
    expect(table).toEqual({ PreToolUsed: [] });
  });

  it('answers in a form that the agent takes', () => {
    const output: HookOutput = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } };
    // @ts-expect-error -- the agent ignores an answer that does not name its event
    const nameless: HookOutput = { hookSpecificOutput: { permissionDecision: 'deny' } };
    // @ts-expect-error -- a decision that does not exist denies nothing
    const unknown: HookOutput = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'denied' } };
    expect([output, nameless, unknown]).toHaveLength(3);
    expectTypeOf<HookSpecificOutputOf<'WorktreeCreate'>['worktreePath']>().toEqualTypeOf<string>();
    expectTypeOf<HookSpecificOutputOf<'SessionEnd'>>().toEqualTypeOf<never>();
  });
});
