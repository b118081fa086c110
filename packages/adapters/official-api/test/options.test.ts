import { readFileSync } from 'node:fs';
import type { Connection, Transport } from '@hexagent/ports';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { EXIT_REASONS, ExitReason, HOOK_EVENTS, HookEvent, Options, OwnOptions } from '../src/official.ts';
import { noServers, settle, start } from './start.ts';

// Everything that works, each with a value that differs from its default.
const supported = {
  abortController: new AbortController(),
  additionalDirectories: ['../other'],
  agent: 'reviewer',
  agentProgressSummaries: true,
  agents: { reviewer: { description: 'Reviews', prompt: 'You review.' } },
  allowDangerouslySkipPermissions: true,
  allowedTools: ['Read'],
  backgroundTasks: 'wait',
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
  disallowedToolsDelivery: 'initialize',
  managedSettings: { model: 'opus' },
  managedSettingsDelivery: 'initialize',
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
  settingsDelivery: 'initialize',
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
const { spawnClaudeCodeProcess: __, pathToClaudeCodeExecutable: ___, ...reaching } = supported;

function given(options: { readonly [K in keyof Options]: Options[K] | undefined }): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

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
  });

  it('have words of their own in an editor', () => {
    const source = readFileSync(new URL('../src/types/options.ts', import.meta.url), 'utf8');
    const described = [...source.matchAll(/\/\*\* .* \*\/\n {2}\w+\?:/g)];
    expect(described).toHaveLength([...source.matchAll(/^ {2}\w+\?:/gm)].length);
  });

  it('that become launch options arrive there under the same name', () => {
    const { seen } = start('Hello', spawning);
    const elsewhere = [
      'abortController',
      'backgroundTasks',
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

  it('about the process go to the transport', () => {
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
    const both = { ...reaching, pathToClaudeCodeExecutable: '/opt/cli.js' };
    expect(() => start('Hello', both)).toThrow('`pathToClaudeCodeExecutable` and `transport`');
  });

  it('leave what a finished tool put into the background, as in the official package', async () => {
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

  it('set a generous deadline for `initialize`, and pass features on', async () => {
    const { conversations, seen } = start('Hello', { hooks: { Stop: [{ hooks: [] }] } });
    await settle();
    expect(conversations.opened[0]).toMatchObject({
      initializeTimeoutMs: 300_000,
      features: [{ name: 'test' }],
    });
    expect(seen.callbacks?.hooks).toEqual({ Stop: [{ hooks: [] }] });
  });

  async function* nothing(): AsyncGenerator<never> {}

  it.each([
    ['stopped after a text', 'Hello', {}, 'stop'],
    ['waited for after an iterable', nothing(), {}, 'wait'],
    ['waited for where the program asks for it', 'Hello', { backgroundTasks: 'wait' }, 'wait'],
  ] as const)('have background shells %s', async (_, prompt, options, backgroundTasks) => {
    const { conversations } = start(prompt, options);
    await settle();
    expect(conversations.opened[0]).toMatchObject({ backgroundTasks });
  });

  it('refuse another way to treat background shells', () => {
    expect(() => start('Hello', JSON.parse('{ "backgroundTasks": "leave" }'))).toThrow(
      '`backgroundTasks` must be one of "stop", "wait", not "leave".',
    );
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

describe('The lists of names', () => {
  it('are complete', () => {
    expectTypeOf<(typeof HOOK_EVENTS)[number]>().toEqualTypeOf<HookEvent>();
    expectTypeOf<(typeof EXIT_REASONS)[number]>().toEqualTypeOf<ExitReason>();
  });
});
