import { getEventListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { query, type Options, type SDKMessage, type SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { gate, lastUserText, silent, text, toolResults, toolUse } from '@hexagent/testing/loopback';
import { isAlive } from '@hexagent/testing/cli';
import { expect, it } from 'vitest';
import { cli, withCli } from './support/cli.ts';
import { stage, type Stage } from './support/stage.ts';

const optionsOf = (place: Stage, change: Options = {}): Options => ({
  cwd: place.home.cwd,
  env: { ...place.env },
  pathToClaudeCodeExecutable: cli,
  ...change,
});
const userMessage = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
});

async function collect(messages: AsyncIterable<SDKMessage>, seen: SDKMessage[] = []): Promise<SDKMessage[]> {
  for await (const message of messages) seen.push(message);
  return seen;
}

const results = (messages: readonly SDKMessage[]): unknown[] =>
  messages.flatMap((message) =>
    message.type === 'result' ? [message.subtype === 'success' ? message.result : message.subtype] : [],
  );

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

  it('by break leaves no CLI behind, even one whose model never answers', async () => {
    await using place = await stage([silent()]);
    const running = query({ prompt: 'go', options: optionsOf(place) });
    const { pid } = (await running.initializationResult()) as { pid?: number };
    for await (const message of running) if (message.type === 'system') break;
    await running[Symbol.asyncDispose]();
    expect(isAlive(Number(pid))).toBe(false);
  });

  it('#14 by many queries leaves no listener on a signal that outlives them', async () => {
    await using place = await stage(() => 'hi');
    const abortController = new AbortController();
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    for (let count = 0; count < 12; count += 1)
      await collect(query({ prompt: 'go', options: optionsOf(place, { abortController }) }));
    process.off('warning', listen);
    expect(getEventListeners(abortController.signal, 'abort')).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
