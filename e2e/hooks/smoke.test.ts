import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allow, openSession } from '@hexagent/sdk';
import type { HookInput } from '@hexagent/sdk/claude-agent-sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';

withCli('A PreToolUse hook', () => {
  it('sees the call before it runs, and can refuse it', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const seen: HookInput[] = [];
    await using session = await openSession({
      ...place.options,
      onAsk: () => allow(),
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              (input) => {
                seen.push(input);
                return {
                  hookSpecificOutput: {
                    hookEventName: 'PreToolUse',
                    permissionDecision: 'deny',
                    permissionDecisionReason: 'hooked',
                  },
                };
              },
            ],
          },
        ],
      },
    });
    const outcome = await session.send('go').result;
    expect(seen[0]).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'touch made' },
    });
    expect(outcome.kind === 'completed' && outcome.text).toContain('hooked');
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });
});
