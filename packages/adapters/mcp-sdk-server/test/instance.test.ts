import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { McpServer as RealServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import { z as three } from 'zod/v3';
import { createSdkMcpServer, hostServer, tool, type ToolSchema } from '../src/index.ts';
import { openSession, text } from './client.ts';

const schemas: readonly (readonly [string, ToolSchema])[] = [
  ['a shape of zod', { a: z.number(), b: z.number().default(40) }],
  ['an object of zod', z.object({ a: z.number(), b: z.number().default(40) })],
  ['zod/mini', { a: mini.number(), b: mini._default(mini.number(), 40) }],
  ['zod 3', { a: three.number(), b: three.number().default(40) }],
  ['a JSON Schema', { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }],
];

const make = (inputSchema: ToolSchema): ReturnType<typeof createSdkMcpServer> => {
  const add = tool('add', 'Adds', inputSchema, (args) => text(JSON.stringify(args)), {
    annotations: { readOnlyHint: true },
    searchHint: 'sums',
  });
  return createSdkMcpServer({ name: 'calc', version: '7', instructions: 'Count.', tools: [add] });
};

describe('`instance` of a server made by createSdkMcpServer()', () => {
  it('is a real McpServer, made once', () => {
    const config = make({});
    expect(config.instance).toBeInstanceOf(RealServer);
    expect(config.instance).toBe(config.instance);
    expect(config.instance.isConnected()).toBe(false);
  });

  it('serves the sessions that begin after it was read, with what the program registers on it', async () => {
    const config = make({});
    const before = await openSession(hostServer(config));
    config.instance.registerTool('more', { description: 'd' }, () => text('more'));
    config.instance.registerResource('note', 'note://1', {}, () => ({ contents: [{ uri: 'note://1', text: 'x' }] }));
    const after = await openSession(hostServer(config));
    expect((await before.listed()).map(({ name }) => name)).toEqual(['add']);
    expect((await after.listed()).map(({ name }) => name)).toEqual(['add', 'more']);
    expect(await after.call('more')).toEqual(text('more'));
    expect(await after.ask('resources/read', { uri: 'note://1' })).toHaveProperty('result.contents');
    await expect(openSession(hostServer(config))).rejects.toThrow('serves one session at a time');
  });

  it('shows the marks of a handler, by which a tracer finds that it has wrapped it', () => {
    const mark = Symbol('traced');
    const handler = Object.defineProperty(() => text('ok'), mark, { value: true });
    const config = createSdkMcpServer({ name: 'calc', tools: [tool('add', 'Adds', { a: z.number() }, handler)] });
    // Tracers read this member of the MCP SDK, which has no type.
    const registered: unknown = Reflect.get(config.instance, '_registeredTools');
    expect(registered).toMatchObject({ add: { handler: { [mark]: true } } });
  });

  it.each(schemas)('has the same tools: %s', async (_, schema) => {
    const [light, full] = [make(schema), make(schema)];
    expect(full.instance).toBeInstanceOf(RealServer);
    const [ours, theirs] = [await openSession(hostServer(light)), await openSession(hostServer(full))];
    const [listed] = await ours.listed();
    expect(await theirs.listed()).toMatchObject([
      { ...listed, inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } },
    ]);
    expect(await theirs.call('add', { a: 1 })).toEqual(await ours.call('add', { a: 1 }));
    const wrong = await theirs.call('add', { a: 'x' });
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/arguments for.*add.*number/s) }],
    });
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    expect(await theirs.ask('initialize', hello)).toMatchObject({
      result: { serverInfo: { name: 'calc', version: '7' }, instructions: 'Count.' },
    });
  });

  it('leaves a server that an agent has a manifest of to the engine that the manifest is of', async () => {
    const config = make({});
    const server = hostServer(config);
    expect(server.manifest?.()).toMatchObject({ toolsListResult: { tools: [{ name: 'add' }] } });
    config.instance.registerTool('more', { description: 'd' }, () => text('more'));
    expect((await (await openSession(server)).listed()).map(({ name }) => name)).toEqual(['add']);
    expect(hostServer(config).manifest).toBeUndefined();
  });

  it('is not read by a copy of the config, and the copy is served too', async () => {
    const config = make({});
    const copy = { ...config, tools: [{ name: 'add', permission_policy: 'always_ask' as const }] };
    expect(Object.keys(copy)).toEqual(['type', 'name', 'tools']);
    expect(await (await openSession(hostServer(copy, 'sums'))).call('add')).toEqual(text('{}'));
    expect(hostServer(copy).config).toEqual({ tools: copy.tools });
  });

  it('is a typed error where the MCP SDK is not installed, and the tools work', async () => {
    const fixture = fileURLToPath(new URL('fixtures/without-mcp-sdk.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@hexagent/source', fixture]);
    expect(JSON.parse(stdout)).toEqual({
      code: 'MCP_SDK_MISSING',
      message: expect.stringMatching(
        /^`instance` of the MCP server s needs @modelcontextprotocol\/sdk, which could not be/,
      ),
      reply: { jsonrpc: '2.0', id: 1, result: text('done') },
    });
  });

  it('is a McpServer of the module that an import loads', async () => {
    const fixture = fileURLToPath(new URL('fixtures/same-module.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@hexagent/source', fixture]);
    expect(stdout.trim()).toBe('true');
  });
});
