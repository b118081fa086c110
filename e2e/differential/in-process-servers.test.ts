import { toolResults, toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as zodThree } from 'zod/v3';
import { withCli } from '../support/cli.ts';
import { controlRequest, finishTurn, obliging } from './behaviours.ts';
import { stdinOf } from './comparable.ts';
import { runReal } from './real.ts';
import { claimable, parked } from './spare-claims.ts';
import { compare, sides, type Program, type RunRecord, type Sdk } from './run.ts';
import type { Behaviour, WireFrame } from './stand-in.ts';

type Config = ReturnType<Sdk['createSdkMcpServer']>;

const change = (config: Config, more: object): Config => ({ ...config, ...more });

function serverOf({ createSdkMcpServer, tool }: Sdk, called: () => Promise<void>, more: object = {}): Config {
  const delay = tool('delay', 'Takes its time.', { a: z.string() }, async () => {
    await called();
    return { content: [{ type: 'text', text: 'was called' }] };
  });
  return createSdkMcpServer({ name: 'mine', tools: [delay], ...more });
}

describe('What the agent receives about an in-process server', () => {
  const denied = [{ name: 'delay', permission_policy: 'always_deny' }];

  it.each<readonly [string, object, object]>([
    ['nothing', {}, {}],
    ['policies of tools', { tools: denied }, {}],
    ['no policies', { tools: [] }, {}],
    ['a timeout on the config', { timeout: 5 }, {}],
    ['a timeout of the server', {}, { timeout: 5 }],
    ['a timeout on the config, over that of the server', { timeout: 7 }, { timeout: 5 }],
    ['a timeout of 0', { timeout: 0 }, { timeout: 0 }],
    ['both', { tools: denied, timeout: 5 }, {}],
  ])('is the same: %s', async (_, onConfig, onServer) => {
    const program: Program = (sdk, { options }) => {
      const server = change(
        serverOf(sdk, async () => {}, onServer),
        onConfig,
      );
      return sdk.query({ prompt: 'hello', options: { ...options, mcpServers: { other: server } } });
    };
    const { official, ours } = await compare(program);
    const [theirs, our] = [official, ours].map(({ launches }) => launches.flatMap(stdinOf));
    expect(our?.map(withoutManifests)).toEqual(theirs?.map(withoutManifests));
    // What the server will answer is sent along, which spares the agent its questions.
    const listed = {
      other: { initializeResult: { serverInfo: { name: 'mine' } }, toolsListResult: { tools: [{ name: 'delay' }] } },
    };
    for (const sent of [our, theirs]) expect(sent?.[0]).toMatchObject({ request: { sdkMcpServerManifests: listed } });
    expect(our?.[0]).toHaveProperty('request.sdkMcpServers', ['other']);
  });
});

/** The manifests differ in the dialect of the schemas and in capabilities: ours cannot change. */
function withoutManifests({ request, ...frame }: Readonly<Record<string, unknown>>): object {
  const { sdkMcpServerManifests: _, ...kept } = (request ?? {}) as Readonly<Record<string, unknown>>;
  return { ...frame, request: kept };
}

const rpc = (id: number, method: string, params: WireFrame): WireFrame =>
  controlRequest(`q${id}`, {
    subtype: 'mcp_message',
    server_name: 'mine',
    message: { jsonrpc: '2.0', id, method, params },
  });

/** Has the tools listed and one of them called, then ends the turn. */
const listing: Behaviour = (agent) => {
  obliging({
    message: () => {
      const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      agent.write(rpc(1, 'initialize', client));
      agent.write(rpc(2, 'tools/list', {}));
      agent.write(rpc(3, 'tools/call', { name: 'when', arguments: { at: '2026-11-18' } }));
      return true;
    },
  })(agent);
  agent.listen({
    frame: ({ response }) => {
      if ((response as WireFrame | undefined)?.['request_id'] === 'q3') finishTurn(agent);
    },
  });
};

