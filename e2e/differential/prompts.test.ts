import { describe, expect, it } from 'vitest';
import { stdinOf } from './comparable.ts';
import { compare, type Program } from './run.ts';

type Prompt = Parameters<Parameters<Program>[0]['query']>[0]['prompt'];

const userMessage = (content: string, fields: object = {}): object => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
  ...fields,
});

/** Whatever a program without types may pass. */
const prompting =
  (prompt: () => unknown): Program =>
  ({ query }, { options }) =>
    query({ prompt: prompt() as Prompt, options });

/** A prompt that yields these. */
const yielding = (...values: readonly unknown[]) =>
  async function* (): AsyncGenerator {
    yield* values;
  };

describe('A prompt', () => {
  it.each<readonly [string, () => unknown]>([
    ['a text', () => 'hello'],
    ['an empty text', () => ''],
    ['a generator', yielding(userMessage('one'), userMessage('two'))],
    ['a list', () => [userMessage('one'), userMessage('two')]],
    ['an empty list', () => []],
    ['other members of its message', () => [userMessage('one', { message: { role: 'user', content: 'x', id: 'm1' } })]],
    ['a list of promises', () => [Promise.resolve(userMessage('one'))]],
    ['a set', () => new Set([userMessage('one')])],
    [
      'a generator without promises',
      function* () {
        yield userMessage('one');
        yield userMessage('two');
      },
    ],
    [
      'an iterable of both kinds',
      () => ({ [Symbol.iterator]: () => [][Symbol.iterator](), [Symbol.asyncIterator]: yielding(userMessage('one')) }),
    ],
    ['messages with more fields', yielding(userMessage('one', { priority: 'next', from_the_future: 1 }))],
  ])('reaches the agent as in the official package: %s', async (_, prompt) => {
    const { official, ours } = await compare(prompting(prompt));
    expect(ours.launches.map(stdinOf)).toEqual(official.launches.map(stdinOf));
    expect(ours.messages.map(({ type }) => type)).toEqual(official.messages.map(({ type }) => type));
    expect([ours.thrown, official.thrown]).toEqual([undefined, undefined]);
  });

  it('may yield requests and signs of life between its messages; of the latter nothing is written', async () => {
    const request = { type: 'control_request', request_id: 'mine', request: { subtype: 'set_model', model: 'm' } };
    const prompt = yielding({ type: 'keep_alive' }, request, userMessage('one'));
    const { official, ours } = await compare(prompting(prompt));
    const [theirs, our] = [official, ours].map(({ launches }) => launches.flatMap(stdinOf));
    expect(theirs?.map(({ type }) => type)).toEqual(['control_request', 'keep_alive', 'control_request', 'user']);
    expect(our).toEqual(theirs?.filter(({ type }) => type !== 'keep_alive'));
  });

  it.each<readonly [string, unknown]>([
    ['an answer', { type: 'control_response', response: { subtype: 'success', request_id: 'x' } }],
    ['a message of the model', { type: 'assistant', message: { role: 'assistant', content: [] } }],
    ['what is unknown', { type: 'from_the_future' }],
    ['a message of another role', { type: 'user', message: { role: 'assistant', content: 'x' } }],
    ['a message without its content', { type: 'user' }],
    ['a text', 'hello'],
    ['an empty object', {}],
  ])('is refused while in the official package the agent has to make something of it: %s', async (_, value) => {
    const { official, ours } = await compare(prompting(yielding(userMessage('one'), value)));
    expect(official.thrown).toBeUndefined();
    expect(ours.thrown).toMatchObject({ name: 'TypeError', message: expect.stringMatching(/^Only messages/) });
  });

  it.each<readonly [string, () => unknown]>([
    ['null', () => null],
    ['nothing', () => undefined],
    ['a number', () => 5],
    ['an object', () => ({})],
    ['null, yielded', yielding(null)],
    ['nothing, yielded', yielding(undefined)],
  ])('is refused by both: %s', async (_, prompt) => {
    const { official, ours } = await compare(prompting(prompt));
    expect(official.thrown?.message).toBe('Operation aborted');
    expect(ours.thrown?.name).toBe('TypeError');
  });
});
