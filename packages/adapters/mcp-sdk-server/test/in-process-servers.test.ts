import { Deferred } from '@hexagent/async';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import type {
  FeatureControl,
  JsonRpcMessage,
  McpClientSide,
  McpServer,
  ObservedFact,
  SessionFeature,
  Warning,
} from '@hexagent/ports';
import { inProcessServers } from './hosting.ts';

const context = { requestId: 'r', signal: new AbortController().signal };
const session = { handle: async () => undefined, close: async () => {} };
const introduction = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'mine', version: '1' } };
const server: McpServer = { name: 'mine', open: () => session };

const say = async (
  feature: SessionFeature,
  method: string,
  server_name = 'mine',
): Promise<JsonRpcMessage | undefined | null> =>
  await feature.handlers?.mcp_message?.({ server_name, message: { jsonrpc: '2.0', id: 1, method } }, context);

/** What a conversation gives a feature; remembers what comes of it. */
function control(
  answer: object = {},
): FeatureControl & { readonly asked: unknown[]; readonly seen: (ObservedFact | Warning)[] } {
  const asked: unknown[] = [];
  const seen: (ObservedFact | Warning)[] = [];
  const request = async (...given: readonly unknown[]): Promise<never> => (asked.push(given), answer) as never;
  return {
    asked,
    seen,
    request,
    requestUntyped: request,
    observe: (event) => void seen.push(event),
    warn: (warning) => void seen.push(warning),
  };
}

