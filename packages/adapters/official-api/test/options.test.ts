import type { Connection, InitializeFields, Transport } from '@hexagent/ports';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  EXIT_REASONS,
  HOOK_EVENTS,
  type ExitReason,
  type HookEvent,
  type Options,
  type OwnOptions,
} from '../src/index.ts';
import { noServers, settle, start, userMessage } from './start.ts';

// Everything that works, each with a value that can be told from its default.
const supported = {
  abortController: new AbortController(),
  additionalDirectories: ['../other'],
  agent: 'reviewer',
  agentProgressSummaries: true,
  agents: { reviewer: { description: 'Reviews', prompt: 'You review.' } },
  allowDangerouslySkipPermissions: true,
  allowedTools: ['Read'],
  betas: ['context-1m-2025-08-07'],
  canUseTool: () => Promise.resolve(null),
  continue: true,
  cwd: '/project',
  debug: true,
  debugFile: '/the.log',
  disallowedTools: ['Bash(rm *)'],
  effort: 'high',
  enableFileCheckpointing: true,
  env: { ONLY: 'this' },
  executable: 'bun',
  executableArgs: ['--smol'],
  extraArgs: { verbose: null },
  fallbackModel: 'haiku',
  forkSession: true,
  forwardSubagentText: true,
  hooks: { Stop: [{ hooks: [] }] },
  includeHookEvents: true,
  includePartialMessages: true,
  managedSettings: { model: 'opus' },
  maxBudgetUsd: 1,
  maxThinkingTokens: 1000,
  maxTurns: 3,
  mcpServers: {
    out: { command: 'serve' },
    in: { type: 'sdk', name: 'in', instance: { connect: () => Promise.resolve(), close: () => Promise.resolve() } },
  },
  mcpServersDelivery: 'initialize',
  model: 'opus',
  onElicitation: () => Promise.resolve(null),
  onUserDialog: () => Promise.resolve(null),
  outputFormat: { type: 'json_schema', schema: { type: 'object' } },
  pathToClaudeCodeExecutable: '/opt/cli.js',
  permissionMode: 'acceptEdits',
  permissionPromptToolName: 'mcp__a__b',
  permissionPrompts: 'none',
  perTaskStopAffordance: true,
  persistSession: false,
  planModeInstructions: 'Plan in three steps.',
  pluginDelivery: 'initialize',
  plugins: [{ type: 'local', path: '/plugin' }],
  projectConfigRoot: '/project',
  promptSuggestions: true,
  resume: 'an-id',
  resumeDropsTurn: 'another-message',
  resumeSessionAt: 'a-message',
  sandbox: { enabled: true },
  sessionId: 'another-id',
  settingSources: [],
  settings: { model: 'opus' },
  skills: ['one'],
  spawnClaudeCodeProcess: () => {
    throw new Error('unused');
  },
  stderr: () => {},
  strict: false,
  strictMcpConfig: true,
  supportedDialogKinds: ['survey'],
  systemPrompt: 'You are brief.',
  taskBudget: { total: 20_000 },
  thinking: { type: 'adaptive' },
  title: 'A title',
  toolAliases: { Bash: 'Shell' },
  toolConfig: { askUserQuestion: { previewFormat: 'html' } },
  tools: ['Read'],
  transport: { connect: () => Promise.reject<Connection>(new Error('unused')) } satisfies Transport,
  verbatimPrompts: true,
} satisfies Options & OwnOptions;

/** They exclude each other. */
const { transport: _, ...spawning } = supported;
const { spawnClaudeCodeProcess: __, ...reaching } = supported;

/** Not beside `persistSession: false`. */
const ofStores = {
  loadTimeoutMs: 1000,
  sessionStore: { append: async () => {}, load: async () => null },
  sessionStoreFlush: 'eager',
} satisfies Options;

