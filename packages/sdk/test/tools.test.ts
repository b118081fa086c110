import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  createSdk,
  createSdkMcpServer,
  tool,
  toolResult,
  type McpServer,
  type ObservedEvent,
  type SessionOptions,
  type ToolEntry,
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

/** A server that this process dials, as `external()` makes it. */
const dialled: McpServer = { name: 'dialled', open: () => ({ handle: async () => undefined, close: async () => {} }) };

describe('#46 The option `tools`', () => {
  it('is warned of with a name of no tool, when the first turn begins', async () => {
    const seen: unknown[] = [];
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const sdk = createSdk({ transport, onWarning: ({ source }) => void seen.push(source) });
    const session = await sdk.openSession({ tools: ['Read', 'forecast'] });
    await session.send('go').result;
    await session.close();
    expect(seen).toEqual(['tools forecast']);
  });

  it('takes tools and servers of this process by their names, and others by a key', async () => {
    const mine = createSdkMcpServer({ name: 'mine' });
    const { request } = await startOf({
      tools: [add, mine, dialled, { copy: { ...mine }, out: { command: 'serve' } }],
    });
    expect(JSON.stringify(request)).toContain('"sdkMcpServers":["mine","dialled","copy","own"]');
    expect(JSON.stringify(request)).toContain('{"tools":[{"name":"add"');
  });

  it('leaves the tools to the rules, unless `allowOwnTools` adds one that allows them', async () => {
    expect((await startOf({ tools: [add] })).allow).toEqual([]);
    const permissions = { allow: ['Read'], allowOwnTools: true };
    expect((await startOf({ tools: [add], permissions })).allow).toEqual(['Read', 'mcp__own']);
  });

  it('completes the names of built-in tools, and takes those of a newer agent', () => {
    expectTypeOf<ToolEntry>().extract<'Read'>().toEqualTypeOf<'Read'>();
    expectTypeOf<'NextYearsTool'>().toExtend<ToolEntry>();
    expectTypeOf<{ github: { type: 'http'; url: string } }>().toExtend<ToolEntry>();
    expectTypeOf<5>().not.toExtend<ToolEntry>();
  });

  it.each<[unknown, string]>([
    [
      { tools: [] },
      "`tools` is an empty list. Leave it out for all built-in tools, or write ['none'] for none of them.",
    ],
    [{ tools: 'Read' }, '`tools` must be a list, in which each entry is the name of a built-in tool, what tool()'],
    [{ tools: add }, '`tools` must be a list'],
    [{ tools: { github: { type: 'http', url: 'https://x.example' } } }, '`tools` must be a list'],
    [{ tools: [5] }, '`tools[0]` must be the name of a built-in tool, what tool() or createSdkMcpServer() makes, or'],
    [{ tools: ['Read', ['Bash']] }, '`tools[1]` must be the name of a built-in tool'],
    [{ tools: ['read'] }, '`tools[0]` names "read", which matches no tool: capitals count. Did you mean "Read"?'],
    [{ tools: ['Bash(ls *)'] }, '`tools[0]` must be one name, as an item of its own'],
    [{ tools: ['mcp__github'] }, '`tools[0]` "mcp__github" names tools of a server.'],
    [{ tools: ['Read', 'none'] }, "`tools` has 'none' beside Read. Leave out 'none', or the names."],
    [{ tools: ['Read', add, 'Read'] }, '`tools[2]`: the name "Read" is given twice.'],
    [{ tools: [add, add] }, '`tools[1]`: the tool "add" is given twice.'],
    [{ tools: [{ a: { command: 'x' } }, { a: { command: 'x' } }] }, '`tools[1]`: the server "a" is given twice.'],
    [{ tools: [dialled, { dialled: { command: 'x' } }] }, '`tools[1]`: the server "dialled" is given twice.'],
    [{ tools: [{ name: 'add', handler: () => ({}) }] }, '`tools[0].description` must be a string'],
    [{ tools: [{ command: 'x' }] }, '`tools[0]` is a server without a name. Pass it in an object of servers by name'],
    [{ tools: [{ a: { type: 'http' } }] }, '`tools[0].a.url` must be an absolute URL'],
    [{ tools: [add, { own: { command: 'x' } }] }, '`tools` has a server called own, which is the name of the server'],
    [{ ownTools: [add] }, '`ownTools` is not known. Did you mean `tools`?'],
    [{ mcpServers: { a: { command: 'x' } } }, '`mcpServers` is not known. Did you mean `tools`?'],
    [{ customTools: [add] }, '`customTools` is not known. Did you mean `tools`?'],
    [{ permissions: { allowOwnTools: true } }, '`permissions.allowOwnTools` allows the tools made by tool().'],
    [{ tools: [add], permissions: { allowOwnTools: 1 } }, '`permissions.allowOwnTools` must be true or false, not 1.'],
  ])('is refused with what to write instead: %o', async (options, message) => {
    const error = await refusal(options);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toHaveProperty('message', expect.stringContaining(message));
  });
});
