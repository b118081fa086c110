import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { obliging } from './behaviours.ts';
import { flagsOf, orderOf, stdinOf } from './comparable.ts';
import { compare, run, type Program } from './run.ts';

const withOptions =
  (change: Options): Program =>
  ({ query }, { options }) =>
    query({ prompt: 'hello', options: { ...options, ...change } });

const mcpServers = { a: { command: 'x', env: { KEY: 'secret' } } };
const plugins: Options['plugins'] = [
  { type: 'local', path: '/x' },
  { type: 'local', path: './y', skipMcpDiscovery: true },
];
/** What the agent reports about the fields of `initialize`. */
const taking = { mcp_servers_applied: true, plugins_applied: true };

/** The official types do not have these options. */
interface Untyped {
  readonly settingsDelivery?: 'initialize';
  readonly disallowedToolsDelivery?: 'initialize';
  readonly managedSettingsDelivery?: 'initialize';
}

describe('What travels in `initialize`', () => {
  it.each<Options & Untyped>([
    { settings: { model: 'm' }, settingsDelivery: 'initialize' },
    { settings: '/a/path', settingsDelivery: 'initialize' },
    { settings: '{"model":"m"}', settingsDelivery: 'initialize' },
    { disallowedTools: ['Bash(rm *)', 'Read'], disallowedToolsDelivery: 'initialize' },
    { disallowedTools: [], disallowedToolsDelivery: 'initialize' },
    { managedSettings: { model: 'm' }, managedSettingsDelivery: 'initialize' },
    {
      settings: { model: 'm' },
      disallowedTools: ['Read'],
      managedSettings: { model: 'm' },
      settingsDelivery: 'initialize',
      disallowedToolsDelivery: 'initialize',
      managedSettingsDelivery: 'initialize',
    },
    { mcpServers, mcpServersDelivery: 'initialize' },
    { plugins, pluginDelivery: 'initialize' },
    { mcpServers, plugins, mcpServersDelivery: 'initialize', pluginDelivery: 'initialize' },
    { mcpServers, plugins, mcpServersDelivery: 'initialize' },
    { mcpServers: {}, plugins: [], mcpServersDelivery: 'initialize', pluginDelivery: 'initialize' },
  ])('reaches the agent as in the official package, before the prompt: %o', async (change) => {
    const standIn = obliging({ introduction: taking });
    const { official, ours } = await compare(withOptions(change), { standIn });
    expect(ours.launches.map(flagsOf)).toEqual(official.launches.map(flagsOf));
    expect(ours.launches.map(stdinOf)).toEqual(official.launches.map(stdinOf));
    expect(ours.launches.map(orderOf)).toEqual([['initialize', 'user']]);
    expect(ours.thrown).toBeUndefined();
  });

  it.each<[string, Options & Untyped]>([
    ['managed_settings_applied', { managedSettings: { model: 'm' }, managedSettingsDelivery: 'initialize' }],
    ['settings_applied', { settings: { model: 'm' }, settingsDelivery: 'initialize' }],
    ['disallowed_tools_applied', { disallowedTools: ['Read'], disallowedToolsDelivery: 'initialize' }],
  ])('ends the query of both before a prompt, unless the agent confirms it: %s', async (field, change) => {
    const standIn = obliging({ introduction: { [field]: false } });
    const { official, ours } = await compare(withOptions(change), { standIn });
    for (const { thrown, launches } of [official, ours]) {
      expect(thrown?.message).toMatch(/did not confirm/);
      expect(launches.map(orderOf)).toEqual([['initialize']]);
    }
  });

  it('ends the query of both where the agent is too old for MCP servers, before a prompt', async () => {
    const { official, ours } = await compare(withOptions({ mcpServers, mcpServersDelivery: 'initialize' }));
    for (const { thrown, launches } of [official, ours]) {
      expect(thrown?.message).toMatch(/too old/);
      expect(launches.map(orderOf)).toEqual([['initialize']]);
    }
  });

  it.each<readonly [Options, object, readonly unknown[]]>([
    [{ mcpServers, mcpServersDelivery: 'initialize' }, { mcp_servers_applied: false }, []],
    // The official package does not warn. Ours warns once a process, so that only one of these can be in this file.
    [{ plugins, pluginDelivery: 'initialize' }, {}, ['HEXAGENT_PLUGINS_NOT_APPLIED']],
  ])(
    'is warned about where the agent reports that it did not accept it: %o, %o',
    async (change, introduction, more) => {
      const program: Program = async ({ query }, { options, note }) => {
        for await (const message of query({ prompt: 'hello', options: { ...options, ...change } }))
          note('last', message.type);
      };
      const standIn = obliging({ introduction: { ...introduction } });
      const { official, ours } = await compare(program, { standIn });
      expect(ours.warnings.map(({ code }) => code)).toEqual([...official.warnings.map(({ code }) => code), ...more]);
      for (const { thrown, notes } of [official, ours])
        expect([thrown, notes]).toEqual([undefined, { last: 'result' }]);
    },
  );
});

describe('#59 MCP servers on the command line', () => {
  const texts = ({ args }: { readonly args: readonly string[] }): string => args.join(' ');

  it('are there where a program asks for that, as in the official package', async () => {
    const { official, ours } = await compare(withOptions({ mcpServers, mcpServersDelivery: 'argv' }));
    expect(ours.launches.map(flagsOf)).toEqual(official.launches.map(flagsOf));
    for (const { launches } of [official, ours])
      expect(launches.map(texts)).toEqual([expect.stringContaining('secret')]);
  });

  it('are not there otherwise, unlike in the official package', async () => {
    const { launches } = await run('ours', withOptions({ mcpServers }));
    expect(launches.map(texts)).toEqual([expect.not.stringContaining('secret')]);
  });
});

describe('Prompts that are verbatim', () => {
  const userMessage = (content: string, fields: object = {}) =>
    ({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: '',
      ...fields,
    }) as const;

  it('are marked alike in a stream and after it', async () => {
    const program: Program = ({ query }, { options }) => {
      async function* prompt() {
        yield userMessage('/cost');
        yield userMessage('/context', { client_composed: false });
      }
      return query({ prompt: prompt(), options: { ...options, verbatimPrompts: true } });
    };
    const { official, ours } = await compare(program);
    expect(ours.launches.map(stdinOf)).toEqual(official.launches.map(stdinOf));
  });
});