describe('The options', () => {
  it('are each supported', () => {
    type Handled = keyof typeof supported | keyof typeof ofStores;
    expectTypeOf<Handled>().toEqualTypeOf<keyof Options | keyof OwnOptions>();
    expect(Object.keys({ ...supported, ...ofStores }).length - 2).toBe(70);
  });

  it('that become launch options arrive there under the same name', () => {
    const { seen } = start('Hello', spawning);
    const elsewhere = [
      'abortController',
      'strict',
      'canUseTool',
      'executable',
      'executableArgs',
      'hooks',
      'maxThinkingTokens',
      'mcpServers',
      'onElicitation',
      'onUserDialog',
      'pathToClaudeCodeExecutable',
      'spawnClaudeCodeProcess',
      'stderr',
      'supportedDialogKinds',
      'transport',
      'verbatimPrompts',
    ];
    expect(seen.callbacks?.dialogs?.kinds).toEqual(['survey']);
    const same = Object.entries(supported).filter(([name]) => !elsewhere.includes(name));
    expect(seen.launch).toMatchObject(Object.fromEntries(same));
    expect(seen.launch).toMatchObject({ asksPermission: true }); // what the features of the query need
  });

  it('about the process go to whoever reaches the agent', () => {
    const { seen } = start('Hello', spawning);
    expect(seen.agent).toEqual({
      transport: undefined,
      spawn: supported.spawnClaudeCodeProcess,
      executable: '/opt/cli.js',
      interpreter: 'bun',
      interpreterArgs: ['--smol'],
      onStderr: supported.stderr,
    });
  });

  it('name one way to reach the agent', () => {
    expect(start('Hello', reaching).seen.agent).toMatchObject({ transport: supported.transport, spawn: undefined });
    expect(() => start('Hello', supported)).toThrow('`spawnClaudeCodeProcess` and `transport`');
  });

  it('leave what a finished tool put into the background, as officially', async () => {
    const { seen } = start('Hello', {});
    await settle();
    expect(seen.launch?.leftovers).toBe('leave');
  });

  it('split the MCP servers into those the CLI dials and those in this process', async () => {
    const { seen } = start('Hello', spawning);
    await settle();
    expect(seen.launch?.mcpServers).toEqual({ out: supported.mcpServers.out });
    expect(seen.servers).toEqual({ in: supported.mcpServers.in });
  });

  it('refuse a server that only openSession() takes, and name openSession()', () => {
    const greet = JSON.parse('{ "name": "greet" }');
    expect(() => start('Hello', { mcpServers: { greet: Object.assign(greet, { open: () => ({}) }) } })).toThrow(
      '`mcpServers.greet` is a server for openSession() and ask(), as external() makes one.',
    );
  });

  it('ask for a whole conversation whose background tasks are waited for', async () => {
    const { conversations, seen } = start('Hello', { hooks: { Stop: [{ hooks: [] }] } });
    await settle();
    expect(conversations.opened[0]).toMatchObject({
      delivery: 'all',
      backgroundTasks: 'wait',
      initializeTimeoutMs: 300_000,
      features: [{ name: 'test' }],
    });
    expect(seen.callbacks?.hooks).toEqual({ Stop: [{ hooks: [] }] });
  });

  it('register no callback that was not given', async () => {
    const { seen } = start();
    await settle();
    const none = {
      canUseTool: undefined,
      hooks: undefined,
      hosted: noServers,
      elicitor: undefined,
      dialogs: undefined,
    };
    expect(seen.callbacks).toStrictEqual(none);
    expect(seen.servers).toEqual({});
  });

  it('without a system prompt mean an empty one, without an environment that of the program', () => {
    const { seen } = start();
    expect(seen.launch).toMatchObject({ systemPrompt: '', env: { PATH: '/bin' } });
  });

  it.each<[string, Options['systemPrompt'], unknown]>([
    ['a list', ['a', 'b'], ['a', 'b']],
    [
      'a preset',
      { type: 'preset', preset: 'claude_code', append: 'x' },
      { type: 'preset', preset: 'claude_code', append: 'x' },
    ],
    ['a custom prompt', { type: 'custom', prompt: 'mine', snapshot: true }, 'mine'],
  ])('take %s as system prompt', (_, systemPrompt, expected) => {
    expect(start('Hello', given({ systemPrompt })).seen.launch?.systemPrompt).toEqual(expected);
  });

  it.each<readonly [Options, object]>([
    [{ systemPrompt: { type: 'custom', prompt: 'mine', snapshot: true } }, { systemPromptSnapshot: true }],
    [
      { systemPrompt: { type: 'preset', preset: 'claude_code', snapshot: false } },
      { systemPromptSnapshot: false, systemPrompt: { type: 'preset', preset: 'claude_code' } },
    ],
    [{ systemPrompt: 'mine' }, { systemPromptSnapshot: undefined }],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { thinkingDisplay: 'omitted' }],
    [{ thinking: { type: 'enabled', display: 'summarized' } }, { thinkingDisplay: 'summarized' }],
    [JSON.parse('{ "thinking": { "type": "disabled", "display": "omitted" } }'), { thinkingDisplay: undefined }],
  ])('have members that the launcher accepts as options: %j', (options, launch) => {
    expect(start('Hello', options).seen.launch).toMatchObject(launch);
  });

  it('may set the default of the agent: text as the format of the output, no format of questions', () => {
    const options: Options = JSON.parse(
      '{ "outputFormat": { "type": "text" }, "toolConfig": { "askUserQuestion": null } }',
    );
    expect(start('Hello', options).seen.launch).toMatchObject({ outputFormat: undefined, toolConfig: undefined });
  });

  it.each([
    [0, { type: 'disabled' }],
    [500, { type: 'enabled', budgetTokens: 500 }],
  ])('take maxThinkingTokens %d as the older form of thinking', (maxThinkingTokens, thinking) => {
    expect(start('Hello', { maxThinkingTokens }).seen.launch?.thinking).toEqual(thinking);
  });
});

