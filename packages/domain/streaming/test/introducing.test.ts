import { describe, expect, it } from 'vitest';
import type { HookDispatcher } from '@hexagent/ports';
import { converse } from './support.ts';

describe('Callbacks', () => {
  it('are registered with the agent only when there are any', async () => {
    const hooks: HookDispatcher = {
      registration: () => ({ Stop: [{ hookCallbackIds: ['hook_0'] }] }),
      dispatch: async () => ({}),
    };
    const server = { name: 'mine', open: () => ({ handle: async () => undefined, close: async () => {} }) };
    const { agent } = await converse({ hooks, servers: [server] });
    expect(agent.received[0]?.request).toEqual({
      subtype: 'initialize',
      hooks: { Stop: [{ hookCallbackIds: ['hook_0'] }] },
      sdkMcpServers: ['mine'],
    });
    const { agent: plain } = await converse();
    expect(plain.received[0]?.request).toEqual({ subtype: 'initialize' });
  });

  it('of servers are registered with their configuration', async () => {
    const session = { handle: async () => undefined, close: async () => {} };
    const config = { tools: [{ name: 'wipe', permission_policy: 'always_deny' as const }], timeout: 5 };
    const servers = [
      { name: 'held', config, open: () => session },
      { name: 'free', open: () => session },
    ];
    const { agent } = await converse({ servers });
    expect(agent.received[0]?.request).toMatchObject({
      sdkMcpServers: ['held', 'free'],
      sdkMcpServerConfigs: { held: config },
    });
    expect(Object.keys(agent.received[0]?.request?.['sdkMcpServerConfigs'] ?? {})).toEqual(['held']);
  });
});
