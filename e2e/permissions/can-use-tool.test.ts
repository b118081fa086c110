import { query, type CanUseTool, type SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { made, optionsOf, run, touch } from '../support/queries.ts';
import { stage } from '../support/stage.ts';
import { expectWarnings } from '../support/warnings.ts';

expectWarnings();

type Asked = Parameters<CanUseTool>;

const message = (text: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content: text },
  parent_tool_use_id: null,
});

async function* once(text: string): AsyncGenerator<SDKUserMessage> {
  yield message(text);
}

withCli('#2 canUseTool is called', () => {
  it.each<[string, () => Parameters<typeof run>[2]]>([
    ['a text', () => 'go'],
    ['a generator that ends at once', () => once('go')],
  ])('with a prompt that is %s', async (_, prompt) => {
    await using place = await stage(touch);
    const asked: Asked[] = [];
    const canUseTool: CanUseTool = async (...given) => (asked.push(given), { behavior: 'allow' });
    await run(place, { canUseTool }, prompt());
    expect(asked.map(([name]) => name)).toEqual(['Bash']);
    expect(made(place)).toBe(true);
  });

  it('with a prompt that stays open', async () => {
    await using place = await stage(touch);
    const closing = Promise.withResolvers<void>();
    async function* open(): AsyncGenerator<SDKUserMessage> {
      yield message('go');
      await closing.promise;
    }
    const canUseTool: CanUseTool = async () => ({ behavior: 'allow' });
    for await (const { type } of query({ prompt: open(), options: optionsOf(place, { canUseTool }) }))
      if (type === 'result') closing.resolve();
    expect(made(place)).toBe(true);
  });

  it('with a message that is streamed in later', async () => {
    await using place = await stage(['hello', toolUse('Bash', { command: 'touch made' }), 'done']);
    const asked: string[] = [];
    const canUseTool: CanUseTool = async (name) => (asked.push(name), { behavior: 'allow' });
    const closing = Promise.withResolvers<void>();
    async function* open(): AsyncGenerator<SDKUserMessage> {
      yield message('hi');
      await closing.promise;
    }
    const running = query({ prompt: open(), options: optionsOf(place, { canUseTool }) });
    let results = 0;
    for await (const { type } of running) {
      if (type !== 'result') continue;
      results += 1;
      if (results === 1) await running.streamInput(once('go'));
      else closing.resolve();
    }
    expect([results, asked, made(place)]).toEqual([2, ['Bash'], true]);
  });
});

withCli('What canUseTool does', () => {
  it.each<[string, unknown, string]>([
    ['as it is', { behavior: 'allow' }, 'made'],
    ['with the same input', { behavior: 'allow', updatedInput: { command: 'touch made' } }, 'made'],
    ['with another input', { behavior: 'allow', updatedInput: { command: 'touch other' } }, 'other'],
    ['for once', { behavior: 'allow', decisionClassification: 'user_temporary' }, 'made'],
    ['from now on', { behavior: 'allow', decisionClassification: 'user_permanent' }, 'made'],
    // The CLI takes an answer with this member for another message, and would wait for ever.
    ['with a member that no answer has', { behavior: 'allow', toolName: 'Bash' }, 'made'],
    [
      'with rules of every kind of change',
      {
        behavior: 'allow',
        updatedPermissions: [
          { type: 'addRules', rules: [{ toolName: 'WebSearch' }], behavior: 'deny', destination: 'session' },
          { type: 'addDirectories', directories: ['/tmp'], destination: 'session' },
          { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
        ],
      },
      'made',
    ],
  ])('that allows the call runs it %s', async (_, answer, name) => {
    await using place = await stage(touch);
    await run(place, { canUseTool: (async () => answer) as CanUseTool });
    expect(['made', 'other'].filter((each) => made(place, each))).toEqual([name]);
  });

  it('while a program leaves the query is over: its signal aborts, and nothing runs', async () => {
    await using place = await stage(touch);
    const asked = Promise.withResolvers<AbortSignal>();
    const options = optionsOf(place, {
      canUseTool: (_, __, { signal }) => (asked.resolve(signal), new Promise<null>(() => {})),
    });
    const running = query({ prompt: 'go', options });
    const reading = (async () => {
      for await (const _ of running);
    })();
    const signal = await asked.promise;
    await running[Symbol.asyncDispose]();
    await reading;
    expect(signal.aborted).toBe(true);
    expect(made(place)).toBe(false);
  });

  it.each<[string, CanUseTool, boolean]>([
    ['never answers', () => new Promise(() => {}), true],
    // As in the official package: the callback is done with it, and learns no more.
    ['answers null, as one who leaves it to others', async () => null, false],
  ])('leaves the call pending, and the query can be interrupted: it %s', async (_, canUseTool, isAborted) => {
    await using place = await stage(touch);
    const asked = Promise.withResolvers<AbortSignal>();
    const options = optionsOf(place, {
      canUseTool: (name, input, context) => (asked.resolve(context.signal), canUseTool(name, input, context)),
    });
    const running = query({ prompt: 'go', options });
    const types: string[] = [];
    const reading = (async () => {
      for await (const { type } of running) types.push(type);
    })().catch(() => {});
    const signal = await asked.promise;
    await running.interrupt();
    await reading;
    expect(types.at(-1)).toBe('result');
    expect(made(place)).toBe(false);
    expect(signal.aborted).toBe(isAborted);
  });
});
