import {
  createSdk,
  createSdkMcpServer,
  tool,
  toolResult,
  type SdkMcpToolDefinition,
  type SessionOptions,
} from '@hexagent/sdk';
import type { Warning } from '@hexagent/ports';
import { toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

const noting = (name: string): SdkMcpToolDefinition => tool(name, 'd', {}, () => toolResult.text(`${name} ran`));

type Options = Pick<SessionOptions, 'tools'>;

/** What the model reads of its calls, what the agent lists, and what the program is warned of. */
async function use(options: Options, ...calls: readonly (string | readonly [name: string, args: object])[]) {
  let results: readonly string[] = [];
  await using place = await stage((request) => {
    results = toolResults(request).map(({ text }) => text);
    return results.length === 0
      ? calls.map((call) => (typeof call === 'string' ? toolUse(call, {}) : toolUse(call[0], { ...call[1] })))
      : 'Done.';
  });
  const warnings: Warning[] = [];
  const sdk = createSdk({ onWarning: (warning) => void warnings.push(warning) });
  await using session = await sdk.openSession({
    ...place.options,
    ...options,
    permissions: {
      allow: calls.map((call) => /^mcp__.*?(?=__)/.exec(typeof call === 'string' ? call : call[0])?.[0] ?? ''),
    },
  });
  await session.send('go').result;
  return { results, states: await session.mcp.status(), warnings };
}

const isMissing = expect.stringContaining('No such tool available');

type Handled = Extract<NonNullable<SessionOptions['tools']>[number], Readonly<Record<string, unknown>>>;

/** A server that is not made by `createSdkMcpServer()`, such as a third-party proxy. */
const answering = (name: string, introduction: object, list: object): Handled => ({
  [name]: {
    name,
    open: () => ({
      handle: async ({ id, method }) => {
        const result = method === 'initialize' ? introduction : method === 'tools/list' ? list : {};
        return id === undefined ? undefined : { jsonrpc: '2.0', id, result };
      },
      close: async () => {},
    }),
  },
});

const introduction = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'mine', version: '1' },
};
const fine = { name: 'fine', inputSchema: { type: 'object' } };

