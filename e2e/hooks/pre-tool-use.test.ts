import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allow, createSdk } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';

withCli('A PreToolUse hook', () => {
  it('that fails blocks the call where its option asks for it', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const warned: string[] = [];
    const sdk = createSdk({ onWarning: ({ code, message }) => warned.push(`${code} ${message}`) });
    await using session = await sdk.openSession({
      ...place.options,
      permissions: { approver: () => allow() },
      hooks: { PreToolUse: [{ onFailure: 'block', hooks: [() => Promise.reject(new Error('hook broke'))] }] },
    });
    await session.send('go').result;
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
    expect(warned).toEqual([expect.stringMatching(/^HEXAGENT_CALLBACK_FAILED .*hook broke$/)]);
  });

  it('works in the drop-in, with a string prompt and no permission callback', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const events: string[] = [];
    const hook = async (input: { hook_event_name: string }): Promise<object> => {
      events.push(input.hook_event_name);
      return {};
    };
    const options = {
      cwd: place.home.cwd,
      env: { ...place.env },
      pathToClaudeCodeExecutable: cli,
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [hook] }], PostToolUse: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] },
    };
    for await (const _ of query({ prompt: 'go', options }));
    expect(events).toEqual(['PreToolUse', 'PostToolUse', 'Stop']);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });
});
