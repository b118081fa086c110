import { lastUserText, text, gate } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { initMessage, obliging, resultMessage, stateMessage } from './behaviours.ts';
import { compare, run, sdks, type Program, type Sdk } from './run.ts';
import type { Behaviour } from './stand-in.ts';

type UserMessage = Parameters<ReturnType<Sdk['query']>['streamInput']>[0] extends AsyncIterable<infer T> ? T : never;

const userMessage = (content: string): UserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
});
async function* only(...contents: string[]): AsyncGenerator<UserMessage> {
  yield* contents.map(userMessage);
}
const prompts = { text: () => 'one', stream: () => only('one') };
const callbacks = {
  none: {},
  canUseTool: { canUseTool: async () => ({ behavior: 'deny' as const, message: 'no' }) },
  hooks: { hooks: { Stop: [{ hooks: [async () => ({})] }] } },
};
type Form = keyof typeof prompts;
type Kind = keyof typeof callbacks;

/** Sends a second message on the first result, and continues reading; notes what came of it. */
const onResult =
  (form: Form, kind: Kind): Program =>
  async ({ query }, { options, note }) => {
    const running = query({ prompt: prompts[form](), options: { ...options, ...callbacks[kind] } });
    let streamed: Promise<unknown> | undefined;
    let results = 0;
    for await (const message of running) {
      if (message.type !== 'result') continue;
      results += 1;
      streamed ??= running.streamInput(only('two')).then(
        () => 'resolved',
        () => 'rejected',
      );
    }
    note('results', results);
    note('streamed', await streamed);
  };

/** Reports that it runs, answers, and is idle once it has answered all messages and received the answer to its request. */
const resting: Behaviour = (agent) => {
  let answered = 0;
  obliging({
    message: () => {
      agent.write(stateMessage('running'));
      agent.write(initMessage());
      agent.write(resultMessage());
      answered += 1;
      // The second message is waited for: idle would end the input before it comes.
      if (answered === 2) agent.write(stateMessage('idle'));
      return true;
    },
  })(agent);
};

const textsOf = ({ launches }: Awaited<ReturnType<typeof run>>): unknown[] =>
  launches.flatMap(({ stdin }) =>
    stdin.flatMap(({ type, message }) =>
      type === 'user' ? [JSON.stringify((message as { content: unknown }).content)] : [],
    ),
  );

describe('streamInput() on the first result', () => {
  for (const form of ['text', 'stream'] as const) {
    for (const kind of ['canUseTool', 'hooks'] as const) {
      it(`continues with the conversation as in the official package, with a ${form} and ${kind}`, async () => {
        const { official, ours } = await compare(onResult(form, kind), { standIn: resting, boundMs: 8000 });
        expect(official).toMatchObject({ hangs: false, notes: { results: 2, streamed: 'resolved' } });
        expect(ours).toMatchObject({ hangs: false, notes: official.notes });
        expect(textsOf(ours)).toEqual(textsOf(official));
      });
    }

    it(`rejects what is lost with a ${form} and no callbacks, while in the official package it resolves`, async () => {
      const { official, ours } = await compare(onResult(form, 'none'), { standIn: resting, boundMs: 8000 });
      expect(official).toMatchObject({ hangs: false, notes: { results: 1, streamed: 'resolved' } });
      expect(ours).toMatchObject({ hangs: false, notes: { results: 1, streamed: 'rejected' } });
      expect(textsOf(ours)).toHaveLength(1);
    });
  }
});

describe('streamInput() while the first turn runs', () => {
  it.each<readonly [Form, Kind]>([
    ['text', 'none'],
    ['text', 'canUseTool'],
    ['stream', 'canUseTool'],
  ])('is sent as in the official package, with a %s and callbacks: %s', async (form, kind) => {
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: prompts[form](), options: { ...options, ...callbacks[kind] } });
      let streamed: Promise<unknown> | undefined;
      for await (const message of running)
        if (message.type === 'system') streamed ??= running.streamInput(only('two', 'three'));
      note('streamed', (await streamed) ?? 'resolved');
    };
    const standIn: Behaviour = (agent) => {
      let messages = 0;
      obliging({
        message: () => {
          messages += 1;
          if (messages === 1) agent.write(initMessage());
          if (messages === 3) {
            for (let count = 0; count < 3; count += 1) agent.write(resultMessage());
            agent.write(stateMessage('idle'));
          }
          return true;
        },
      })(agent);
    };
    const { official, ours } = await compare(program, { standIn, boundMs: 8000 });
    expect(official).toMatchObject({ hangs: false, notes: { streamed: 'resolved' } });
    expect(ours).toMatchObject({ hangs: false, notes: official.notes });
    expect(textsOf(ours)).toEqual(textsOf(official));
  });

  it('continues although the prompt, a stream, has ended and there are no callbacks; in the official package that is lost', async () => {
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: prompts.stream(), options });
      for await (const message of running)
        if (message.type === 'system') note('streamed', (await running.streamInput(only('two'))) ?? 'resolved');
    };
    const standIn: Behaviour = (agent) => {
      let messages = 0;
      const finish = (): boolean => {
        agent.write(resultMessage());
        agent.write(resultMessage());
        return true;
      };
      obliging({
        message: () => {
          messages += 1;
          if (messages === 1) agent.write(initMessage());
          return messages === 1 || finish();
        },
        inputEnded: () => messages === 1 && finish() && (agent.exit(0), true),
      })(agent);
    };
    const { official, ours } = await compare(program, { standIn, boundMs: 8000 });
    expect(textsOf(official)).toEqual(['"one"']);
    expect(textsOf(ours)).toEqual(['"one"', '"two"']);
    expect(ours.notes).toEqual({ streamed: 'resolved' });
  });

  it.each([
    ['dies before it reads the message', (agent: Parameters<Behaviour>[0]) => agent.kill('SIGKILL')],
    ['fails', (agent: Parameters<Behaviour>[0]) => agent.exit(3)],
  ])('rejects when the agent %s', async (_, end) => {
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: 'one', options });
      let streamed: Promise<unknown> | undefined;
      const read = async (): Promise<void> => {
        for await (const message of running)
          if (message.type === 'system') streamed ??= running.streamInput(only('two'));
      };
      const loop: unknown = await read().catch((error: unknown) => error);
      const failure: unknown = await streamed?.catch((error: unknown) => error);
      note('same', failure === loop && failure instanceof Error);
    };
    const standIn = obliging({
      message: (_message, agent) => {
        agent.write(initMessage());
        end(agent);
        return true;
      },
    });
    expect((await run('ours', program, { standIn })).notes).toEqual({ same: true });
  });
});

