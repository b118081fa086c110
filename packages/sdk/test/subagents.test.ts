import { describe, expect, it } from 'vitest';
import { createSdk, createSdkMcpServer, tool, toolResult, type Session, type SessionOptions } from '@hexagent/sdk';
import { linkedTransport, scriptedAgent, type LinkedAgent } from '@hexagent/testing';

const add = tool('add', 'Adds', {}, () => toolResult.text('3'));
const aSubagent = { description: 'Works', prompt: 'You work.' };

const opened = async (options: SessionOptions): Promise<{ readonly session: Session; readonly agent: LinkedAgent }> => {
  const { transport, agent } = linkedTransport(
    scriptedAgent({ controls: { mcp_set_servers: () => ({ added: [], removed: [], errors: {} }) } }),
  );
  const session = await createSdk({ transport }).openSession(options);
  await session.ready;
  return { session, agent };
};

describe('Tools of a subagent', () => {
  it('are in a server of its name, which the list of its tools names', async () => {
    const agents = { 'a b': { ...aSubagent, tools: ['Read', add] }, plain: { ...aSubagent, tools: ['Read'] } };
    const { session, agent } = await opened({ agents, tools: [add], permissions: { allowOwnTools: true } });

    expect(agent.received[0]?.request).toMatchObject({
      agents: { 'a b': { tools: ['Read', 'mcp__a_b'] }, plain: { tools: ['Read'] } },
      sdkMcpServers: ['own', 'a b'],
    });
    const { rules, explain } = session.permissions;
    expect(rules.allow).toEqual(['mcp__own', 'mcp__a_b']);
    const note = 'Only calls of the agent a b run. Those of the others are denied.';
    expect(explain('mcp__a_b__add')).toMatchObject({ decision: 'allow', besides: expect.arrayContaining([note]) });
    expect(explain('mcp__own__add').besides).not.toContain(note);
    const { servers } = (await session.mcp.setServers({}).then(() => agent.received.at(-1)?.request)) as {
      servers: object;
    };
    expect(Object.keys(servers)).toEqual(['own', 'a b']);
    await session.close();
  });

  it.each<[SessionOptions, string]>([
    [{ agents: { a: { ...aSubagent, tools: [add, add] } } }, 'The MCP server a has two tools called add.'],
    [
      { agents: { own: { ...aSubagent, tools: [add] } }, tools: [add] },
      '`agents` has tools of its own for "own", in a server of that name, and there is another such server. Rename one of them.',
    ],
    [
      { agents: { 'a b': { ...aSubagent, tools: [add] }, a_b: { ...aSubagent, tools: [add] } } },
      '`agents` has tools of its own for "a_b"',
    ],
    [
      { agents: { a: { ...aSubagent, tools: [add] } }, tools: [createSdkMcpServer({ name: 'a' })] },
      '`agents` has tools of its own for "a"',
    ],
    [
      { agents: { 'a:b': aSubagent }, plugins: [{ name: 'a', agents: { b: aSubagent } }] },
      '`agents` has the name "a:b" of a subagent in `plugins`. Rename one of them.',
    ],
    [
      {
        plugins: [{ name: 'a', agents: { b: { ...aSubagent, tools: [add] } } }],
        tools: [createSdkMcpServer({ name: 'a_b' })],
      },
      '`agents` has tools of its own for "a:b"',
    ],
  ])('are refused where the agent could not tell them apart: %o', async (options, message) => {
    await expect(opened(options)).rejects.toThrow(message);
    await expect(opened(options)).rejects.toBeInstanceOf(TypeError);
  });
});
