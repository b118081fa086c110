import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { query, type SDKMessage, type SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { lastUserText } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { optionsOf, results, userMessage } from './queries.ts';

withCli('#9 A prompt that is an async iterable', () => {
  it('is sent as it yields, and the loop ends when everything was answered', async () => {
    await using place = await stage((request) => `heard ${lastUserText(request)}`);
    const answered = Promise.withResolvers<void>();
    async function* prompt(): AsyncGenerator<SDKUserMessage> {
      yield userMessage('one');
      await answered.promise;
      yield userMessage('two');
    }
    const seen: SDKMessage[] = [];
    for await (const message of query({ prompt: prompt(), options: optionsOf(place) })) {
      seen.push(message);
      if (message.type === 'result') answered.resolve();
    }
    expect(results(seen)).toEqual(['heard one', 'heard two']);
  });
});

withCli('canUseTool in the drop-in', () => {
  it('#2 is asked with a string prompt, and its changed input is what runs', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch one' }));
    const asked: unknown[] = [];
    const options = {
      cwd: place.home.cwd,
      env: { ...place.env },
      pathToClaudeCodeExecutable: cli,
      canUseTool: async (name: string, input: Record<string, unknown>, { toolUseID }: { toolUseID: string }) => {
        asked.push([name, input, typeof toolUseID]);
        return { behavior: 'allow' as const, updatedInput: { command: 'touch two' } };
      },
    };
    for await (const _ of query({ prompt: 'go', options }));
    expect(asked).toEqual([['Bash', { command: 'touch one' }, 'string']]);
    expect([existsSync(join(place.home.cwd, 'one')), existsSync(join(place.home.cwd, 'two'))]).toEqual([false, true]);
  });
});
