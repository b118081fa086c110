import { allow, createSdkMcpServer, openSession, tool, type AskHandler, type SessionOptions } from '@hexagent/sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

withCli('The policy of a tool in our process', () => {
  const run = async (
    permission_policy: 'always_ask' | 'always_deny',
    options: SessionOptions = {},
    dialled: 'at the start' | 'later' = 'at the start',
  ) => {
    await using place = await stage([toolUse('mcp__mine__wipe', {}), 'done']);
    let calls = 0;
    const wipe = tool('wipe', 'Wipes.', {}, () => {
      calls += 1;
      return { content: [] };
    });
    const mine = {
      ...createSdkMcpServer({ name: 'mine', tools: [wipe] }),
      tools: [{ name: 'wipe', permission_policy }],
    };
    const permissions = { allow: ['mcp__mine__wipe'] };
    const tools = [dialled === 'later' ? {} : { mine }];
    await using session = await openSession({ ...place.options, tools, permissions, ...options });
    if (dialled === 'later') {
      await session.mcp.setServers({ mine });
      await session.mcp.ready();
    }
    await session.send('go').result;
    return calls;
  };

  it('`always_ask` makes the agent ask about each call, although a rule allows the tool', async () => {
    const asked: string[] = [];
    const onAsk: AskHandler = ({ tool = '' }) => (asked.push(tool), allow());
    expect(await run('always_ask', { onAsk })).toBe(1);
    expect(asked).toEqual(['mcp__mine__wipe']);
  });

  it('`always_ask` denies each call without an approver', async () => {
    expect(await run('always_ask')).toBe(0);
  });

  it('`always_deny` denies a tool, although a rule allows it', async () => {
    for (const dialled of ['at the start', 'later'] as const)
      expect(await run('always_deny', { onAsk: () => allow() }, dialled)).toBe(0);
  });
});
