import { describe, expect, it } from 'vitest';
import {
  createSdk,
  createSdkMcpServer,
  tool,
  toolResult,
  type ObservedEvent,
  type SessionOptions,
} from '@hexagent/sdk';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';

const add = tool('add', 'Adds', {}, () => toolResult.text('3'));

/** What an agent is sent first, and the rules of its session. */
async function startOf(
  options: SessionOptions,
): Promise<{ readonly request: unknown; readonly allow: readonly string[] }> {
  const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
  const sent: ObservedEvent[] = [];
  const observer = { observe: (event: ObservedEvent) => void (event.kind === 'sent' && sent.push(event)) };
  const session = await createSdk({ transport, observer }).openSession(options);
  await session.ready;
  const { allow } = session.permissions.rules;
  await session.close();
  return { request: sent[0], allow };
}

const refusal = async (options: unknown): Promise<unknown> =>
  await createSdk({ transport: linkedTransport().transport })
    .openSession(options as SessionOptions)
    .then(
      () => 'opened',
      (error: unknown) => error,
    );

describe('#46 The option `ownTools`', () => {
  it('puts tools into one server, beside those of `mcpServers`', async () => {
    const mine = createSdkMcpServer({ name: 'mine' });
    const { request } = await startOf({ ownTools: [add], mcpServers: { mine } });
    expect(JSON.stringify(request)).toContain('"sdkMcpServers":["mine","own"]');
    expect(JSON.stringify(request)).toContain('{"tools":[{"name":"add"');
  });

  it('leaves the tools to the rules, unless `allowOwnTools` adds one that allows them', async () => {
    expect((await startOf({ ownTools: [add] })).allow).toEqual([]);
    const permissions = { allow: ['Read'], allowOwnTools: true };
    expect((await startOf({ ownTools: [add], permissions })).allow).toEqual(['Read', 'mcp__own']);
  });

  it.each<[unknown, string]>([
    [{ ownTools: add }, '`ownTools` must be a list of what tool() makes'],
    [{ ownTools: ['add'] }, '`ownTools[0]` must be what tool() makes, not a string.'],
    [{ ownTools: [{ name: 'add' }] }, '`ownTools[0].description` must be a string'],
    [{ ownTools: [add, add] }, 'The MCP server own has two tools called add.'],
    [{ ownTools: [add], mcpServers: { own: { command: 'x' } } }, '`mcpServers.own` has the name of the server'],
    [{ permissions: { allowOwnTools: true } }, '`permissions.allowOwnTools` allows the tools in `ownTools`.'],
    [
      { ownTools: [add], permissions: { allowOwnTools: 1 } },
      '`permissions.allowOwnTools` must be true or false, not 1.',
    ],
    [
      { tools: [add] },
      '`tools[0]` must be the name of a built-in tool, not an object: pass a tool of your own in `ownTools`.',
    ],
    [{ customTools: [add] }, '`customTools` is not known.'],
  ])('throws for invalid options, naming them: %o', async (options, message) => {
    const error = await refusal(options);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toHaveProperty('message', expect.stringContaining(message));
  });
});
