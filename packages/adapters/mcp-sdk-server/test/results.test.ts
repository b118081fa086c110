import { describe, expect, it } from 'vitest';
import { tool, type CallToolResult } from '../src/index.ts';
import { lightServer, openSession, text } from './client.ts';

/** The response that the agent receives when a handler returns this. */
async function answer(result: unknown): Promise<unknown> {
  const odd = tool('odd', 'd', {}, () => result as CallToolResult);
  return await (await openSession(lightServer({ tools: [odd] }))).call('odd');
}

const cyclic: Record<string, unknown> = { content: [] };
cyclic['structuredContent'] = { parts: [cyclic] };

describe('A result', () => {
  it('reaches the agent as JSON carries it', async () => {
    const result: CallToolResult = {
      content: [
        { type: 'text', text: 'x' },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'file:///a', name: 'a' },
      ],
      structuredContent: { at: new Date(0), twice: [cyclic['content'], cyclic['content']] },
      isError: true,
      _meta: { a: 1 },
    };
    expect(await answer(result)).toEqual(JSON.parse(JSON.stringify(result)));
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'done'],
    ['a list', [{ type: 'text', text: 'x' }]],
  ])('that is not a valid result becomes an error for the model: %s', async (_, result) => {
    expect(await answer(result)).toEqual({
      ...text('The tool odd answered with no result; a result is { content: [...] }.'),
      isError: true,
    });
  });

  it.each<[unknown, string]>([
    ['x', '`content` is a string, and a list is accepted, as toolResult.text() makes one.'],
    [{ type: 'text', text: 'x' }, '`content` is an object, and a list is accepted, as toolResult.text() makes one.'],
    [['x'], "`content[0]` is a string, and an object with a `type` is accepted, such as { type: 'text', text: '…' }."],
    [[{ text: 'x' }], "`content[0]` is an object without a `type`; accepted is { type: 'text', text: '…' }, for one."],
    [[{ type: 'image' }, { type: 'text', text: 5 }], '`content[1].text` is a number, and a string is accepted.'],
  ])('with content that the agent would refuse reports what is wrong: %j', async (content, why) => {
    const words = `The tool odd answered with something that the agent cannot read: ${why}`;
    expect(await answer({ content })).toEqual({ ...text(words), isError: true });
  });

  it.each<[unknown, string]>([
    [{ contents: [{ type: 'text', text: 'x' }] }, '`contents` is no part of a result. Did you mean `content`?'],
    [{ Content: [] }, '`Content` is no part of a result. Did you mean `content`?'],
    [{ content: [], is_error: true }, '`is_error` is no part of a result. Did you mean `isError`?'],
    [{ structured_content: {} }, '`structured_content` is no part of a result. Did you mean `structuredContent`?'],
    [
      { text: 'x', type: 'text' },
      'it is an object with the keys text, type; a result is { content: [...] }, as toolResult.text() makes one.',
    ],
  ])('whose parts the agent would not find reports what is wrong: %j', async (result, why) => {
    const words = `The tool odd answered with something that the agent cannot read: ${why}`;
    expect(await answer(result)).toEqual({ ...text(words), isError: true });
  });

  it.each([
    { isError: true },
    { content: [], later: 1, _meta: {} },
    { structuredContent: {}, contents: undefined },
    {},
    { content: [] },
    { structuredContent: {} },
    { content: [{ type: 'from the future' }] },
  ])('that the agent may read reaches it: %j', async (result) => {
    const found = await answer(result);
    expect(found).toEqual(result);
    // The program may change its own while the other waits to be written.
    expect(found).not.toBe(result);
  });

  it.each<[string, unknown, string]>([
    ['a cycle', cyclic, '`result.structuredContent.parts[0]` refers back to what contains it'],
  ])('that JSON would lose becomes an error for the model: %s', async (_, result, why) => {
    const words: unknown = expect.stringContaining(`The tool odd answered with something that is lost: ${why}`);
    expect(await answer(result)).toEqual({ content: [{ type: 'text', text: words }], isError: true });
  });
});

describe('An error that a handler throws', () => {
  it('reaches the model, even if reading it throws', async () => {
    const fail = (): never => {
      throw new Error('from a trap');
    };
    const hostile: unknown = new Proxy({}, new Proxy({}, { get: () => fail }));
    const rejecting = tool('rejecting', 'd', {}, () => Promise.reject(hostile));
    const { call } = await openSession(lightServer({ tools: [rejecting] }));
    expect(await call('rejecting')).toMatchObject({ isError: true });
  });

  it.each<[string, unknown]>([
    ['kaboom', new Error('kaboom')],
    ['TypeError', new TypeError()],
    ['just a word', 'just a word'],
    ['undefined', undefined],
  ])('reaches the model: %s', async (words, thrown) => {
    const throwing = tool('throwing', 'd', {}, () => {
      throw thrown;
    });
    const rejecting = tool('rejecting', 'd', {}, () => Promise.reject(thrown));
    const { call } = await openSession(lightServer({ tools: [throwing, rejecting] }));
    for (const name of ['throwing', 'rejecting']) expect(await call(name)).toEqual({ ...text(words), isError: true });
  });
});
