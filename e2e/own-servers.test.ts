import { McpServer as RealServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { hostServer, type CallToolResult, type ToolExtra } from '@hexagent/mcp-sdk-server';
import {
  ask,
  createSdkMcpServer,
  openSession,
  tool,
  toolResult,
  type McpServer,
  type Session,
  type SessionOptions,
} from '@hexagent/sdk';
import type { JsonRpcMessage } from '@hexagent/ports';
import { toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { z as mini } from 'zod/mini';
import { withCli } from './support/cli.ts';
import { stage, type Stage } from './support/stage.ts';

interface GivenTool {
  readonly name: string;
  readonly readOnly?: boolean;
  readonly run: (extra: ToolExtra) => unknown;
}

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

function light(tools: readonly GivenTool[]): McpServer {
  const made = tools.map(({ name, run, readOnly = false }) =>
    tool(name, name, {}, async (_, extra) => (await run(extra)) as CallToolResult, {
      annotations: { readOnlyHint: readOnly },
    }),
  );
  return hostServer(createSdkMcpServer({ name: 'mine', tools: made }));
}

function real(tools: readonly GivenTool[]): McpServer {
  const create = (): RealServer => {
    const server = new RealServer({ name: 'mine', version: '1' }, { capabilities: { logging: {} } });
    for (const { name, run, readOnly = false } of tools) {
      const config = { description: name, inputSchema: {}, annotations: { readOnlyHint: readOnly } };
      server.registerTool(name, config, async (_, extra) => (await run(extra as never)) as never);
    }
    return server;
  };
  return hostServer({ type: 'sdk', name: 'mine', create });
}

const engines = [
  { engine: 'made by createSdkMcpServer()', serve: light },
  { engine: 'that is an McpServer of the MCP SDK', serve: real },
];

/** Calls these tools of the server at once in the first round of each turn, and keeps what the model reads of them. */
function calling(names: readonly string[]): {
  script: (request: ModelRequest) => unknown;
  results: Map<string, string>;
} {
  const results = new Map<string, string>();
  let round = 0;
  return {
    results,
    script(request) {
      const given = toolResults(request);
      for (const { id, isError, text } of given)
        results.set(names[Number(id.split('_')[2])] ?? id, `${isError ? 'ERROR ' : ''}${text}`);
      if (given.length > 0) return 'done';
      round += 1;
      return names.map((name, index) => toolUse(`mcp__mine__${name}`, {}, `toolu_${round}_${index}`));
    },
  };
}

const open = (place: Stage, server: McpServer, more: SessionOptions = {}): Promise<Session> =>
  openSession({ ...place.options, mcpServers: { mine: server }, permissions: { allow: ['mcp__mine'] }, ...more });

/** The same server, and the methods that the agent asked of it. */
function recorded(server: McpServer): {
  server: McpServer;
  asked: string[];
  send: (message: JsonRpcMessage) => Promise<void>;
} {
  const asked: string[] = [];
  let client: Parameters<McpServer['open']>[0] | undefined;
  return {
    asked,
    send: async (message) => await client?.send(message),
    server: {
      ...server,
      async open(given) {
        client = given;
        const session = await server.open(given);
        return {
          handle: (message, context) => (asked.push(message.method ?? ''), session.handle(message, context)),
          close: () => session.close(),
        };
      },
    },
  };
}

const contents: Readonly<Record<string, readonly [unknown, string | RegExp]>> = {
  words: [text('hi'), 'hi'],
  audio: [
    { content: [{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }] },
    /Audio from mine.*audio\/wav, 2 bytes/,
  ],
  embedded: [{ content: [{ type: 'resource', resource: { uri: 'note://1', text: 'inside' } }] }, /note:\/\/1\] inside/],
  file: [
    { content: [{ type: 'resource', resource: { uri: 'note://2', mimeType: 'application/pdf', blob: 'aGk=' } }] },
    /note:\/\/2\].*application\/pdf, 2 bytes/,
  ],
  link: [{ content: [{ type: 'resource_link', uri: 'note://3', name: 'three' }] }, /Resource link: three\] note:\/\/3/],
  structured: [{ ...text('plain'), structuredContent: { a: 1 } }, '{"a":1}'],
  failed: [{ ...text('bad'), isError: true }, /^ERROR bad/],
  empty: [{ content: [] }, /completed with no output/],
  large: [text('x'.repeat(20 * 1024 * 1024)), /20,971,520 characters/],
  nothing: [undefined, /^ERROR (The tool nothing answered with no result|.*Invalid tools\/call result)/],
  unread: [
    { content: 'x' },
    /^ERROR (The tool unread answered with something that the agent cannot read|.*Invalid tools\/call result)/,
  ],
  map: [
    { content: [], structuredContent: new Map() },
    /^ERROR (The tool map answered with something that is lost|.*Invalid tools\/call result)/,
  ],
};

