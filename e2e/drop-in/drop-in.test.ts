import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { query, type SDKMessage, type SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { isAlive } from '@hexagent/testing/cli';
import { gate, lastUserText, text, toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { collect, optionsOf, results, userMessage, type OptionsOfQuery } from './queries.ts';

withCli('#9 A prompt that is an async iterable', () => {
  it('#1 keeps the input open for callbacks until queued turns have ended, although the iterable ended at once', async () => {
    await using place = await stage((request) => {
      const [result] = toolResults(request);
      if (result !== undefined) return 'done';
      return lastUserText(request) === 'second' ? toolUse('Bash', { command: 'touch made' }) : 'first done';
    });
    async function* prompt(): AsyncGenerator<SDKUserMessage> {
      yield userMessage('first');
      yield userMessage('second');
    }
    let asked = 0;
    const canUseTool = async (): Promise<{ behavior: 'allow' }> => ((asked += 1), { behavior: 'allow' });
    const seen = await collect(query({ prompt: prompt(), options: optionsOf(place, { canUseTool }) }));
    expect(results(seen).at(-1)).toBe('done');
    expect(asked).toBe(1);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });

  it('that throws ends the loop with that very error', async () => {
    await using place = await stage(['one']);
    const failure = new Error('the source broke');
    async function* prompt(): AsyncGenerator<SDKUserMessage> {
      yield userMessage('one');
      throw failure;
    }
    await expect(collect(query({ prompt: prompt(), options: optionsOf(place) }))).rejects.toBe(failure);
  });
});

withCli('A background shell', () => {
  async function asked(command: string, change: OptionsOfQuery = {}): Promise<SDKMessage[]> {
    await using place = await stage([toolUse('Bash', { command, run_in_background: true }), 'started', 'noted']);
    const options = { ...optionsOf(place), allowedTools: ['Bash'], ...change };
    return await collect(query({ prompt: 'go', options }));
  }
  const statuses = (messages: readonly SDKMessage[]): unknown[] =>
    messages.flatMap((message) =>
      message.type === 'system' && message.subtype === 'task_notification' ? [message.status] : [],
    );

  it('that never ends is stopped after the result of a text, and the loop ends', async () => {
    const seen = await asked('tail -f /dev/null');
    expect([results(seen), statuses(seen)]).toEqual([['started'], ['stopped']]);
  });

  it.each<[string, OptionsOfQuery]>([
    ['with `backgroundTasks: wait`', { backgroundTasks: 'wait' }],
    ['with a callback', { canUseTool: async () => ({ behavior: 'deny', message: 'No.' }) }],
  ])('is waited for %s', async (_, change) => {
    const seen = await asked('sleep 1', change);
    expect([results(seen), statuses(seen)]).toEqual([['started', 'noted'], ['completed']]);
  });
});

withCli('#8 interrupt() of the drop-in', () => {
  it('right after the query was made stops it without a request to the model', async () => {
    await using place = await stage((request) => lastUserText(request));
    const running = query({ prompt: 'one', options: optionsOf(place) });
    const receipt = running.interrupt();
    const seen: SDKMessage[] = [];
    await collect(running, seen).catch(() => {});
    await receipt;
    expect(results(seen)).toEqual(['error_during_execution']);
    expect(place.loopback.requests).toEqual([]);
  });
});

withCli('#26 Ending the drop-in early', () => {
  it('by abort throws an AbortError at once, delivers nothing after, and the CLI exits', async () => {
    const held = gate();
    await using place = await stage([text(['word ', held])]);
    const abortController = new AbortController();
    const running = query({
      prompt: 'go',
      options: optionsOf(place, { abortController, includePartialMessages: true }),
    });
    const { pid } = (await running.initializationResult()) as { pid?: number };
    const seen: SDKMessage[] = [];
    const reading = (async () => {
      for await (const message of running) {
        seen.push(message);
        if (message.type === 'stream_event' && message.event.type === 'content_block_delta')
          abortController.abort('enough');
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    const count = seen.length;
    await running[Symbol.asyncDispose]();
    expect(seen.length).toBe(count);
    expect(isAlive(Number(pid))).toBe(false);
  });
});
