import { SdkError, type Connection, type Transport } from '@hexagent/ports';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  EXIT_REASONS,
  HOOK_EVENTS,
  type ExitReason,
  type HookEvent,
  type Options,
  type OwnOptions,
} from '../src/index.ts';
import { optionsWithoutEffect, unsupportedOptions } from '../src/unsupported.ts';
import { noServers, settle, start } from './start.ts';

// Everything that works, each with a value that can be told from its default.
const supported = {
  abortController: new AbortController(),
  additionalDirectories: ['../other'],
  agent: 'reviewer',
  agents: { reviewer: { description: 'Reviews', prompt: 'You review.' } },
  allowDangerouslySkipPermissions: true,
  allowedTools: ['Read'],
  canUseTool: () => Promise.resolve(null),
  continue: true,
  cwd: '/project',
  disallowedTools: ['Bash(rm *)'],
  effort: 'high',
  env: { ONLY: 'this' },
  executable: 'bun',
  executableArgs: ['--smol'],
  extraArgs: { verbose: null },
  fallbackModel: 'haiku',
  forkSession: true,
  hooks: { Stop: [{ hooks: [] }] },
  includePartialMessages: true,
  maxBudgetUsd: 1,
  maxThinkingTokens: 1000,
  maxTurns: 3,
  mcpServers: {
    out: { command: 'serve' },
    in: { type: 'sdk', name: 'in', instance: { connect: () => Promise.resolve(), close: () => Promise.resolve() } },
  },
  model: 'opus',
  onElicitation: () => Promise.resolve(null),
  onUserDialog: () => Promise.resolve(null),
  pathToClaudeCodeExecutable: '/opt/cli.js',
  permissionMode: 'acceptEdits',
  persistSession: false,
  resume: 'an-id',
  resumeSessionAt: 'a-message',
  sessionId: 'another-id',
  settingSources: [],
  settings: { model: 'opus' },
  stderr: () => {},
  strict: false,
  strictMcpConfig: true,
  supportedDialogKinds: ['survey'],
  systemPrompt: 'You are brief.',
  thinking: { type: 'adaptive' },
  title: 'A title',
  tools: ['Read'],
  transport: { connect: () => Promise.reject<Connection>(new Error('unused')) } satisfies Transport,
} satisfies Options & OwnOptions;

describe('The options', () => {
  it('are each supported, refused, or known to change nothing', () => {
    type Handled = keyof typeof supported | (typeof unsupportedOptions | typeof optionsWithoutEffect)[number];
    expectTypeOf<Handled>().toEqualTypeOf<keyof Options | keyof OwnOptions>();
    expect(Object.keys(supported)).not.toEqual(expect.arrayContaining([...unsupportedOptions]));
    expect(Object.keys(supported).length - 2 + unsupportedOptions.length + optionsWithoutEffect.length).toBe(70);
  });

  it('that become launch options arrive there under the same name', () => {
    const { seen } = start('Hello', supported);
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
      'stderr',
      'supportedDialogKinds',
      'transport',
    ];
    expect(seen.callbacks?.dialogs?.kinds).toEqual(['survey']);
    const same = Object.entries(supported).filter(([name]) => !elsewhere.includes(name));
    expect(seen.launch).toMatchObject(Object.fromEntries(same));
    expect(seen.launch).toMatchObject({ asksPermission: true }); // what the features of the query need
  });

  it('about the process go to whoever reaches the agent', () => {
    const { seen } = start('Hello', supported);
    expect(seen.agent).toEqual({
      transport: supported.transport,
      executable: '/opt/cli.js',
      interpreter: 'bun',
      interpreterArgs: ['--smol'],
      onStderr: supported.stderr,
    });
  });

  it('leave what a finished tool put into the background, as officially', async () => {
    const { seen } = start('Hello', {});
    await settle();
    expect(seen.launch?.leftovers).toBe('leave');
  });

  it('split the MCP servers into those the CLI dials and those in this process', async () => {
    const { seen } = start('Hello', supported);
    await settle();
    expect(seen.launch?.mcpServers).toEqual({ out: supported.mcpServers.out });
    expect(seen.servers).toEqual({ in: supported.mcpServers.in });
  });

  it('refuse a server that only openSession() takes, and say so', () => {
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
    ['a custom prompt', { type: 'custom', prompt: 'mine' }, 'mine'],
  ])('take %s as system prompt', (_, systemPrompt, expected) => {
    expect(start('Hello', given({ systemPrompt })).seen.launch?.systemPrompt).toEqual(expected);
  });

  it.each([
    [0, { type: 'disabled' }],
    [500, { type: 'enabled', budgetTokens: 500 }],
  ])('take maxThinkingTokens %d as the older way to say thinking', (maxThinkingTokens, thinking) => {
    expect(start('Hello', { maxThinkingTokens }).seen.launch?.thinking).toEqual(thinking);
  });
});