describe('#3 The servers of this process', () => {
  it('are shown to the agent by name, with what it holds them to', () => {
    const config = { tools: [{ name: 'wipe', permission_policy: 'always_deny' as const }], timeout: 5 };
    expect(inProcessServers([{ ...server, name: 'held', config }, server]).initialize).toEqual({
      sdkMcpServers: ['held', 'mine'],
      sdkMcpServerConfigs: { held: config },
    });
    expect(inProcessServers([server]).initialize).toEqual({ sdkMcpServers: ['mine'] });
  });

  it('have their manifests shown, where they have one, which spares the agent the handshake', () => {
    const manifest = { initializeResult: { protocolVersion: '1' }, toolsListResult: { tools: [] } };
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const servers = [
      { ...server, manifest: () => manifest },
      { ...server, name: 'none', manifest: () => undefined },
      { ...server, name: 'asked' },
      {
        ...server,
        name: 'throwing',
        manifest: () => {
          throw new Error('no ink');
        },
      },
      { ...server, name: 'odd', manifest: () => 'nonsense' as never },
      { ...server, name: 'lost', manifest: () => ({ ...manifest, initializeResult: cyclic }) },
    ];
    expect(inProcessServers(servers).initialize).toEqual({
      sdkMcpServers: servers.map(({ name }) => name),
      sdkMcpServerManifests: { mine: manifest },
    });
  });

  it('cannot share a name', () => {
    const message = 'Two in-process servers share a name: mine, mine.';
    expect(() => inProcessServers([server, server])).toThrow(new TypeError(message));
  });

  it('are opened by the agent’s first message to them, once, and closed with the conversation', async () => {
    const calls: string[] = [];
    const counted: McpServer = {
      name: 'mine',
      open: () => (calls.push('open'), { ...session, close: async () => void calls.push('close') }),
    };
    const feature = inProcessServers([counted]);
    expect(calls).toEqual([]);
    await Promise.all([say(feature, 'tools/list'), say(feature, 'tools/list')]);
    expect(calls).toEqual(['open']);
    await feature.close?.();
    expect(calls).toEqual(['open', 'close']);
  });

  it('are tried again when they could not be opened, and then have nothing to close', async () => {
    let tries = 0;
    const moody: McpServer = {
      name: 'mine',
      open: () => ((tries += 1) === 1 ? Promise.reject(new Error('not yet')) : session),
    };
    const feature = inProcessServers([moody]);
    await expect(say(feature, 'tools/list')).rejects.toThrow('not yet');
    await feature.close?.();
    await say(feature, 'tools/list');
    expect(tries).toBe(2);
  });

  it('do not hold up the end while they are being opened, and are closed when they are', async () => {
    const opening = new Deferred<typeof session>();
    const closed = new Deferred<void>();
    const feature = inProcessServers([{ name: 'mine', open: () => opening.promise }]);
    const reply = say(feature, 'tools/list');
    await feature.close?.();
    opening.resolve({ ...session, close: async () => closed.resolve() });
    await closed.promise;
    await reply;
  });

  it('are unknown by another name', async () => {
    expect(await say(inProcessServers([server]), 'tools/list', 'other')).toBeNull();
  });

  it('reach the agent by what the feature is attached to', async () => {
    const attached = control();
    const calling: McpServer = {
      name: 'mine',
      open: (client) => ({ ...session, handle: async (message) => (void client.send(message), undefined) }),
    };
    const feature = inProcessServers([calling]);
    feature.attach?.(attached);
    await say(feature, 'tools/list');
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(attached.asked).toEqual([['mcp_message', { server_name: 'mine', message }]]);
  });

  it('have the reason of their failure in the status, until they work', async () => {
    const attached = control();
    const replies = [{ error: { code: 1, message: 'no ink' } }, { result: introduction }];
    const failing: McpServer = {
      name: 'mine',
      open: () => ({ ...session, handle: async ({ id }) => ({ jsonrpc: '2.0', id, ...replies.shift() }) }),
    };
    const feature = inProcessServers([failing]);
    feature.attach?.(attached);
    const mcpServers = [
      { name: 'mine', status: 'failed' },
      { name: 'other', status: 'connected' },
    ] as const;
    await say(feature, 'initialize');
    expect(feature.amend?.mcp_status?.({ mcpServers }).mcpServers).toEqual([
      { name: 'mine', status: 'failed', error: expect.stringContaining('no ink') },
      { name: 'other', status: 'connected' },
    ]);
    expect(attached.seen).toMatchObject([
      { kind: 'server_failed', name: 'mine' },
      { code: 'HEXAGENT_SERVER_FAILED', source: 'MCP server mine' },
    ]);
    await say(feature, 'initialize');
    expect(feature.amend?.mcp_status?.({ mcpServers }).mcpServers).toBe(mcpServers);
  });

  it('have one reason warned of once, although the agent tries each handshake twice', async () => {
    const attached = control();
    const reasons = ['no ink', 'no ink', 'no paper'];
    const failing: McpServer = {
      name: 'mine',
      open: () => ({
        ...session,
        handle: async ({ id }) => ({ jsonrpc: '2.0', id, error: { code: 1, message: String(reasons.shift()) } }),
      }),
    };
    const feature = inProcessServers([failing]);
    feature.attach?.(attached);
    for (let count = 0; count < 3; count += 1) await say(feature, 'initialize');
    const warned = attached.seen.flatMap((fact) => ('message' in fact ? [fact.message] : []));
    expect(warned).toEqual([expect.stringContaining('no ink'), expect.stringContaining('no paper')]);
  });

  it('that refused the agent are initialized again when they report that they work, unless they were turned off', async () => {
    for (const [status, asked] of [
      [
        'failed',
        [
          ['mcp_status', {}],
          ['mcp_toggle', { serverName: 'mine', enabled: true }],
        ],
      ],
      ['disabled', [['mcp_status', {}]]],
    ] as const) {
      const attached = control({ mcpServers: [{ name: 'mine', status }] });
      const replies = [{ error: { code: 1, message: 'no ink' } }, { result: introduction }];
      const clients: McpClientSide[] = [];
      const moody: McpServer = {
        name: 'mine',
        open: (client) => (
          clients.push(client),
          { ...session, handle: async ({ id }) => ({ jsonrpc: '2.0', id, ...replies.shift() }) }
        ),
      };
      const feature = inProcessServers([moody]);
      feature.attach?.(attached);
      await say(feature, 'initialize');
      clients[0]?.recovered?.();
      await microtasks();
      expect(attached.asked).toEqual(asked);
      // One that the agent has already is not initialized again.
      await say(feature, 'initialize');
      clients[0]?.recovered?.();
      await microtasks();
      expect(attached.asked).toEqual(asked);
    }
  });

  it.each<[string, unknown]>([
    ['undefined, and an object', undefined],
    ['a number as `protocolVersion`', { ...introduction, protocolVersion: 5 }],
    ['undefined as `serverInfo.version`', { ...introduction, serverInfo: { name: 'mine' } }],
    ['undefined as `serverInfo.name`', { ...introduction, serverInfo: 'mine' }],
    ['null as `capabilities`', { ...introduction, capabilities: null }],
  ])(
    'have failed where the agent accepts no such answer to initialize, which it does not report: %s',
    async (why, result) => {
      const attached = control();
      const odd = { ...session, handle: async ({ id }: JsonRpcMessage) => ({ jsonrpc: '2.0' as const, id, result }) };
      const feature = inProcessServers([{ name: 'mine', open: () => odd }]);
      feature.attach?.(attached);
      await say(feature, 'initialize');
      expect(attached.seen).toContainEqual(
        expect.objectContaining({ code: 'HEXAGENT_SERVER_FAILED', message: expect.stringContaining(why) }),
      );
    },
  );

  it('have not failed when their session is closed while they start', async () => {
    const attached = control();
    const cancelled: McpServer = {
      name: 'mine',
      open: () => ({
        ...session,
        handle: async ({ id }) => ({
          jsonrpc: '2.0',
          id,
          error: { code: -32_800, message: 'The call was cancelled.' },
        }),
      }),
    };
    const feature = inProcessServers([cancelled]);
    feature.attach?.(attached);
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize' } as const;
    const ended = { ...context, signal: AbortSignal.abort() };
    await feature.handlers?.mcp_message?.({ server_name: 'mine', message }, ended);
    expect(attached.seen).toEqual([]);
  });
});
