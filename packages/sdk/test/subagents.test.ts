import { describe, expect, it } from 'vitest';
import { createSdk, createSdkMcpServer, tool, toolResult, type Session, type SessionOptions } from '@hexagent/sdk';
import type { HookInputOf } from '@hexagent/ports';
import { linkedTransport, scriptedAgent, type LinkedAgent } from '@hexagent/testing';
import { subagentOf, withSubagentHooks, withSubagentServers } from '../src/subagents.ts';

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
  it('are in a server of its name, and in the list of its tools', async () => {
    const agents = { 'a b': { ...aSubagent, tools: ['Read', add] }, plain: { ...aSubagent, tools: ['Read'] } };
    const { session, agent } = await opened({ agents, tools: [add], permissions: { allowOwnTools: true } });

    expect(agent.received[0]?.request).toMatchObject({
      agents: { 'a b': { tools: ['Read', 'mcp__a_b__add'] }, plain: { tools: ['Read'] } },
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

  it('are called by it alone, also where the name of another server begins like its own', () => {
    const own = { ...aSubagent, tools: [add] };
    const subagents = withSubagentServers({ a: own, a__b: own });
    expect(subagents.definitions).toMatchObject({ a: { tools: ['mcp__a__add'] }, a__b: { tools: ['mcp__a__b__add'] } });
    expect(subagentOf('mcp__a__b__add', subagents)).toBe('a__b');
    expect(subagentOf('mcp__a__add', subagents)).toBe('a');
    const entries = withSubagentHooks(subagents)?.PreToolUse ?? [];
    /** Whether any hook that this tool reaches denies the call. */
    const isDenied = (tool_name: string, more: Partial<HookInputOf<'PreToolUse'>>): boolean => {
      const input = { hook_event_name: 'PreToolUse', tool_name, ...more } as HookInputOf<'PreToolUse'>;
      const reached = entries.filter(({ matcher = '' }) => new RegExp(matcher).test(tool_name));
      const answers = reached.flatMap(({ hooks }) => hooks.map((hook) => hook(input, undefined, Object({}))));
      return JSON.stringify(answers).includes('deny');
    };
    const ofA = { mcp_server: { name: 'a', source: 'sdk' } };
    const ofB = { mcp_server: { name: 'a__b', source: 'sdk' } };
    expect(isDenied('mcp__a__b__add', { ...ofB, agent_type: 'a__b' })).toBe(false);
    expect(isDenied('mcp__a__add', { ...ofA, agent_type: 'a' })).toBe(false);
    for (const agent_type of ['a', 'other', undefined])
      expect(isDenied('mcp__a__b__add', { ...ofB, ...(agent_type && { agent_type }) })).toBe(true);
    for (const agent_type of ['a__b', 'other', undefined])
      expect(isDenied('mcp__a__add', { ...ofA, ...(agent_type && { agent_type }) })).toBe(true);
    // An agent that does not send the server.
    expect(isDenied('mcp__a__add', {})).toBe(true);
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