describe('The arguments that the model reads as required', () => {
  it.each<readonly [string, Parameters<Sdk['tool']>[2]]>([
    [
      'of zod 4',
      {
        preprocessed: z.preprocess((value) => value, z.string()),
        maybePreprocessed: z.preprocess((value) => value, z.string().optional()),
        caught: z.string().catch('x'),
        optional: z.string().optional(),
        defaulted: z.string().default('a'),
        coerced: z.coerce.number(),
        any: z.any(),
      },
    ],
    ['of zod 3', { text: zodThree.string(), inner: zodThree.object({ a: zodThree.number().optional() }) }],
  ])('and whether there may be others are the same: %s', async (_, shape) => {
    const program: Program = (sdk, { options }) => {
      const one = sdk.tool('one', 'Takes some.', shape, async () => ({ content: [] }));
      const mine = sdk.createSdkMcpServer({ name: 'mine', tools: [one] });
      return sdk.query({ prompt: 'hello', options: { ...options, mcpServers: { mine } } });
    };
    const { official, ours } = await compare(program, { standIn: listing });
    const [theirs, our] = [official, ours].map(schemaOf);
    expect(theirs?.required).toBeDefined();
    expect(our).toEqual(theirs);
  });

  function schemaOf({ launches }: RunRecord): { readonly required: unknown; readonly additionalProperties: unknown } {
    const answers = launches.flatMap(({ stdin }) => stdin).map(({ response }) => response as Listed | undefined);
    const listed = answers.find((answer) => answer?.request_id === 'q2');
    const { required, additionalProperties } = listed?.response.mcp_response.result.tools[0].inputSchema ?? {};
    return { required, additionalProperties };
  }

  interface Listed {
    readonly request_id: string;
    readonly response: {
      readonly mcp_response: { readonly result: { readonly tools: readonly [{ readonly inputSchema: WireFrame }] } };
    };
  }
});

describe('A tool whose schema JSON Schema cannot express', () => {
  it('is listed with the rest left open, while in the official package it is left out: what can be made of JSON works', async () => {
    const program: Program = (sdk, { options, note }) => {
      const when = sdk.tool('when', 'Takes a moment.', { at: z.coerce.date() }, async ({ at }) => {
        note('at', at);
        return { content: [] };
      });
      const mine = sdk.createSdkMcpServer({ name: 'mine', tools: [when] });
      return sdk.query({ prompt: 'hello', options: { ...options, mcpServers: { mine } } });
    };
    const { official, ours } = await compare(program, { standIn: listing });
    const listed = [official, ours].map(({ launches }) =>
      launches.flatMap(({ stdin }) => stdin.filter((frame) => JSON.stringify(frame).includes('"tools":['))),
    );
    expect(JSON.stringify(listed[0])).not.toContain('"when"');
    expect(JSON.stringify(listed[1])).toContain('"when"');
    expect(official.warnings.map(({ code }) => code)).toContain('CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE');
    expect([official.notes, ours.notes]).toEqual([{}, { at: new Date('2026-11-18') }]);
  });
});

withCli('A tool of an in-process server, allowed by a rule', () => {
  const call = [toolUse('mcp__mine__delay', { a: 'x' }), 'done'];

  const calling =
    (onConfig: object, permission: object, called: () => Promise<void> = async () => {}): Program =>
    (sdk, { options, note }) => {
      let calls = 0;
      const server = change(
        serverOf(sdk, async () => {
          calls += 1;
          note('calls', calls);
          await called();
        }),
        onConfig,
      );
      const mcpServers = { mine: server };
      return sdk.query({
        prompt: 'go',
        options: { ...options, mcpServers, allowedTools: ['mcp__mine__delay'], ...permission },
      });
    };

  it.each(sides)('runs: %s', async (side) => {
    const { notes, messages } = await runReal(side, calling({}, {}), call);
    expect(notes).toEqual({ calls: 1 });
    expect(messages.find(({ subtype }) => subtype === 'init')).toMatchObject({
      tools: expect.arrayContaining(['mcp__mine__delay']),
    });
  });

  it.each(sides)('is hidden and never runs under the policy always_deny: %s', async (side) => {
    const tools = [{ name: 'delay', permission_policy: 'always_deny' }];
    const { notes, messages } = await runReal(side, calling({ tools }, {}), call);
    expect(notes).toEqual({});
    expect(messages.find(({ subtype }) => subtype === 'init')).toMatchObject({
      tools: expect.not.arrayContaining(['mcp__mine__delay']),
    });
  });

  it.each(sides)('needs permission under the policy always_ask: %s', async (side) => {
    const tools = [{ name: 'delay', permission_policy: 'always_ask' }];
    const asked: unknown[] = [];
    const canUseTool = async (
      name: string,
      _: unknown,
      { signal: __, suggestions: ___, ...context }: object & { signal?: unknown; suggestions?: unknown },
    ) => {
      asked.push({ name, context });
      return { behavior: 'deny' as const, message: 'No.' };
    };
    const { notes } = await runReal(side, calling({ tools }, { canUseTool }), call);
    expect(notes).toEqual({});
    expect(asked).toMatchObject([{ name: 'mcp__mine__delay', context: { serverPolicyAskOnly: true } }]);
  });

  it.each(sides)('is given up when its timeout is over: %s', async (side) => {
    let answered: unknown;
    const script = (request: Parameters<typeof toolResults>[0]) => {
      const [result] = toolResults(request);
      if (result === undefined) return toolUse('mcp__mine__delay', { a: 'x' });
      answered = result.isError;
      return 'done';
    };
    const { notes } = await runReal(
      side,
      calling({ timeout: 1000 }, {}, () => new Promise(() => {})),
      script,
    );
    expect(notes).toEqual({ calls: 1 });
    expect(answered).toBe(true);
  });
});

