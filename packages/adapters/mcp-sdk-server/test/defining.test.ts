import { describe, expect, it } from 'vitest';
import {
  createSdkMcpServer,
  hostServer,
  tool,
  type CreateSdkMcpServerOptions,
  type McpSdkServerConfigWithInstance,
  type SdkMcpToolDefinition,
  type ToolExtra,
} from '../src/index.ts';
import { hello, lightServer, openSession, text } from './client.ts';

const done = (): ReturnType<typeof text> => text('done');

describe('tool()', () => {
  it('describes a tool as data', () => {
    const shape = {};
    expect(tool('t', 'd', shape, done)).toStrictEqual({
      name: 't',
      description: 'd',
      inputSchema: shape,
      handler: done,
    });
  });

  it('puts its hints into `_meta`, where the agent reads them', () => {
    const annotations = { readOnlyHint: true, title: 'T' };
    expect(tool('t', 'd', {}, done, { annotations, searchHint: 'tea time', alwaysLoad: true })).toMatchObject({
      annotations,
      _meta: { 'anthropic/searchHint': 'tea time', 'anthropic/alwaysLoad': true },
    });
    expect(tool('t', 'd', {}, done, { alwaysLoad: false })).not.toHaveProperty('_meta');
  });
});

describe('createSdkMcpServer()', () => {
  it('makes a config in the official shape', () => {
    const config = createSdkMcpServer({ name: 'calc' });
    expect(config).toMatchObject({ type: 'sdk', name: 'calc' });
    expect(config.instance.connect).toBeTypeOf('function');
    expect(Object.keys(config)).toEqual(['type', 'name']);
  });

  it('reports its name, version and instructions', async () => {
    const told = async (options: Omit<CreateSdkMcpServerOptions, 'name'>): Promise<unknown> =>
      (await (await openSession(lightServer(options))).ask('initialize', hello)).result;
    expect(await told({})).toStrictEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'calc', version: '1.0.0' },
    });
    expect(await told({ version: '7', instructions: 'Count.' })).toMatchObject({
      serverInfo: { version: '7' },
      instructions: 'Count.',
    });
  });

  it('lists annotations and _meta of each tool, with `alwaysLoad` of the server', async () => {
    const tools = [
      tool('a', 'd', {}, done, { searchHint: 'x' }),
      { ...tool('b', 'd', {}, done), _meta: { 'anthropic/alwaysLoad': false } },
    ];
    const listed = await (await openSession(lightServer({ alwaysLoad: true, tools }))).listed();
    expect(listed.map(({ _meta }) => _meta)).toEqual([
      { 'anthropic/alwaysLoad': true, 'anthropic/searchHint': 'x' },
      { 'anthropic/alwaysLoad': false },
    ]);
    expect((await (await openSession(lightServer({ tools }))).listed())[0]?._meta).toEqual({
      'anthropic/searchHint': 'x',
    });
  });

  it('without tools has an empty list', async () => {
    expect(await (await openSession(lightServer())).listed()).toEqual([]);
  });

  it('accepts what the official function accepts: no list, a Set, a tool without description or schema', async () => {
    for (const tools of [null, false, '', 0, new Set()])
      expect(createSdkMcpServer({ name: '', tools } as unknown as CreateSdkMcpServerOptions).type).toBe('sdk');
    expect(tool('add', 'd', {}, done, null as unknown as undefined)).toMatchObject({ name: 'add' });
    const bare: unknown = { name: 'bare', handler: done };
    const server = await openSession(lightServer({ tools: new Set([bare]) as unknown as SdkMcpToolDefinition[] }));
    const [listed] = await server.listed();
    expect(listed).toMatchObject({ name: 'bare', inputSchema: { type: 'object' } });
    expect(listed).not.toHaveProperty('description', expect.anything());
  });

  it.each<[string, unknown]>([
    ['An MCP server is made of an object such as { name, tools }', undefined],
    ['An MCP server needs a name', {}],
    ['`tools` of the MCP server s must be a list of what tool() makes', { name: 's', tools: 5 }],
    ['`tools` of the MCP server s must be a list of what tool() makes', { name: 's', tools: 'add' }],
    ['a tool that is no object', { name: 's', tools: ['add'] }],
    ['a tool without a name', { name: 's', tools: [{ ...tool('', 'd', {}, done) }] }],
    [
      'The description of the tool add must be a string',
      { name: 's', tools: [{ name: 'add', description: 5, inputSchema: {}, handler: done }] },
    ],
    [
      'The tool add needs a function as its handler',
      { name: 's', tools: [{ name: 'add', description: 'd', inputSchema: {} }] },
    ],
    ['two tools called add', { name: 's', tools: [tool('add', 'd', {}, done), tool('add', 'e', {}, done)] }],
  ])('throws for a server that could not be served: %s', (message, options) => {
    expect(() => createSdkMcpServer(options as CreateSdkMcpServerOptions)).toThrow(TypeError);
    expect(() => createSdkMcpServer(options as CreateSdkMcpServerOptions)).toThrow(message);
  });
});