describe('streamInput() after the end', () => {
  it('rejects as in the official package', async () => {
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: 'one', options });
      for await (const message of running) void message;
      const failure: unknown = await running.streamInput(only('two')).catch((error: unknown) => error);
      note('words', failure instanceof Error && /ProcessTransport is not ready for writing/.exec(failure.message)?.[0]);
    };
    const { official, ours } = await compare(program);
    expect(official.notes).toEqual({ words: 'ProcessTransport is not ready for writing' });
    expect(ours.notes).toEqual(official.notes);
  });
});

withCli('With the real CLI, streamInput()', () => {
  /** How often the model received the second message. */
  async function talk(
    side: keyof typeof sdks,
    { kind, waitMs, form = 'text' }: { readonly kind: Kind; readonly waitMs: number; readonly form?: Form },
  ): Promise<{ readonly streamed: unknown; readonly reached: boolean; readonly results: number }> {
    const { query } = await sdks[side]();
    await using place = await stage((request) => `heard ${lastUserText(request)}`);
    const options = { cwd: place.home.cwd, env: { ...place.env }, pathToClaudeCodeExecutable: cli, ...callbacks[kind] };
    const running = query({ prompt: prompts[form](), options });
    let streamed: Promise<unknown> | undefined;
    let results = 0;
    for await (const message of running) {
      if (message.type !== 'result') continue;
      results += 1;
      if (streamed !== undefined) continue;
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      streamed = running.streamInput(only('two')).then(
        () => 'resolved',
        () => 'rejected',
      );
    }
    const reached = place.loopback.requests.some((request) => lastUserText(request) === 'two');
    return { streamed: await streamed, reached, results };
  }

  it.each<readonly [Form, Kind]>([
    ['text', 'canUseTool'],
    ['text', 'hooks'],
    ['stream', 'canUseTool'],
  ])('on the result continues, with a %s and %s', async (form, kind) => {
    expect(await talk('ours', { form, kind, waitMs: 0 })).toEqual({ streamed: 'resolved', reached: true, results: 2 });
    // In the official package the message is lost, and yet resolves, when one read brings the result and the news that the CLI is idle.
    const official = await talk('official', { form, kind, waitMs: 0 });
    expect([1, 2]).toContain(official.results);
    expect(official).toEqual({ streamed: 'resolved', reached: official.results === 2, results: official.results });
  });

  it.each(
    [0, 1, 3, 5, 10, 20, 50, 200].flatMap((waitMs) =>
      (['none', 'canUseTool'] as const).map((kind) => [waitMs, kind] as const),
    ),
  )('resolves %i ms after the result only if the model was asked (callbacks: %s)', async (waitMs, kind) => {
    const { streamed, reached } = await talk('ours', { kind, waitMs });
    expect(streamed).toBe(reached ? 'resolved' : 'rejected');
  });

  it('resolves while a turn runs, as soon as the CLI has the message', async () => {
    const { query } = await sdks.ours();
    const held = gate();
    await using place = await stage((request) =>
      lastUserText(request) === 'one' ? text(['slow ', held]) : `heard ${lastUserText(request)}`,
    );
    const options = { cwd: place.home.cwd, env: { ...place.env }, pathToClaudeCodeExecutable: cli };
    const running = query({ prompt: 'one', options: { ...options, includePartialMessages: true } });
    let isSent = false;
    for await (const message of running) {
      if (message.type !== 'stream_event' || message.event.type !== 'content_block_delta' || isSent) continue;
      // The model continues only afterwards.
      await running.streamInput(only('two'));
      isSent = true;
      held.open();
    }
    expect(place.loopback.requests.some((request) => lastUserText(request) === 'two')).toBe(true);
  });
});
