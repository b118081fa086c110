import type { InitializeFields } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import type { Options } from '../src/official.ts';
import { settle, start, userMessage } from './start.ts';

describe('Servers and plugins that travel in `initialize`', () => {
  const launched = { mcpServers: { a: { command: 'x' } }, plugins: [{ type: 'local', path: '/a' }] } as const;
  const checkOf = async (initialize: InitializeFields) => {
    const { conversations, seen } = start('Hello', {}, undefined, initialize);
    await settle();
    const check = conversations.opened[0]?.features?.find(({ name }) => name === 'delivery')?.checkInitialize;
    return {
      check: check && ((answer: object) => check(answer as never)), // of the answer it reads two members
      codes: () => seen.warnings?.map(({ code }) => code) ?? [],
    };
  };

  it('end the query where the agent is too old to take servers', async () => {
    const { check } = await checkOf(launched);
    expect(() => check?.({ plugins_applied: true })).toThrow(
      expect.objectContaining({ code: 'INITIALIZE_FAILED', message: expect.stringContaining('argv') }),
    );
  });

  it.each(['settings', 'managedSettings', 'disallowedTools'])(
    'end it where the agent does not confirm what restricts it: %s',
    async (option) => {
      const { check } = await checkOf({ [option]: {} });
      const applied = { settings_applied: true, managed_settings_applied: true, disallowed_tools_applied: true };
      expect(() => check?.(applied)).not.toThrow();
      for (const answer of [{}, false]) {
        const name = `${option.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_applied`;
        expect(() => check?.({ ...applied, [name]: answer })).toThrow(
          expect.objectContaining({ code: 'INITIALIZE_FAILED', message: expect.stringContaining(`${option}Delivery`) }),
        );
      }
    },
  );

  it.each<readonly [string, Parameters<typeof start>[0]]>([
    ['a text', 'Hello'],
    [
      'a stream',
      (async function* () {
        yield userMessage('Hello');
      })(),
    ],
  ])('end it with that error, also where the agent answers faster than the prompt is sent: %s', async (_, prompt) => {
    const { query } = start(prompt, {}, undefined, launched);
    await expect(query.next()).rejects.toMatchObject({ code: 'INITIALIZE_FAILED' });
  });

  it('are warned about where it did not take them', async () => {
    const { check, codes } = await checkOf(launched);
    check?.({ mcp_servers_applied: true, plugins_applied: true });
    expect(codes()).toEqual([]);
    check?.({ mcp_servers_applied: false, plugins_applied: false });
    check?.({ mcp_servers_applied: true });
    expect(codes()).toEqual([
      'CLAUDE_SDK_MCP_SERVERS_NOT_APPLIED',
      'HEXAGENT_PLUGINS_NOT_APPLIED',
      'HEXAGENT_PLUGINS_NOT_APPLIED',
    ]);
  });

  it('are not checked where none do', async () => {
    expect((await checkOf({})).check).toBeUndefined();
    const { check, codes } = await checkOf({ plugins: launched.plugins });
    const before = codes(); // what the agent of the test did not take
    check?.({ plugins_applied: true });
    expect(codes()).toEqual(before);
  });
});

describe('An agent that the program starts itself', () => {
  const spawnClaudeCodeProcess = () => {
    throw new Error('unused');
  };
  const mcpServers = { a: { command: 'x' } };
  const deliveryOf = (options: Options) => start('Hello', options).seen.launch?.mcpServersDelivery;

  it('is given its servers in `initialize`: a private file would not reach it', () => {
    expect(deliveryOf({ spawnClaudeCodeProcess, mcpServers })).toBe('initialize');
    expect(deliveryOf({ spawnClaudeCodeProcess, mcpServers, mcpServersDelivery: 'argv' })).toBe('argv');
    expect(deliveryOf({ mcpServers })).toBeUndefined();
  });

  it('works in the folder that is named, which need not be of this machine', () => {
    expect(start('Hello', { spawnClaudeCodeProcess, cwd: 'below' }).seen.launch?.cwd).toBe('below');
    expect(start('Hello', { spawnClaudeCodeProcess }).seen.launch?.cwd).toBeUndefined();
  });
});

describe('Prompts that are verbatim', () => {
  const sentWith = async (prompt: Parameters<typeof start>[0], options: Options) => {
    const { conversation } = start(prompt, options);
    await settle();
    return conversation.sent.map(({ fields }) => fields?.['client_composed']);
  };
  async function* stream() {
    yield userMessage('/cost');
    yield userMessage('/cost', { shouldQuery: false });
  }

  it('are marked on every message', async () => {
    expect(await sentWith('/cost', { verbatimPrompts: true })).toEqual([true]);
    expect(await sentWith(stream(), { verbatimPrompts: true })).toEqual([true, true]);
  });

  it('are not marked unless an option asks for it', async () => {
    expect(await sentWith('/cost', {})).toEqual([undefined]);
    expect(await sentWith(stream(), { verbatimPrompts: false })).toEqual([undefined, undefined]);
  });
});