describe('hostServer()', () => {
  it("names a server by its own name, or by its key in the session's options", () => {
    const config = createSdkMcpServer({ name: 'calc' });
    expect(hostServer(config).name).toBe('calc');
    expect(hostServer(config, 'sums').name).toBe('sums');
  });

  it.each<[string, unknown]>([
    ['a config of another kind', { type: 'stdio', name: 'calc', command: 'x' }],
    ['a config without an instance', { type: 'sdk', name: 'calc' }],
    ['an instance that is no server', { type: 'sdk', name: 'calc', instance: {} }],
  ])('refuses %s', (_, config) => {
    expect(() => hostServer(config as McpSdkServerConfigWithInstance)).toThrow(
      "The MCP server calc must be { type: 'sdk', name, instance }",
    );
  });
});

describe('The settings of a server for the agent', () => {
  const server = createSdkMcpServer({ name: 'mine', timeout: 5000 });

  it('are on the port: policies of tools, and the timeout of the config, else that of the server', () => {
    expect(server.timeout).toBe(5000);
    expect(hostServer(server).config).toEqual({ timeout: 5000 });
    const tools = [{ name: 'wipe', permission_policy: 'always_deny' as const }];
    expect(hostServer({ ...server, tools, timeout: 7 }).config).toEqual({ tools, timeout: 7 });
    expect(hostServer({ ...server, tools: [], timeout: 0 }).config).toEqual({ tools: [] });
    expect(hostServer(createSdkMcpServer({ name: 'mine' })).config).toBeUndefined();
  });

  it.each([
    ['tools', 'wipe'],
    ['tools', new Set(['wipe'])],
    ['tools', ['wipe']],
    ['tools', [{ permission_policy: 'always_deny' }]],
    ['tools', [{ name: 'wipe', permission_policy: 'deny' }]],
    ['timeout', -1],
    ['timeout', 1.5],
    ['timeout', NaN],
    ['timeout', '5'],
  ])('are refused when they are malformed, since ignoring them would let a tool run: %s: %o', (key, value) => {
    expect(() => hostServer({ ...server, [key]: value })).toThrow(/mine/);
    expect(() => hostServer({ ...server, [key]: value })).toThrow(TypeError);
  });

  it('are refused when the server is made', () => {
    expect(() => createSdkMcpServer({ name: 'mine', timeout: 1.5 })).toThrow(/timeout.*mine/);
  });
});

describe('A malformed call of a tool', () => {
  it.each<[string, unknown, string]>([
    ['no params', undefined, '`params.name` must be a string.'],
    ['no name', {}, '`params.name` must be a string.'],
    ['arguments that are no object', { name: 'add', arguments: [1] }, '`params.arguments` must be an object.'],
    ['a tool that is not there', { name: 'nope' }, 'The MCP server calc has no tool nope.'],
  ])('is answered with an error that names the field: %s', async (_, params, message) => {
    const { ask } = await openSession(lightServer({ tools: [tool('add', 'd', {}, done)] }));
    expect(await ask('tools/call', params)).toMatchObject({ error: { code: -32602, message } });
  });

  it('is answered with an error, as is an initialize without a version', async () => {
    const { ask } = await openSession(lightServer());
    expect(await ask('initialize', {})).toMatchObject({
      error: { code: -32602, message: '`params.protocolVersion` must be a string.' },
    });
  });
});

describe('The second argument of a handler', () => {
  it('has the id of the request, its `_meta`, and sendNotification()', async () => {
    const seen: unknown[] = [];
    const look = tool('look', 'd', {}, async (_, { requestId, _meta, signal, sendNotification }) => {
      seen.push(requestId, _meta, signal.aborted);
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
      await sendNotification({ method: 'notifications/tools/list_changed' });
      return text('');
    });
    const { ask, received } = await openSession(lightServer({ tools: [look] }));
    await ask('tools/call', { name: 'look', _meta: { 'claudecode/toolUseId': 'toolu_1' } }, { id: 'x:9' });
    expect(seen).toEqual(['x:9', { 'claudecode/toolUseId': 'toolu_1' }, false]);
    expect(received).toEqual([
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    ]);
  });

  it('can be copied, and its signal can be read long after the call was cancelled', async () => {
    let seen: ToolExtra | undefined;
    const stuck = tool('stuck', 'd', {}, (_, extra) => {
      seen = extra;
      return new Promise(() => {});
    });
    const { ask, notify } = await openSession(lightServer({ tools: [stuck] }));
    const answer = ask('tools/call', { name: 'stuck' }, { id: 1 });
    await notify('notifications/cancelled', { requestId: 1, reason: 'enough' });
    expect(await answer).toMatchObject({ error: { code: -32800 } });
    const copy = { ...seen };
    expect(copy.signal).toBe(seen?.signal);
    expect(copy.signal).toMatchObject({ aborted: true, reason: { message: 'The call was cancelled: enough.' } });
  });
});