withCli('`instance` of a server made by createSdkMcpServer()', () => {
  it.each(sides)('is an McpServer, to which a program adds tools: %s', async (side) => {
    const program: Program = (sdk, { options, note }) => {
      const mine = serverOf(sdk, async () => note('delay', true));
      mine.instance.registerTool('more', { description: 'More.', inputSchema: { a: z.string() } }, ({ a }) => {
        note('more', a);
        return { content: [{ type: 'text', text: 'more' }] };
      });
      const allowedTools = ['mcp__mine__delay', 'mcp__mine__more'];
      return sdk.query({ prompt: 'go', options: { ...options, mcpServers: { mine }, allowedTools } });
    };
    const calls = [toolUse('mcp__mine__delay', { a: 'x' }), toolUse('mcp__mine__more', { a: 'y' }), 'done'];
    const { notes, messages } = await runReal(side, program, calls);
    expect(notes).toEqual({ delay: true, more: 'y' });
    expect(messages.find(({ subtype }) => subtype === 'init')).toMatchObject({
      tools: expect.arrayContaining(['mcp__mine__delay', 'mcp__mine__more']),
    });
  });
});

describe('An in-process server of a subagent', () => {
  it('is ignored with a warning, and the others of the subagent reach the agent', async () => {
    const program: Program = (sdk, { options }) => {
      const mine = serverOf(sdk, async () => {});
      const agents = {
        one: { description: 'd', prompt: 'p', mcpServers: ['named', { mine }, { out: { command: 'x' } }] },
        two: { description: 'd', prompt: 'p' },
      };
      return sdk.query({ prompt: 'hello', options: { ...options, agents } });
    };
    const { official, ours } = await compare(program);
    expect(ours.launches.flatMap(stdinOf)).toEqual(official.launches.flatMap(stdinOf));
    const codes = [official, ours].map(({ warnings }) => warnings.map(({ code }) => code));
    expect(codes).toEqual([['CLAUDE_SDK_AGENT_IN_PROCESS_SERVER'], ['CLAUDE_SDK_AGENT_IN_PROCESS_SERVER']]);
  });

  it('is ignored by a claim too', async () => {
    const program: Program = async (sdk, place) => {
      const agents = {
        claimed: { description: 'd', prompt: 'p', mcpServers: [{ mine: serverOf(sdk, async () => {}) }] },
      };
      const spare = await sdk.prewarm({ options: parked(place) });
      for await (const _ of spare.claim({ prompt: 'hello', options: { cwd: place.cwd, agents } }));
    };
    const { official, ours } = await compare(program, { standIn: claimable() });
    const claims = [official, ours].map(({ launches }) =>
      launches.flatMap(stdinOf).flatMap(({ request }) => (request as { agents?: object } | undefined)?.agents ?? []),
    );
    expect(claims[1]).toEqual(claims[0]);
    expect(claims[0]).toHaveLength(1);
    expect(ours.warnings.map(({ code }) => code)).toEqual(official.warnings.map(({ code }) => code));
  });
});
