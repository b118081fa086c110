import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as RealServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSdkMcpServer, hostServer, tool, type ConnectableServer, type McpTransport } from '../src/index.ts';
import { hello, openSession, text } from './client.ts';

const add = tool('add', 'Adds', { a: z.number(), b: z.number() }, ({ a, b }) => text(String(a + b)));

function real(): RealServer {
  const server = new RealServer({ name: 'calc', version: '1' });
  server.registerTool('add', { description: 'Adds', inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) =>
    text(String(a + b)),
  );
  return server;
}

describe('A server made by createSdkMcpServer()', () => {
  it("works with the MCP SDK's own client, through its instance", async () => {
    const { instance } = createSdkMcpServer({ name: 'calc', tools: [add] });
    const [ourSide, theirSide] = InMemoryTransport.createLinkedPair();
    await instance.connect(ourSide);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(theirSide);
    expect(client.getServerVersion()).toEqual({ name: 'calc', version: '1.0.0' });
    expect((await client.listTools()).tools).toMatchObject([{ name: 'add', inputSchema: { type: 'object' } }]);
    expect(await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })).toMatchObject(text('5'));
    await instance.close();
    await expect(client.ping()).rejects.toThrow('Not connected');
  });
});

describe("A user's own McpServer", () => {
  it('is refused a second session at the same time, with a message that has the remedy', async () => {
    const server = hostServer({ type: 'sdk', name: 'calc', instance: real() });
    const first = await openSession(server);
    await expect(openSession(server)).rejects.toThrow(
      "The MCP server calc could not be connected: an McpServer serves one session at a time. Let the config make one for each: { type: 'sdk', name, create: () => new McpServer(…) }.",
    );
    expect(await first.call('add', { a: 1, b: 2 })).toMatchObject(text('3'));
  });

  it('that the program connected elsewhere is refused with the cause', async () => {
    const instance = real();
    await instance.connect(InMemoryTransport.createLinkedPair()[0]);
    const server = hostServer({ type: 'sdk', name: 'calc', instance });
    await expect(openSession(server)).rejects.toThrow(
      /could not be connected \(Already connected.*one session at a time/s,
    );
    await instance.close();
    expect(await (await openSession(server)).call('add', { a: 1, b: 2 })).toMatchObject(text('3'));
  });

  it('that the program closes answers running calls, and refuses later ones as closed', async () => {
    const instance = real();
    instance.registerTool('slow', { description: 'd' }, () => new Promise(() => {}));
    const { ask, session } = await openSession(hostServer({ type: 'sdk', name: 'calc', instance }));
    const slow = ask('tools/call', { name: 'slow' });
    await instance.close();
    expect(await slow).toMatchObject({ error: { code: -32000, message: 'The MCP server calc was closed.' } });
    expect(await ask('ping')).toMatchObject({ error: { code: -32000 } });
    await session.close();
  });

  it("may send notifications and requests of its own, and receives the agent's answers", async () => {
    const instance = real();
    const { ask, send, next } = await openSession(hostServer({ type: 'sdk', name: 'calc', instance }));
    await ask('initialize', hello);
    instance.registerTool('late', { description: 'd' }, () => text(''));
    expect(await next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    const pong = instance.server.ping();
    const ping = await next();
    expect(ping).toMatchObject({ method: 'ping' });
    expect(await send({ jsonrpc: '2.0', id: ping?.id, result: {} })).toBeUndefined();
    expect(await pong).toEqual({});
  });

  it('serves resources, templates and prompts', async () => {
    const instance = real();
    instance.registerResource('note', 'note://1', {}, async (uri) => ({
      contents: [{ uri: uri.href, text: 'remember' }],
    }));
    instance.registerResource(
      'notes',
      new ResourceTemplate('note://all/{id}', { list: undefined }),
      {},
      (uri, { id }) => ({
        contents: [{ uri: uri.href, text: `note ${String(id)}` }],
      }),
    );
    instance.registerPrompt('greet', { argsSchema: { who: z.string() } }, ({ who }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}` } }],
    }));
    const { ask } = await openSession(hostServer({ type: 'sdk', name: 'calc', instance }));
    expect(await ask('initialize', hello)).toHaveProperty('result.capabilities', {
      tools: { listChanged: true },
      resources: { listChanged: true },
      prompts: { listChanged: true },
      completions: undefined,
    });
    expect(await ask('resources/read', { uri: 'note://1' })).toHaveProperty('result.contents.0.text', 'remember');
    expect(await ask('resources/read', { uri: 'note://all/7' })).toHaveProperty('result.contents.0.text', 'note 7');
    expect(await ask('resources/templates/list')).toHaveProperty('result.resourceTemplates.0.name', 'notes');
    expect(await ask('prompts/get', { name: 'greet', arguments: { who: 'Ann' } })).toHaveProperty(
      'result.messages.0.content.text',
      'Greet Ann',
    );
  });

  it('writes logs, and checks structured content by its output schema', async () => {
    const instance = new RealServer({ name: 'calc', version: '1' }, { capabilities: { logging: {} } });
    instance.registerTool('sum', { description: 'd', outputSchema: { total: z.number() } }, async ({ _meta }) => {
      await instance.sendLoggingMessage({ level: 'info', data: 'counting' });
      const total = _meta?.['wrong'] === true ? 'x' : 3;
      return { ...text('3'), structuredContent: { total } };
    });
    const { ask, received } = await openSession(hostServer({ type: 'sdk', name: 'calc', instance }));
    await ask('initialize', hello);
    await ask('logging/setLevel', { level: 'debug' });
    expect(await ask('tools/call', { name: 'sum' })).toHaveProperty('result.structuredContent', { total: 3 });
    expect(received).toMatchObject([{ method: 'notifications/message', params: { level: 'info', data: 'counting' } }]);
    expect(await ask('tools/call', { name: 'sum', _meta: { wrong: true } })).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('Invalid structured content') }] },
    });
  });
});

describe('A server that is not from the MCP SDK', () => {
  it('may answer twice, late or to a request that was never sent: only the first answer to each counts', async () => {
    const sent: McpTransport[] = [];
    const instance: ConnectableServer = {
      connect: async (transport) => {
        sent.push(transport);
        // oxlint-disable-next-line unicorn/prefer-add-event-listener -- An MCP transport is no EventTarget.
        transport.onmessage = ({ id }) => {
          for (const value of ['first', 'second']) void transport.send({ jsonrpc: '2.0', id, result: { value } });
        };
      },
      close: async () => {},
    };
    const { ask, received, session } = await openSession(hostServer({ type: 'sdk', name: 'calc', instance }));
    for (const id of [1, 1])
      expect(await ask('ping', undefined, { id })).toEqual({ jsonrpc: '2.0', id, result: { value: 'first' } });
    await session.close();
    await sent[0]?.send({ jsonrpc: '2.0', id: 9, result: {} });
    expect(received).toEqual([]);
  });
});

describe('A server that is made for each session', () => {
  it('is made anew for each session, and closed with it', async () => {
    const made: RealServer[] = [];
    const create = async (): Promise<RealServer> => {
      made.push(real());
      return made.at(-1) as RealServer;
    };
    const server = hostServer({ type: 'sdk', name: 'calc', create });
    expect(made).toEqual([]);
    const [one] = [await openSession(server), await openSession(server)];
    expect(made.map((instance) => instance.isConnected())).toEqual([true, true]);
    await one?.session.close();
    expect(made.map((instance) => instance.isConnected())).toEqual([false, true]);
  });

  it.each<[string, () => unknown, string]>([
    ['makes nothing', () => undefined, '`create` of the MCP server calc must return an McpServer, not undefined.'],
    ['throws', () => Promise.reject(new Error('out of ink')), 'out of ink'],
  ])('is refused when its function %s', async (_, create, message) => {
    const server = hostServer({ type: 'sdk', name: 'calc', create: create as () => RealServer });
    await expect(openSession(server)).rejects.toThrow(message);
  });

  it('must be another one each time', async () => {
    const instance = real();
    const server = hostServer({ type: 'sdk', name: 'calc', create: () => instance });
    await openSession(server);
    await expect(openSession(server)).rejects.toThrow('serves one session at a time');
  });
});
