import { describe, expectTypeOf, it } from 'vitest';
import type { LaunchOptions, PermissionAnswer, PermissionUpdate, Subagent } from '@hexagent/ports';

describe('The type of an option', () => {
  it('lists every field of a subagent', () => {
    expectTypeOf<LaunchOptions['agents']>().toEqualTypeOf<Readonly<Record<string, Subagent>> | undefined>();
    expectTypeOf<keyof Subagent>().toEqualTypeOf<
      | 'description'
      | 'prompt'
      | 'tools'
      | 'disallowedTools'
      | 'model'
      | 'mcpServers'
      | 'criticalSystemReminder_EXPERIMENTAL'
      | 'skills'
      | 'initialPrompt'
      | 'maxTurns'
      | 'autoCompactWindow'
      | 'background'
      | 'omitClaudeMd'
      | 'memory'
      | 'effort'
      | 'permissionMode'
      | 'observer'
      | 'observerMessage'
    >();
    // @ts-expect-error -- a subagent without a prompt is dropped by the CLI
    const agents: LaunchOptions['agents'] = { reviewer: { description: 'Reviews' } };
    expectTypeOf(agents).not.toBeAny();
  });

  it('takes only changes of rules that the agent understands', () => {
    const update: PermissionUpdate = { type: 'setMode', mode: 'plan', destination: 'session' };
    // @ts-expect-error -- a mode that does not exist
    const wrong: PermissionUpdate = { type: 'setMode', mode: 'deny', destination: 'session' };
    expectTypeOf({ behavior: 'allow' as const, updatedPermissions: [update, wrong] }).toExtend<PermissionAnswer>();
  });
});