describe('An option that does not work yet', () => {
  it.each(unsupportedOptions)('%s is refused by name', (name) => {
    const options: Options = JSON.parse(`{ "${name}": "something" }`);
    expect(() => start('Hello', options)).toThrow(
      expect.objectContaining({ code: 'NOT_SUPPORTED_YET', message: expect.stringContaining(name) }),
    );
  });

  it.each(unsupportedOptions)('%s may have a value that asks for nothing', (name) => {
    for (const value of [undefined, null, false]) expect(() => start('Hello', { [name]: value })).not.toThrow();
  });

  it.each<readonly [string, unknown]>([
    ['betas', ['']],
    ['managedSettings', {}],
    ['outputFormat', ''],
    ['permissionPrompts', 'host'],
    ['plugins', []],
    ['sandbox', { enabled: false }],
    ['sandbox', {}],
    ['taskBudget', 0],
    ['toolAliases', {}],
    ['toolConfig', { askUserQuestion: {} }],
    ['thinking', { type: 'adaptive', display: null }],
    ['thinking', { type: 'disabled', display: 'omitted' }],
    ['systemPrompt', { type: 'preset', preset: 'claude_code', snapshot: false }],
    ...optionsWithoutEffect.map((name) => [name, 'initialize'] as const),
  ])('%s may be %j', (name, value) => {
    expect(() => start('Hello', { [name]: value })).not.toThrow();
  });

  it.each(['managedSettings', 'toolAliases'])('%s is refused as a Map with something in it', (name) => {
    expect(() => start('Hello', { [name]: new Map() })).not.toThrow();
    expect(() => start('Hello', { [name]: new Map([['permissions', { deny: ['Bash'] }]]) })).toThrow(SdkError);
  });

  it('is refused where an empty value asks for something: no skill at all', () => {
    expect(() => start('Hello', { skills: [] })).toThrow(SdkError);
  });

  it.each<[string, Options]>([
    ['thinking.display', { thinking: { type: 'adaptive', display: 'omitted' } }],
    ['systemPrompt.snapshot', { systemPrompt: { type: 'preset', preset: 'claude_code', snapshot: true } }],
  ])('%s is refused inside an option that works', (name, options) => {
    expect(() => start('Hello', options)).toThrow(SdkError);
    expect(() => start('Hello', options)).toThrow(name);
  });

  it('and that nobody knows is ignored, as it always was', () => {
    expect(() => start('Hello', JSON.parse('{ "fromTheFuture": true }'))).not.toThrow();
  });

  it.each([
    ['permissions', { deny: ['Bash'] }, 'disallowedTools'],
    ['approver', () => null, 'canUseTool'],
    ['onQuestion', () => null, 'canUseTool'],
    ['onPlan', () => null, 'canUseTool'],
    ['ownTools', [{}], 'createSdkMcpServer'],
  ])('that is one of the native face is refused, since nothing would come of it: %s', (name, value, instead) => {
    const options = { [name]: value };
    expect(() => start('Hello', options)).toThrow(`\`${name}\` is an option of openSession() and ask(). query() takes`);
    expect(() => start('Hello', options)).toThrow(instead);
    expect(() => start('Hello', { [name]: undefined })).not.toThrow();
  });
});

describe('An option that can never work', () => {
  it('is refused: dialogs that nobody shows', () => {
    expect(() => start('Hello', { supportedDialogKinds: ['survey'] })).toThrow(/onUserDialog/);
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