withCli('#58 A server in this process', () => {
  describe.each(engines)('$engine', ({ serve }) => {
    it('shows the model content of every kind, and every failure of a tool: nothing leaves the agent waiting', async () => {
      const cyclic: Record<string, unknown> = { content: [] };
      cyclic['structuredContent'] = cyclic;
      const tools: GivenTool[] = [
        ...Object.entries(contents).map(([name, [result]]) => ({ name, run: () => result })),
        { name: 'cycle', run: () => cyclic },
        {
          name: 'throws',
          run: () => {
            throw new Error('kaboom');
          },
        },
      ];
      const { script, results } = calling(tools.map(({ name }) => name));
      await using place = await stage(script as never);
      await using session = await open(place, serve(tools));
      expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'done' });
      for (const [name, [, wanted]] of Object.entries(contents)) expect(results.get(name)).toMatch(wanted);
      expect(results.get('cycle')).toMatch(/^ERROR The tool cycle answered with something that is lost/);
      expect(results.get('throws')).toMatch(/^ERROR kaboom/);
    });

    it('runs tools that only read at the same time, and the others one after the other', async () => {
      const both = Promise.withResolvers<void>();
      let running = 0;
      let most = 0;
      const meeting = async (): Promise<CallToolResult> => {
        if ((running += 1) === 2) both.resolve();
        await both.promise;
        return text('met');
      };
      const alone = async (): Promise<CallToolResult> => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return text('alone');
      };
      const { script, results } = calling(['one', 'two', 'three', 'four']);
      const tools = [
        { name: 'one', readOnly: true, run: meeting },
        {
          name: 'two',
          readOnly: true,
          run: async (): Promise<CallToolResult> => (await meeting(), (running = 0), text('met')),
        },
        { name: 'three', run: alone },
        { name: 'four', run: alone },
      ];
      await using place = await stage(script as never);
      await using session = await open(place, serve(tools));
      await session.send('go').result;
      expect([...results.values()]).toEqual(['met', 'met', 'alone', 'alone']);
      expect(most).toBe(1);
    });

    it('gives a tool the id of its use, and reports its progress', async () => {
      const seen: unknown[] = [];
      const report = async ({ _meta, sendNotification }: ToolExtra): Promise<CallToolResult> => {
        seen.push(_meta?.['claudecode/toolUseId']);
        const progressToken = _meta?.['progressToken'];
        await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
        await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'half' } });
        return text('reported');
      };
      const { script, results } = calling(['report']);
      await using place = await stage(script as never);
      await using session = await open(place, serve([{ name: 'report', run: report }]));
      await session.send('go').result;
      expect(seen).toEqual(['toolu_1_0']);
      expect(results.get('report')).toBe('reported');
    });

    it('aborts the signal of a tool when its turn is interrupted; what it returns then is dropped', async () => {
      const started = Promise.withResolvers<AbortSignal>();
      const released = Promise.withResolvers<void>();
      const slow = async ({ signal }: ToolExtra): Promise<CallToolResult> => {
        started.resolve(signal);
        await released.promise;
        return text('too late');
      };
      await using place = await stage([toolUse('mcp__mine__slow', {}), 'next']);
      await using session = await open(place, serve([{ name: 'slow', run: slow }]));
      const turn = session.send('go');
      const signal = await started.promise;
      await turn.interrupt();
      expect((await turn.result).kind).toBe('interrupted');
      expect(signal.aborted).toBe(true);
      released.resolve();
      expect(await session.send('again').result).toMatchObject({ kind: 'completed', text: 'next' });
    });

    it('serves two sessions at once without mixing them', async () => {
      const server = serve([{ name: 'whoami', run: ({ _meta }) => text(String(_meta?.['claudecode/toolUseId'])) }]);
      const run = async (id: string): Promise<unknown> => {
        await using place = await stage((request) => {
          const [result] = toolResults(request);
          return result === undefined ? toolUse('mcp__mine__whoami', {}, id) : result.text;
        });
        await using session = await open(place, server);
        return await session.send('go').result;
      };
      expect(await Promise.all([run('toolu_a'), run('toolu_b')])).toMatchObject([
        { text: 'toolu_a' },
        { text: 'toolu_b' },
      ]);
    });
  });
});

