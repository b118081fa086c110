import { Deferred } from '@hexagent/async';
import type { JsonRpcMessage, McpServer, McpSession } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { hostServers } from './hosting.ts';

const context = { requestId: 'r', signal: new AbortController().signal };
const ping = { jsonrpc: '2.0', id: 'x', method: 'ping' } as const;

interface Served {
  readonly server: McpServer;
  readonly done: string[];
}

/** Counts what becomes of its sessions. */
function serving(name: string, more: Partial<McpServer> = {}): Served {
  const done: string[] = [];
  const session: McpSession = {
    handle: async ({ id, method }): Promise<JsonRpcMessage> => (
      done.push(`${method}`),
      { jsonrpc: '2.0', id, result: {} }
    ),
    close: async () => void done.push('close'),
  };
  return { done, server: { name, open: () => (done.push('open'), session), ...more } };
}

describe('Hosted servers', () => {
  it('are asked by the program in the session that the agent has', async () => {
    const { server, done } = serving('mine');
    const hosted = hostServers([server]);
    await expect(hosted.ask('mine', ping, context)).rejects.toMatchObject({ code: 'REQUEST_FAILED' });
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize' } as const;
    await hosted.feature.handlers?.mcp_message?.({ server_name: 'mine', message }, context);
    expect(await hosted.ask('mine', ping, context)).toMatchObject({ id: 'x', result: {} });
    expect(done).toEqual(['open', 'initialize', 'ping']);
  });

  it('are opened for the program where a manifest spares the agent the handshake', async () => {
    const manifest = (): never => ({ initializeResult: {}, toolsListResult: { tools: [] } }) as never;
    const { server, done } = serving('mine', { manifest });
    await hostServers([server]).ask('mine', ping, context);
    expect(done).toEqual(['open', 'ping']);
  });

  it('come and go while the conversation continues', async () => {
    const { server, done } = serving('late');
    const hosted = hostServers([]);
    await hosted.change([server], async () => {
      expect([hosted.names(), hosted.get('late')]).toEqual([['late'], server]);
    });
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize' } as const;
    await hosted.feature.handlers?.mcp_message?.({ server_name: 'late', message }, context);
    await hosted.change([], async () => {});
    expect(done).toEqual(['open', 'initialize', 'close']);
    expect(hosted.names()).toEqual([]);
    expect(hosted.feature.handlers?.mcp_message?.({ server_name: 'late', message }, context)).toBeNull();
    await hosted.feature.close?.();
    expect(done).toEqual(['open', 'initialize', 'close']);
  });

  it('do not hold up a change while one that is removed is being opened', async () => {
    const opening = new Deferred<McpSession>();
    const { server, done } = serving('slow', { open: () => opening.promise });
    const hosted = hostServers([server]);
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize' } as const;
    const asked = hosted.feature.handlers?.mcp_message?.({ server_name: 'slow', message }, context);
    expect(await hosted.change([], async () => 'changed')).toBe('changed');
    opening.resolve({ handle: async () => undefined, close: async () => void done.push('close') });
    await asked;
    expect(done).toEqual(['close']);
    await expect(hosted.ask('slow', ping, context)).rejects.toThrow('slow is not connected yet');
  });

  it.each([
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- Anything can be thrown.
    ['null', () => Promise.reject(null)],
    [
      'what throws',
      () => {
        throw new Error('null');
      },
    ],
  ])('have their failure in a typed error for the program: %s', async (_, handle) => {
    const manifest = (): never => ({ initializeResult: {}, toolsListResult: { tools: [] } }) as never;
    const open = (): McpSession => ({ handle, close: async () => {} });
    const hosted = hostServers([{ name: 'mine', manifest, open }]);
    await expect(hosted.ask('mine', ping, context)).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: 'The MCP server mine failed: null',
    });
  });

  it('are all closed with the conversation, although one of them throws', async () => {
    const throwing = serving('throwing', {
      open: () => ({
        handle: async () => ({ jsonrpc: '2.0', id: 1, result: {} }),
        close() {
          throw new Error('cannot');
        },
      }),
    });
    const { server, done } = serving('mine');
    const hosted = hostServers([throwing.server, server]);
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
    for (const name of ['throwing', 'mine'])
      await hosted.feature.handlers?.mcp_message?.({ server_name: name, message }, context);
    await hosted.feature.close?.();
    expect(done).toContain('close');
  });

  it('are what they were when the agent refuses the change', async () => {
    const [before, after] = [serving('before'), serving('after')];
    const hosted = hostServers([before.server]);
    const change = hosted.change([after.server], async () => {
      expect(hosted.names()).toEqual(['before', 'after']);
      throw new Error('Refused.');
    });
    await expect(change).rejects.toThrow('Refused.');
    expect(hosted.names()).toEqual(['before']);
  });

  it('are announced at once, and not taken away by a change that was made before', async () => {
    const [one, two] = [serving('one'), serving('two')];
    const [first, second] = [new Deferred<void>(), new Deferred<void>()];
    const announced: string[] = [];
    const hosted = hostServers([]);
    const changes = [
      hosted.change([one.server], () => (announced.push('one'), first.promise)),
      hosted.change([two.server], () => (announced.push('two'), second.promise)),
    ];
    expect(announced).toEqual(['one', 'two']);
    first.resolve();
    await changes[0];
    expect(hosted.names()).toEqual(['one', 'two']);
    second.resolve();
    await changes[1];
    expect(hosted.names()).toEqual(['two']);
  });

  it('stay when one of the same name comes, with their session', async () => {
    const [before, after] = [serving('mine'), serving('mine')];
    const hosted = hostServers([before.server]);
    await hosted.change([after.server], async () => {});
    expect(hosted.get('mine')).toBe(before.server);
  });

  it('are announced with what the agent holds them to', () => {
    const config = { timeout: 5, tools: [{ name: 'wipe', permission_policy: 'always_deny' }] } as const;
    expect(hostServers([serving('mine', { config }).server]).config('mine')).toEqual({
      type: 'sdk',
      name: 'mine',
      ...config,
    });
  });

  it('may be asked while there are any, and are named to an agent that is initialized again', async () => {
    const { server } = serving('late');
    const hosted = hostServers([]);
    const { feature } = hosted;
    expect([feature.mayBeAsked?.(), feature.initialize]).toEqual([false, {}]);
    await hosted.change([server], async () => {});
    expect([feature.mayBeAsked?.(), feature.initialize]).toEqual([true, { sdkMcpServers: ['late'] }]);
  });

  it('report why they do not work, to the conversation that they belong to', async () => {
    const open = (): never => {
      throw new Error('in a mood');
    };
    const hosted = hostServers([{ name: 'moody', open }]);
    expect(hosted.why('moody')).toBeUndefined();
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize' } as const;
    await expect(hosted.feature.handlers?.mcp_message?.({ server_name: 'moody', message }, context)).rejects.toThrow(
      'in a mood',
    );
    expect(hosted.why('moody')).toBe('in a mood');
  });
});
