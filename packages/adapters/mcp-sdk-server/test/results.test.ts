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

  it('of 20 MB reaches the agent', async () => {
    const large = text('x'.repeat(20 * 1024 * 1024));
    expect(await answer(large)).toEqual(large);
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
    ['a Map', { content: [], structuredContent: new Map([[1, 2]]) }, '`result.structuredContent` is a Map'],
    ['a promise', { content: Promise.resolve([]) }, '`result.content` is a promise'],
    ['a function', { content: [{ type: 'text', text: () => 'x' }] }, '`result.content[0].text` is a function'],
    ['a BigInt', { content: [], structuredContent: { n: 1n } }, '`result.structuredContent.n` is a BigInt'],
    [
      'a getter that throws',
      {
        get content() {
          throw new Error('out of reach');
        },
      },
      '`result.content` cannot be read: out of reach',
    ],
    [
      'a toJSON that throws',
      {
        content: {
          toJSON() {
            throw new Error('unwilling');
          },
        },
      },
      '`result.content` cannot be read: unwilling',
    ],
    ['a toJSON that leads back', { content: { toJSON: () => ({ n: 1n }) } }, '`result.content.n` is a BigInt'],
  ])('that JSON would lose becomes an error for the model: %s', async (_, result, why) => {
    const words: unknown = expect.stringContaining(`The tool odd answered with something that is lost: ${why}`);
    expect(await answer(result)).toEqual({ content: [{ type: 'text', text: words }], isError: true });
  });
});

describe('A result of texts, for which there is a shorter way,', () => {
  const inherited = Object.create({ type: 'text' }) as Record<string, unknown>;
  inherited['text'] = 'x';
  const hidden = Object.defineProperty({ type: 'text', text: 'x' }, 'secret', { value: 1 });
  const written = (value: object, content: unknown): object =>
    Object.defineProperty(value, 'toJSON', { value: () => content });

  it.each<[string, object]>([
    [
      'texts',
      {
        content: [
          { type: 'text', text: 'x' },
          { text: 'y', type: 'text' },
        ],
      },
    ],
    ['frozen', Object.freeze({ content: Object.freeze([Object.freeze({ type: 'text', text: 'x' })]) })],
    ['a text with annotations', { content: [{ type: 'text', text: 'x', annotations: { priority: 1 } }] }],
    ['a hidden member', { content: [hidden] }],
    ['a list with a name', { content: Object.assign([{ type: 'text', text: 'x' }], { named: 1 }) }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { content: [] })],
    ['a result that writes itself', written({ content: [] }, { content: [{ type: 'text', text: 'w' }] })],
    ['a list that writes itself', { content: written([{ type: 'text', text: 'x' }], []) }],
    ['a text that writes itself', { content: [written({ type: 'text', text: 'x' }, { type: 'text', text: 'w' })] }],
    ['a result with another member', { content: [{ type: 'text', text: 'x' }], isError: false }],
  ])('reaches the agent as JSON carries it: %s', async (_, result) => {
    expect(await answer(result)).toEqual(JSON.parse(JSON.stringify(result)));
  });

  it.each<[string, unknown]>([
    ['a hole', { content: Object.assign([], { length: 1 }) }],
    ['a text that is none', { content: [{ type: 'text', text: 5 }] }],
    ['an inherited type', { content: [inherited] }],
  ])('is refused as any other: %s', async (_, result) => {
    expect(await answer(result)).toMatchObject({ isError: true });
  });

  it('is read once, so that what was checked is what is sent', async () => {
    let reads = 0;
    const changing = Object.defineProperty({ type: 'text' }, 'text', {
      get: () => ((reads += 1) === 1 ? 'checked' : 5),
      enumerable: true,
    });
    expect(await answer({ content: [changing] })).toEqual(text('checked'));
  });
});

describe('An error that a handler throws', () => {
  it('reaches the model, whatever it does when it is looked at', async () => {
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