withCli('A tool that the agent does not show to the model', () => {
  it('since its name is too long, or another tool has it, is warned of', async () => {
    const long = 'n'.repeat(118); // with `mcp__own__` it has 128 characters
    const tools = [long, `${long}n`, 'a b', 'a.b'].map(noting);
    const names = [long, `${long}n`, 'a_b'].map((name) => `mcp__own__${name}`);
    const { results, states, warnings } = await use({ tools }, ...names);
    expect(results).toEqual([expect.stringContaining(`${long} ran`), isMissing, expect.stringContaining('a b ran')]);
    expect(warnings).toMatchObject([
      { code: 'HEXAGENT_TOOL_LEFT_OUT', message: expect.stringContaining(`${long}n has 129 characters`) },
      { code: 'HEXAGENT_TOOL_LEFT_OUT', message: expect.stringContaining('a.b and a b are both mcp__own__a_b') },
    ]);
    expect(states).toMatchObject([{ name: 'own', state: 'connected' }]);
  });

  it('since a tool of another server has its whole name is warned of, until that server is gone', async () => {
    const made = (name: string) =>
      createSdkMcpServer({ name, tools: [tool('same', 'd', {}, () => toolResult.text(`${name} ran`))] });
    const tools = [made('a b'), made('a_b')];
    let results: readonly string[] = [];
    await using place = await stage((request) => {
      results = toolResults(request).map(({ text }) => text);
      return results.length === 0 ? toolUse('mcp__a_b__same', {}) : 'Done.';
    });
    const warnings: Warning[] = [];
    const sdk = createSdk({ onWarning: (warning) => void warnings.push(warning) });
    await using session = await sdk.openSession({
      ...place.options,
      tools,
      permissions: { allow: ['mcp__a_b'] },
    });
    await session.send('go').result;
    expect(results).toEqual(['a b ran']);
    const why = 'same and the tool same of the MCP server a b are both mcp__a_b__same to it';
    const warning = { code: 'HEXAGENT_TOOL_LEFT_OUT', message: expect.stringContaining(why) };
    expect(warnings).toMatchObject([warning]);
    await session.mcp.setServers({});
    await session.mcp.setServers({ a_b: made('a_b') });
    await session.mcp.ready();
    await session.send('again').result;
    expect(results).toEqual(['a_b ran']);
    expect(warnings).toMatchObject([warning]);
  });

  it('is not one whose schema has `anyOf`, `oneOf` or `allOf` at its top level', async () => {
    const odd = ['anyOf', 'oneOf', 'allOf'].map((keyword) => ({
      name: keyword,
      inputSchema: { type: 'object', [keyword]: [{ required: ['a'] }] },
    }));
    const { states, warnings } = await use(
      { tools: [answering('mine', introduction, { tools: [fine, ...odd] })] },
      'mcp__mine__fine',
    );
    expect(states).toMatchObject([{ name: 'mine', state: 'connected', tools: ['fine', 'anyOf', 'oneOf', 'allOf'] }]);
    expect(warnings).toEqual([]);
  });

  it('is none of tool() whose schema is a union', async () => {
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]);
    const own = tool('own', 'd', either, (given) => toolResult.text(`given ${JSON.stringify(given)}`));
    const { results, warnings } = await use({ tools: [own] }, 'mcp__own__own', ['mcp__own__own', { b: 2 }]);
    expect(results.toSorted()).toEqual([
      expect.stringMatching(/^Invalid arguments for own:\n- Invalid input \(a: .*string.* \| b: .*number/),
      'given {"b":2}',
    ]);
    expect(warnings).toEqual([]);
  });

  it('since a tool of its server is not as it must be is named by a warning and the status', async () => {
    const wrong: readonly (readonly [why: string, tools: readonly unknown[]])[] = [
      ['null as `tools[1]`', [fine, null]],
      ['undefined as `tools[1].inputSchema.type`', [fine, { name: 'odd', inputSchema: {} }]],
      ['a string as `tools[0].annotations.readOnlyHint`', [{ ...fine, annotations: { readOnlyHint: 'yes' } }]],
      ['null as `tools[0].description`', [{ ...fine, description: null }]],
    ];
    const tools = wrong.map(([, list], index) => answering(`mine${index}`, introduction, { tools: list }));
    const names = tools.flatMap((server) => Object.keys(server));
    const { results, states, warnings } = await use({ tools }, ...names.map((name) => `mcp__${name}__fine`));
    expect(results).toEqual(wrong.map(() => isMissing));
    const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
      one.name.localeCompare(other.name);
    expect(states.toSorted(byName)).toMatchObject(
      wrong.map(([why], index) => ({ name: `mine${index}`, error: expect.stringContaining(why) })),
    );
    expect(warnings).toHaveLength(wrong.length);
    for (const [why] of wrong)
      expect(warnings).toContainEqual(
        expect.objectContaining({ code: 'HEXAGENT_SERVER_FAILED', message: expect.stringContaining(why) }),
      );
  });

  it('since a hint of it is a text is named although the agent is spared the handshake', async () => {
    const own = tool('own', 'd', {}, () => toolResult.text('ran'), { annotations: { readOnlyHint: 'yes' as never } });
    const { results, states } = await use({ tools: [own] }, 'mcp__own__own');
    expect(results).toEqual([isMissing]);
    expect(states).toMatchObject([
      { name: 'own', error: expect.stringContaining('a string as `tools[0].annotations') },
    ]);
  });

  it('since its server answers with a version of MCP that the agent does not know is explained, and no other is', async () => {
    const unknown = ['2024-01-01', '2026-01-01'];
    const known = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
    const tools = [...unknown, ...known].map((protocolVersion) =>
      answering(`v${protocolVersion}`, { ...introduction, protocolVersion }, { tools: [fine] }),
    );
    const call = (version: string): string => `mcp__v${version}__fine`;
    const { results, states, warnings } = await use({ tools }, ...[...unknown, ...known].map(call));
    expect(results.map((text) => text.includes('No such tool available'))).toEqual([
      ...unknown.map(() => true),
      ...known.map(() => false),
    ]);
    for (const version of unknown)
      expect(states).toContainEqual(
        expect.objectContaining({
          name: `v${version}`,
          state: 'failed',
          error: expect.stringContaining(`"${version}"`),
        }),
      );
    for (const version of known)
      expect(states).toContainEqual(
        expect.objectContaining({ name: `v${version}`, state: 'connected', tools: ['fine'] }),
      );
    expect(warnings).toMatchObject(unknown.map(() => ({ code: 'HEXAGENT_SERVER_FAILED' })));
  });
});
