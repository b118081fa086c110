import { assert } from './assert.ts';
import type { JsonRpcMessage } from '@hexagent/ports';
import {
  add,
  begin,
  failureOf,
  hello,
  openServer,
  text,
  type McpServerFixture,
  type McpServerPromises,
} from './mcp-server-fixture.ts';
import { assertMatches } from './matching.ts';

/** A method for each capability, which is there exactly if the capability is declared. */
const methods: Readonly<Record<string, readonly [string, object?]>> = {
  tools: ['tools/list'],
  resources: ['resources/list'],
  prompts: ['prompts/list'],
  logging: ['logging/setLevel', { level: 'info' }],
};

interface Introduction {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, { readonly listChanged?: boolean } | undefined>>;
  readonly serverInfo: { readonly name: string };
}

const introductionOf = ({ result }: JsonRpcMessage): Introduction => result as Introduction; // each field is asserted

const before = async (fixture: McpServerFixture): ReturnType<typeof openServer> =>
  await openServer(await fixture.createServer([add]));

export const handshake: McpServerPromises = {
  'answers `initialize` with its name, in the version of the protocol that was asked for': async (fixture) => {
    const { ask } = await before(fixture);
    const introduction = introductionOf(await ask('initialize', hello, { id: '1fc1a771:0' }));
    assertMatches(introduction, { protocolVersion: hello.protocolVersion, serverInfo: { name: 'calc' } });
  },

  'names a version that it has when another one is asked for': async (fixture) => {
    const { ask } = await before(fixture);
    const reply = introductionOf(await ask('initialize', { ...hello, protocolVersion: '1999-01-01' }));
    assert.match(reply.protocolVersion, /^20\d\d-\d\d-\d\d$/u);
  },

  'declares the capabilities that it has, and no others': async (fixture) => {
    const { ask } = await before(fixture);
    const { capabilities } = introductionOf(await ask('initialize', hello));
    assert.ok(capabilities['tools'], 'Tools are not declared.');
    for (const [capability, [method, params]] of Object.entries(methods)) {
      const { error } = await ask(method, params);
      if (capabilities[capability] === undefined) assert.equal(error?.code, -32_601, method);
      else assert.equal(error, undefined, method);
    }
  },

  'declares `listChanged` if its tools may change, and then reports each change': async (fixture) => {
    const opened = await before(fixture);
    const { capabilities } = introductionOf(await opened.ask('initialize', hello));
    if (fixture.addTool === undefined) return;
    assert.equal(capabilities['tools']?.listChanged, true);
    fixture.addTool(opened.server, { ...add, name: 'late' });
    assertMatches(await opened.next(), { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    assertMatches(await opened.call('late', { a: 1, b: 2 }), { result: text('3') });
  },

  'accepts a notification without a reply': async (fixture) => {
    const { ask, notify } = await before(fixture);
    await ask('initialize', hello);
    await notify('notifications/initialized');
    await notify('notifications/roots/list_changed');
  },

  'answers a ping': async (fixture) => {
    assert.deepEqual((await (await begin(fixture, add)).ask('ping')).result, {});
  },

  'may be initialized again, as after a reconnect': async (fixture) => {
    const { ask, call } = await begin(fixture, add);
    assertMatches(await ask('initialize', hello), { result: { serverInfo: { name: 'calc' } } });
    assertMatches(await call('add', { a: 1, b: 2 }), { result: text('3') });
  },

  'has a manifest, if it has one, that agrees with its answers': async (fixture) => {
    const { server, ask, call } = await before(fixture);
    const manifest = server.manifest?.();
    // An agent with a manifest asks neither, and calls at once.
    if (manifest === undefined) return;
    assertMatches(await call('add', { a: 1, b: 2 }), { result: text('3') });
    const { protocolVersion } = manifest.initializeResult;
    assert.deepEqual((await ask('initialize', { ...hello, protocolVersion })).result, manifest.initializeResult);
    assert.deepEqual((await ask('tools/list')).result, manifest.toolsListResult);
  },

  'answers what arrives before `initialize`, and can be initialized after it': async (fixture) => {
    const { ask, call } = await before(fixture);
    const early = await call('add', { a: 1, b: 2 });
    if (early.result === undefined) failureOf(early);
    else assertMatches(early, { result: text('3') });
    assertMatches(await ask('initialize', hello), { result: { serverInfo: { name: 'calc' } } });
  },
};

const malformed: readonly (readonly [string, unknown, number])[] = [
  ['no JSON-RPC version', { id: 1, method: 'ping' }, -32_600],
  ['a method that is no string', { jsonrpc: '2.0', id: 1, method: 5 }, -32_600],
  ['nothing but an id', { jsonrpc: '2.0', id: 1 }, -32_600],
  ['an id that is no string or integer', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32_600],
  ['params that are no object', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32_602],
  ['a `_meta` that is no object', { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: 'x' } }, -32_602],
  ['no object at all', 'ping', -32_600],
  ['null', null, -32_600],
];

const ignored: readonly unknown[] = [
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: 'c:1' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'gone' } },
  { jsonrpc: '2.0', id: 3, result: {} },
  { jsonrpc: '2.0', id: 3, error: { code: 1, message: 'x' } },
];

export const oddMessages: McpServerPromises = {
  'answers a malformed request with an error, and continues': async (fixture) => {
    const { send, ask } = await begin(fixture, add);
    for (const [what, message, code] of malformed) {
      const reply = await send(message);
      assert.equal(reply?.error?.code, code, what);
      assert.ok((reply?.error?.message.length ?? 0) > 0, what);
    }
    assert.deepEqual((await ask('ping')).result, {});
  },

  'answers a request with a field that JSON-RPC does not define': async (fixture) => {
    const { send } = await begin(fixture, add);
    assertMatches(await send({ jsonrpc: '2.0', id: 1, method: 'ping', trace: 'x' }), { id: 1, result: {} });
  },

  'answers an unknown method with the error -32601': async (fixture) => {
    const { ask } = await begin(fixture, add);
    assert.equal((await ask('tools/fetch')).error?.code, -32_601);
  },

  'answers the call of an unknown tool with a failure that names it': async (fixture) => {
    const { call } = await begin(fixture, add);
    for (const name of ['nope', 'constructor', '__proto__'])
      assert.ok(failureOf(await call(name)).includes(name), name);
  },

  'ignores answers to what it never asked and the cancelling of what is not there': async (fixture) => {
    const { send, ask } = await begin(fixture, add);
    for (const message of ignored) assert.equal(await send(message), undefined, JSON.stringify(message));
    assert.deepEqual((await ask('ping')).result, {});
  },
};
