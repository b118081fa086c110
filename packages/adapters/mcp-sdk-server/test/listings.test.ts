import type { JsonRpcMessage, McpServer, SessionFeature, Warning } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { inProcessServers } from './hosting.ts';

const fine = { name: 'fine', inputSchema: { type: 'object' } };
const context = { requestId: 'r', signal: new AbortController().signal };

interface Listed {
  readonly feature: SessionFeature;
  readonly warned: Warning[];
  list(name?: string): Promise<unknown>;
  status(): unknown;
}

/** A server that answers `tools/list` with these, in order. */
function listing(...replies: readonly object[]): Listed {
  const left = [...replies];
  const warned: Warning[] = [];
  const server: McpServer = {
    name: 'mine',
    open: () => ({
      handle: async ({ id }): Promise<JsonRpcMessage> => ({ jsonrpc: '2.0', id, ...left.shift() }),
      close: async () => {},
    }),
  };
  const feature = inProcessServers([server]);
  const request = async (): Promise<never> => ({}) as never;
  feature.attach?.({
    request,
    requestUntyped: request,
    observe: () => {},
    warn: (warning) => void warned.push(warning),
  });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const;
  return {
    feature,
    warned,
    list: async () => await feature.handlers?.mcp_message?.({ server_name: 'mine', message }, context),
    status: () => feature.amend?.mcp_status?.({ mcpServers: [{ name: 'mine', status: 'connected' }] }).mcpServers[0],
  };
}

const tools = (...list: readonly unknown[]): object => ({ result: { tools: list } });

describe('A list of tools that the agent does not accept', () => {
  it.each<[string, object]>([
    ['undefined as `tools`', { result: {} }],
    ['a number as `nextCursor`', { result: { tools: [fine], nextCursor: 5 } }],
    ['null as `tools[1]`', tools(fine, null)],
    ['a number as `tools[0].name`', tools({ ...fine, name: 5 })],
    ['undefined as `tools[0].inputSchema`', tools({ name: 'x' })],
    ['undefined as `tools[0].inputSchema.type`', tools({ name: 'x', inputSchema: {} })],
    [
      'a string as `tools[0].inputSchema.properties`',
      tools({ ...fine, inputSchema: { type: 'object', properties: 'x' } }),
    ],
    ['a string as `tools[0].inputSchema.required`', tools({ ...fine, inputSchema: { type: 'object', required: 'x' } })],
    ['null as `tools[0].description`', tools({ ...fine, description: null })],
    ['a string as `tools[0].annotations.readOnlyHint`', tools({ ...fine, annotations: { readOnlyHint: 'yes' } })],
    ['a string as `tools[0]._meta`', tools({ ...fine, _meta: 'x' })],
    ['a list as `tools[0].icons`', tools({ ...fine, icons: [5] })],
    ['It refused tools/list: no ink', { error: { code: 1, message: 'no ink' } }],
  ])('is the reason in the status and a warning, once, until there is another list: %s', async (why, reply) => {
    const server = listing(reply, reply, tools(fine));
    await server.list();
    await server.list();
    expect(server.warned).toMatchObject([{ code: 'HEXAGENT_SERVER_FAILED', message: expect.stringContaining(why) }]);
    expect(server.status()).toMatchObject({ error: expect.stringContaining(why) });
    await server.list();
    expect(server.status()).toEqual({ name: 'mine', status: 'connected' });
  });

  it('is found in a manifest too, which the agent has in place of asking', async () => {
    const warned = Promise.withResolvers<Warning>();
    const toolsListResult = { tools: [{ ...fine, title: 5 }] };
    const manifest = () => ({ initializeResult: {}, toolsListResult });
    const feature = inProcessServers([{ name: 'mine', open: () => Promise.reject(new Error('not asked')), manifest }]);
    expect(feature.initialize).toHaveProperty('sdkMcpServerManifests');
    const request = async (): Promise<never> => ({}) as never;
    feature.attach?.({ request, requestUntyped: request, observe: () => {}, warn: warned.resolve });
    expect(await warned.promise).toMatchObject({ message: expect.stringContaining('a number as `tools[0].title`') });
  });

  it('is not judged when the session ended meanwhile, nor when it cannot be read', async () => {
    const server = listing({ error: { code: 1, message: 'The session was closed.' } });
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const;
    const ended = { ...context, signal: AbortSignal.abort() };
    await server.feature.handlers?.mcp_message?.({ server_name: 'mine', message }, ended);
    const throwing = {
      get name(): never {
        throw new Error('from a getter');
      },
    };
    const unreadable = listing(tools(throwing));
    await unreadable.list();
    expect([server.warned, unreadable.warned]).toEqual([[], []]);
  });
});

describe('A tool that the agent leaves out', () => {
  const long = 'n'.repeat(117); // with `mcp__mine__` it has 128 characters

  it('is warned of, once, and the server works', async () => {
    const list = tools(
      fine,
      { ...fine, name: long },
      { ...fine, name: `${long}n` },
      { ...fine, name: 'a.b' },
      { ...fine, name: 'a b' },
    );
    const server = listing(list, list);
    await server.list();
    await server.list();
    expect(server.warned).toMatchObject([
      { code: 'HEXAGENT_TOOL_LEFT_OUT', message: expect.stringContaining(`mcp__mine__${long}n has 129 characters`) },
      { code: 'HEXAGENT_TOOL_LEFT_OUT', message: expect.stringContaining('a b and a.b are both mcp__mine__a_b') },
    ]);
    expect(server.status()).toEqual({ name: 'mine', status: 'connected' });
  });
});