describe('An option of no query', () => {
  it('is ignored when it is unknown, as it always was', () => {
    expect(() => start('Hello', JSON.parse('{ "fromTheFuture": true }'))).not.toThrow();
  });

  it.each([
    ['permissions', { deny: ['Bash'] }, 'disallowedTools'],
    ['approver', () => null, 'canUseTool'],
    ['onQuestion', () => null, 'canUseTool'],
    ['onPlan', () => null, 'canUseTool'],
    ['ownTools', [{}], 'createSdkMcpServer'],
  ])('is refused when it is one of the native face, since nothing would come of it: %s', (name, value, instead) => {
    const options = { [name]: value };
    expect(() => start('Hello', options)).toThrow(`\`${name}\` is an option of openSession() and ask(). query() takes`);
    expect(() => start('Hello', options)).toThrow(instead);
    expect(() => start('Hello', { [name]: undefined })).not.toThrow();
  });
});

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

  it('are not looked for where none do', async () => {
    expect((await checkOf({})).check).toBeUndefined();
    const { check, codes } = await checkOf({ plugins: launched.plugins });
    const before = codes(); // what the agent of the test did not take
    check?.({ plugins_applied: true });
    expect(codes()).toEqual(before);
  });
});

describe('An agent that the program starts itself', () => {
  const { spawnClaudeCodeProcess } = supported;
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

  it('are none unless asked for', async () => {
    expect(await sentWith('/cost', {})).toEqual([undefined]);
    expect(await sentWith(stream(), { verbatimPrompts: false })).toEqual([undefined, undefined]);
  });
});

describe('An option that can never work', () => {
  it('is refused: dialogs that nobody shows', () => {
    expect(() => start('Hello', { supportedDialogKinds: ['survey'] })).toThrow(/onUserDialog/);
  });

  it.each<readonly [string, unknown]>([
    ...[null, false, '', 0, 'one', {}].map((value) => ['skills', value] as const),
    ...[false, '', 0, 'one', {}].map((value) => ['plugins', value] as const),
    ['systemPrompt.snapshot', 'yes'],
  ])('is refused as officially: %s: %j', (name, value) => {
    const options =
      name === 'systemPrompt.snapshot'
        ? { systemPrompt: { type: 'custom', prompt: 'p', snapshot: value } }
        : { [name]: value };
    expect(() => start('Hello', options as Options)).toThrow(`\`${name}\` must be`); // only untyped code can
  });

  it('is refused: hooks that are no list of matchers', () => {
    expect(() => start('Hello', JSON.parse('{ "hooks": { "Stop": { "hooks": [] } } }'))).toThrow(/hooks\.Stop/);
  });
});

describe('The lists of names', () => {
  it('are complete', () => {
    expectTypeOf<(typeof HOOK_EVENTS)[number]>().toEqualTypeOf<HookEvent>();
    expectTypeOf<(typeof EXIT_REASONS)[number]>().toEqualTypeOf<ExitReason>();
    expect(HOOK_EVENTS).toHaveLength(33);
    expect(EXIT_REASONS).toHaveLength(5);
  });
});

function given(options: { readonly [K in keyof Options]: Options[K] | undefined }): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

describe('A value that would count as not given', () => {
  const { signal } = new AbortController();
  it.each([
    ...[{}, signal, { signal: {} }, 'abort', () => {}].map((value) => ['abortController', value] as const),
    ...[new Map([['a', { command: 'a' }]]), [{ command: 'a' }], 'a', 5].map((value) => ['mcpServers', value] as const),
    ...[new Map([['PreToolUse', []]]), new Set()].map((value) => ['hooks', value] as const),
  ])('is refused, because it was meant to hold the agent to something: %s: %o', (option, value) => {
    const untyped = { [option]: value } as Options;
    expect(() => start('Hello', untyped)).toThrow(TypeError);
    expect(() => start('Hello', untyped)).toThrow(`\`${option}\` must be`);
  });

  it.each([new Map([['tools', ['Read']]]), [{ tools: ['Read'] }], 'plan', 5, () => {}])(
    'is refused where it is the whole of the options: %o',
    (untyped) => {
      expect(() => start('Hello', untyped as Options)).toThrow('`options` must be a plain object');
    },
  );

  it('is none where a program passes null for no options', () => {
    expect(() => start('Hello', null as never)).not.toThrow(); // only untyped code can
  });
});