withCli('The manifest of a server in this process', () => {
  it('spares the agent the handshake, which it makes up for when it reconnects', async () => {
    const { script } = calling(['words']);
    const { server, asked, send } = recorded(light([{ name: 'words', run: () => text('hi') }]));
    await using place = await stage(script as never);
    await using session = await open(place, server);
    expect(await session.ready).toHaveProperty('sdk_mcp_manifests_parked', { mine: 'parked' });
    await session.send('go').result;
    expect(asked).toEqual(['tools/call']);
    await send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await session.send('again').result;
    expect(asked).toEqual(['tools/call', 'tools/list', 'tools/call']);
    await session.control.request('mcp_toggle', { serverName: 'mine', enabled: false });
    await session.control.request('mcp_toggle', { serverName: 'mine', enabled: true });
    expect(asked.slice(3)).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
  });

  it('is not there where zod has to be loaded first: then the agent asks', async () => {
    const words = tool('words', 'd', { a: mini.optional(mini.string()) }, () => text('hi'));
    const { server, asked } = recorded(hostServer(createSdkMcpServer({ name: 'mine', tools: [words] })));
    const { script, results } = calling(['words']);
    await using place = await stage(script as never);
    await using session = await open(place, server);
    await session.send('go').result;
    expect(asked).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
    expect(results.get('words')).toBe('hi');
  });
});

withCli('An McpServer of your own', () => {
  it('has its resources read, and its new tools seen', async () => {
    const instance = new RealServer({ name: 'mine', version: '1' });
    instance.registerTool('grow', { description: 'd' }, () => {
      instance.registerTool('grown', { description: 'd' }, () => text('grown up') as never);
      return text('ok') as never;
    });
    instance.registerResource('note', 'note://1', {}, () => ({ contents: [{ uri: 'note://1', text: 'remember me' }] }));
    const rounds = [
      toolUse('mcp__mine__grow', {}),
      toolUse('ReadMcpResourceTool', { server: 'mine', uri: 'note://1' }),
      toolUse('mcp__mine__grown', {}),
    ];
    const read: string[] = [];
    await using place = await stage((request) => {
      read.push(...toolResults(request).map((result) => result.text));
      return rounds.shift() ?? 'done';
    });
    await using session = await openSession({
      ...place.options,
      mcpServers: { mine: { type: 'sdk', name: 'mine', instance } },
      permissions: { allow: ['mcp__mine'] },
    });
    await session.send('go').result;
    expect(read.join('\n')).toContain('remember me');
    expect(read).toContain('grown up');
  });
});

withCli('The prompts of an McpServer of your own', () => {
  it('are not asked for by the agent', async () => {
    const create = (): RealServer => {
      const instance = new RealServer({ name: 'mine', version: '1' });
      instance.registerPrompt('greet', {}, () => ({ messages: [] }));
      instance.registerTool('words', { description: 'd' }, () => text('hi') as never);
      return instance;
    };
    const { server, asked } = recorded(hostServer({ type: 'sdk', name: 'mine', create }));
    await using place = await stage(['done']);
    await using session = await open(place, server);
    await session.send('/mcp__mine__greet').result;
    expect(asked).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
    // What would be its command is a text for the model.
    expect(JSON.stringify(place.loopback.requests)).toContain('/mcp__mine__greet');
  });
});

withCli('#46 Tools of your own, without a server around them', () => {
  const forecast = tool('forecast', 'Tomorrow’s weather', {}, () => toolResult.text('Rain.'));
  const script = (request: ModelRequest): ReturnType<typeof toolUse> | string =>
    toolResults(request)[0]?.text ?? toolUse('mcp__own__forecast', {});

  it('run unasked where the permissions say so', async () => {
    await using place = await stage(script);
    const permissions = { allowOwnTools: true };
    await using session = await openSession({ ...place.options, ownTools: [forecast], permissions });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'Rain.' });
  });

  it('are asked about like others where they do not, and a deny rule holds', async () => {
    for (const permissions of [{}, { allowOwnTools: true, deny: ['mcp__own__forecast'] }]) {
      await using place = await stage(script);
      await using session = await openSession({ ...place.options, ownTools: [forecast], permissions });
      const outcome = await session.send('go').result;
      expect(outcome).not.toMatchObject({ text: 'Rain.' });
    }
  });

  it('work in ask(), and without any built-in tool: the model has them in its prompt then', async () => {
    await using place = await stage(script);
    const permissions = { allowOwnTools: true };
    const { outcome } = ask('go', { ...place.options, ownTools: [forecast], tools: [], permissions });
    expect(await outcome).toMatchObject({ kind: 'completed', text: 'Rain.' });
    const [first] = place.loopback.requests;
    expect(JSON.stringify(first)).toContain('"name":"mcp__own__forecast"');
  });
});
