import { assert } from './assert.ts';
import { add, begin, failureOf, openServer, simple, text, type McpServerPromises } from './mcp-server-fixture.ts';
import { assertMatches } from './matching.ts';

const cyclic: Record<string, unknown> = { content: [] };
cyclic['structuredContent'] = { parts: [cyclic] };

const contents: Readonly<Record<string, object>> = {
  text: { type: 'text', text: 'é😀\n' },
  image: { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  audio: { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
  'an embedded text': { type: 'resource', resource: { uri: 'note://1', mimeType: 'text/plain', text: 'x' } },
  'an embedded file': { type: 'resource', resource: { uri: 'note://2', mimeType: 'image/png', blob: 'aGk=' } },
  'a link': { type: 'resource_link', uri: 'note://3', name: 'three', mimeType: 'text/plain' },
  'what has annotations': {
    type: 'text',
    text: 'x',
    annotations: { audience: ['user'], priority: 1 },
    _meta: { a: 1 },
  },
};

export const listing: McpServerPromises = {
  'lists each tool with its description, schema, annotations and `_meta`': async (fixture) => {
    const { ask } = await begin(
      fixture,
      add,
      simple('other', () => text('')),
    );
    const { tools } = (await ask('tools/list')).result as { tools: readonly { name: string }[] };
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['add', 'other'],
    );
    assertMatches(tools[0], {
      description: add.description,
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      annotations: { readOnlyHint: true },
      _meta: { 'anthropic/searchHint': 'sums' },
    });
    assertMatches(tools[1], { inputSchema: { type: 'object' } });
  },
};

export const results: McpServerPromises = {
  'calls a tool with its arguments and the `_meta` of the call': async (fixture) => {
    const seen: unknown[] = [];
    const look = {
      ...add,
      run: (...[args, { _meta }]: Parameters<typeof add.run>) => (seen.push(args, _meta), text('')),
    };
    const { ask } = await begin(fixture, look);
    const _meta = { 'claudecode/toolUseId': 'toolu_1' };
    await ask('tools/call', { name: 'add', arguments: { a: 1, b: 2 }, _meta });
    assert.deepEqual(seen, [{ a: 1, b: 2 }, _meta]);
  },

  'keeps wrong arguments from a tool; the model reads which one is wrong and why': async (fixture) => {
    let calls = 0;
    const { call } = await begin(fixture, { ...add, run: () => ((calls += 1), text('')) });
    const words = failureOf(await call('add', { a: 'two', b: 1 }));
    assert.match(words, /\ba\b/u);
    assert.match(words, /number/u);
    assert.match(failureOf(await call('add', { a: 1 })), /\bb\b/u);
    assert.equal(calls, 0);
  },

  'hands on content of every kind as the tool returned it': async (fixture) => {
    for (const [kind, content] of Object.entries(contents)) {
      const { call } = await begin(
        fixture,
        simple('give', () => ({ content: [content] })),
      );
      assert.deepEqual((await call('give')).result, { content: [content] }, kind);
    }
  },

  'hands on `structuredContent`, `isError` and `_meta` of a result': async (fixture) => {
    const result = { ...text('x'), structuredContent: { at: [1, null] }, isError: true, _meta: { 'x.example/a': 1 } };
    const { call } = await begin(
      fixture,
      simple('give', () => result),
    );
    assertMatches(await call('give'), { result });
  },

  'hands on a result of 20 MB': async (fixture) => {
    const large = 'x'.repeat(20 * 1024 * 1024);
    const { call } = await begin(
      fixture,
      simple('give', () => text(large)),
    );
    const { content } = (await call('give')).result as { content: readonly { text: string }[] };
    assert.ok(content[0]?.text === large);
  },

  'answers with the message of an error that a tool throws, or rejects with': async (fixture) => {
    const boom = simple('boom', () => {
      throw new Error('kaboom');
    });
    const late = simple('late', () => Promise.reject(new Error('kaboom')));
    const { call } = await begin(fixture, boom, late);
    for (const name of ['boom', 'late']) assert.match(failureOf(await call(name)), /kaboom/u);
  },

  'answers with a failure where JSON would lose the result, and continues': async (fixture) => {
    const odd: Readonly<Record<string, unknown>> = {
      cycle: cyclic,
      map: { content: [], structuredContent: new Map([[1, 2]]) },
      bigint: { content: [], structuredContent: { n: 1n } },
      nothing: undefined,
      word: 'done',
    };
    const tools = Object.entries(odd).map(([name, result]) => simple(name, () => result));
    const { call } = await begin(fixture, add, ...tools);
    for (const name of Object.keys(odd)) assert.ok(failureOf(await call(name)).length > 0, name);
    assertMatches(await call('add', { a: 1, b: 2 }), { result: text('3') });
  },
};

export const sessions: McpServerPromises = {
  'serves several sessions without mixing them, or refuses the second one': async (fixture) => {
    const one = await begin(fixture, add);
    if (!fixture.hasManySessions) {
      await assert.rejects(async () => await openServer(one.server), /calc/u);
      assertMatches(await one.call('add', { a: 1, b: 1 }), { result: text('2') });
      return;
    }
    const two = await openServer(one.server);
    const replies = await Promise.all([
      one.call('add', { a: 1, b: 1 }, { id: 1 }),
      two.call('add', { a: 2, b: 2 }, { id: 1 }),
    ]);
    assertMatches(replies[0], { result: text('2') });
    assertMatches(replies[1], { result: text('4') });
    await one.session.close();
    assertMatches(await two.call('add', { a: 3, b: 3 }), { result: text('6') });
  },

  'serves a session that begins after another one was closed': async (fixture) => {
    const { server, session } = await begin(fixture, add);
    await session.close();
    for (const b of [1, 2]) {
      const next = await openServer(server);
      assertMatches(await next.call('add', { a: 0, b }), { result: text(String(b)) });
      await next.session.close();
    }
  },
};
