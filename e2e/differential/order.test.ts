import type { Query, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import type { ModelRequest } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { orderOf } from './comparable.ts';
import { runReal } from './real.ts';
import { compare, sides, type Program } from './run.ts';

const userMessage = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
});

/** The forms of a prompt that has its messages at once. */
const prompts: Readonly<Record<string, () => AsyncIterable<SDKUserMessage>>> = {
  'a generator': async function* () {
    yield userMessage('one');
  },
  'an iterator written by hand': () => {
    let count = 0;
    const next = async (): Promise<IteratorResult<SDKUserMessage>> =>
      (count += 1) === 1 ? { done: false, value: userMessage('one') } : { done: true, value: undefined };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  },
  // The type allows promises only; a program without types may do without them.
  'a list': () => [userMessage('one')] as unknown as AsyncIterable<SDKUserMessage>,
};

const then =
  (prompt: () => string | AsyncIterable<SDKUserMessage>, act: (query: Query) => void): Program =>
  ({ query }, { options }) => {
    const running = query({ prompt: prompt(), options });
    act(running);
    return running;
  };

const ignored = (promise: Promise<unknown>): void => void promise.catch(() => {});

describe('What is asked right after query()', () => {
  const acts: Readonly<Record<string, (query: Query) => void>> = {
    'the model': (query) => ignored(query.setModel('m')),
    'several things': (query) => {
      ignored(query.setPermissionMode('plan'));
      ignored(query.setMcpServers({}));
      ignored(query.applyFlagSettings({}));
    },
    'another stream beside': (query) => {
      ignored(query.streamInput(prompts['a generator']?.() ?? (async function* () {})()));
      ignored(query.setModel('m'));
    },
  };
  const cases = Object.entries(prompts).flatMap(([name, prompt]) =>
    Object.entries(acts).map(([what, act]) => ({ name, prompt, what, act })),
  );

  it.each(cases)('is written before the first message of $name: $what', async ({ prompt, act }) => {
    const { official, ours } = await compare(then(prompt, act));
    const [theirs, our] = [official, ours].map(({ launches }) => launches.flatMap(orderOf));
    expect(our).toEqual(theirs);
    expect(our?.slice(0, 2)).toEqual(['initialize', expect.stringMatching(/^(set|mcp)_/)]);
  });

  it('is written after a prompt that is a text', async () => {
    const { official, ours } = await compare(then(() => 'one', acts['the model'] ?? (() => {})));
    for (const { launches } of [official, ours])
      expect(launches.map(orderOf)).toEqual([['initialize', 'user', 'set_model']]);
  });

  it.each(Object.keys(prompts))('follows the message that it is to stop, if it is an interrupt: %s', async (name) => {
    const prompt = prompts[name] ?? (() => 'one');
    const { official, ours } = await compare(then(prompt, (query) => ignored(query.interrupt())));
    // In the official package it is written first, and stops nothing.
    expect(official.launches.map(orderOf)).toEqual([['initialize', 'interrupt', 'user']]);
    expect(ours.launches.map(orderOf)).toEqual([['initialize', 'user', 'interrupt']]);
  });
});

withCli('A model that is set right after query()', () => {
  it.each(sides)('answers the first message already: %s', async (side) => {
    const models: unknown[] = [];
    const script = ({ body }: ModelRequest): string => {
      models.push(body.model);
      return 'done';
    };
    const model = 'claude-haiku-4-5';
    const program = then(prompts['a generator'] ?? (() => 'one'), (query) => ignored(query.setModel(model)));
    const { thrown } = await runReal(side, program, script);
    expect(thrown).toBeUndefined();
    expect(models).toEqual([model]);
  });
});
