import { z } from 'zod';
import type { Parts, SessionOptions } from '@hexagent/sdk';
import { odd, type Odd, type Wrong } from './wrong-values.ts';

interface Row {
  /** The odd values that this option takes. */
  readonly takes?: readonly Odd[];
  /** Wrong values that only this option meets. */
  readonly wrong?: readonly unknown[];
}

const flag: Row = { takes: ['true'], wrong: ['true', 'false', 0, 1] };
const names: Row = { takes: ['emptyList'], wrong: ['Read', [''], ['a', 5], [['Read']], { 0: 'Read', length: 1 }] };
const rules: readonly unknown[] = [
  'Read',
  [''],
  ['Bash('],
  [5],
  [['Read']],
  { 0: 'Read' },
  new Set(['Read']),
  null,
  false,
];
const servers = (...configs: readonly unknown[]): readonly unknown[] => configs.map((config) => [{ web: config }]);
const aSubagent = { description: 'Reviews', prompt: 'Review.' };

/** Every option of a session. A new one does not compile without its row. */
const rows: Readonly<Record<keyof SessionOptions, Row>> = {
  cwd: { wrong: [new URL('file:///tmp'), ['/tmp']] },
  model: { wrong: [{ id: 'claude' }, ['opus']] },
  fallbackModel: { wrong: [['haiku']] },
  systemPrompt: {
    takes: ['emptyText', 'textWithNul', 'emptyList'],
    wrong: [
      { type: 'custom', prompt: 'x' },
      { type: 'preset' },
      { type: 'preset', preset: 'other' },
      { append: 'x' },
      [5],
    ],
  },
  permissions: {
    takes: ['emptyObject'],
    wrong: [
      ['Read'],
      { denied: ['Bash'] },
      { disallowedTools: ['Bash'] },
      { DENY: ['Bash'] },
      ...rules.flatMap((list) => [{ deny: list }, { allow: list }]),
      { mode: 'Plan' },
      { mode: ['plan'] },
      { allowBypass: 'true' },
      { cliMode: 'bypassPermissions' },
      { cliMode: 'bypassPermissions', allowBypass: 1 },
      { allowOwnTools: true },
      { allowOwnTools: 'yes' },
    ],
  },
  output: {
    takes: ['emptyObject'],
    wrong: [
      { properties: { a: { type: 'text' } } },
      { properties: { a: { nullable: true } } },
      { type: 'array', items: { $ref: '#/$defs/none' } },
      { city: z.string() },
      { '~standard': {} },
    ],
  },
  hooks: {
    takes: ['emptyObject'],
    wrong: [
      { PreTool: [] },
      { preToolUse: [] },
      { PreToolUse: () => ({}) },
      { PreToolUse: [() => ({})] },
      { PreToolUse: [{ hook: () => ({}) }] },
      { PreToolUse: [{ hooks: () => ({}) }] },
      { PreToolUse: [{ hooks: ['log'] }] },
      { PreToolUse: [{ hooks: [], matcher: /Bash/ }] },
      { PreToolUse: [{ hooks: [], timeout: 0 }] },
      { PreToolUse: [{ hooks: [], timeout: '5' }] },
      { PreToolUse: [{ hooks: [], onFailure: 'Block' }] },
      { PreToolUse: [{ hooks: [], onfailure: 'block' }] },
      { PreToolUse: null },
    ],
  },
  tools: {
    ...names,
    takes: [],
    wrong: [
      ...(names.wrong ?? []),
      [],
      ['Read,Edit'],
      ['Read Edit'],
      ['mcp__web'],
      ['Read', 'Read'],
      ['none', 'Read'],
      'all',
      { type: 'preset', preset: 'claude_code' },
      { web: { command: 'node' } },
      [{ command: 'node' }],
      [{ '': { command: 'node' } }],
      [{ web: { command: 'node' } }, { web: { command: 'node' } }],
      [{ name: 'add', handler: () => ({}) }],
      [{ add: () => ({}) }],
      ...servers(
        {},
        null,
        'node server.js',
        { command: '' },
        { command: ['node'] },
        { command: 'node', args: '--flag' },
        { command: 'node', env: { PORT: 8080 } },
        { command: 'node', env: new Map() },
        { command: 'node', cwd: '/tmp' },
        { type: 'http' },
        { type: 'http', url: 'somewhere' },
        { type: 'http', url: new URL('http://127.0.0.1') },
        { type: 'http', url: 'http://127.0.0.1', headers: ['a: b'] },
        { type: 'http', url: 'http://127.0.0.1', tools: [{ name: 'a', permission_policy: 'deny' }] },
        { type: 'ws', url: 'ws://127.0.0.1' },
        { url: 'http://127.0.0.1' },
        { type: 'sdk', name: 'a' },
        { type: 'sdk', name: 'a', instance: {} },
        { open: true },
      ),
    ],
  },
  skills: {
    takes: ['emptyList'],
    wrong: [
      [{ name: 'a', content: 'c' }],
      [{ name: 'A b', description: 'd', content: 'c' }],
      [{ name: '../a', description: 'd', content: 'c' }],
      [{ name: 'a', description: 'd', content: '' }],
      [{ name: 'a', description: 'd', content: 'c', prompt: 'p' }],
    ],
  },
  commands: { takes: ['emptyList'], wrong: [[{ name: 'a' }], [{ name: '/a', content: 'c' }], { a: 'c' }] },
  plugins: {
    takes: ['emptyList'],
    wrong: [
      ['release'],
      [{ skills: [] }],
      [{ name: 'hexagent' }],
      [{ name: 'Release' }],
      [{ name: 'release', skills: [{ name: 'a' }] }],
      [{ name: 'release' }, { name: 'release' }],
      [{ name: 'release', agents: { a: {} } }],
    ],
  },
  agents: {
    takes: ['emptyObject'],
    wrong: [
      [aSubagent],
      ...[
        {},
        { description: 'd' },
        { prompt: 'p' },
        { ...aSubagent, tools: 'Read' },
        { ...aSubagent, tools: new Set(['Read']) },
        { ...aSubagent, disallowedTool: ['Bash'] },
        { ...aSubagent, disallowedTools: 'Bash' },
        { ...aSubagent, permissionMode: 'Plan' },
        { ...aSubagent, maxTurns: -1 },
        { ...aSubagent, effort: 'most' },
        { ...aSubagent, mcpServers: [{ web: { type: 'sdk', name: 'web' } }] },
        null,
        'Review.',
      ].map((definition) => ({ reviewer: definition })),
    ],
  },
  env: {
    takes: ['emptyObject'],
    wrong: [
      { policy: 'Exact' },
      { policy: 'none' },
      { policy: null },
      { ANTHROPIC_API_KEY: 'sk-secret' },
      { set: ['PATH'] },
      { set: new Map([['PATH', '/bin']]) },
      { set: { PORT: 8080 } },
      { set: { '': 'x' } },
      { set: { 'A=B': 'x' } },
      { set: { A: 'a\0b' } },
      'inherit',
    ],
  },
  settings: { takes: ['emptyList'], wrong: ['None', 'all', 'local', ['global'], ['user', 5], { source: 'user' }] },
  thinking: {
    wrong: [
      'enabled',
      { type: 'hard' },
      { type: 'enabled', budgetTokens: -5 },
      { type: 'enabled', budgetTokens: '4096' },
      { type: 'disabled', budgetTokens: 4096 },
      { type: 'enabled', budget: 4096 },
    ],
  },
  effort: { wrong: ['High', 'most', 3] },
  budget: {
    wrong: [
      1,
      {},
      { usd: 0 },
      { usd: '2' },
      { tokens: 1.5 },
      { turns: 2 ** 60 },
      { usd: 1, nearAt: 0 },
      { usd: 1, onNear: 'x' },
    ],
  },
  stallAfterMs: { wrong: [0, '2', 999] },
  maxRetries: { wrong: ['3', 2 ** 60, [3]] },
  partialMessages: flag,
  toolOutput: flag,
  strict: flag,
  resume: { wrong: [5, { id: 'x' }] },
  fork: flag,
  continue: flag,
  interruptedTurn: { wrong: ['never', true] },
  sessionId: { wrong: ['abc', 5, '6f1c0d5e00004000800000000000000a'] },
  persist: flag,
  checkpoints: flag,
  additionalDirectories: names,
  extraArgs: {
    takes: ['emptyObject'],
    wrong: [
      ['--verbose'],
      '--verbose',
      { verbose: true },
      { n: 5 },
      { '--verbose': null },
      { 'output-format': 'text' },
    ],
  },
  onAsk: { takes: ['function'], wrong: ['deny', { elicit: () => null }, [() => null]] },
  dialogKinds: { ...names, takes: [], wrong: [...(names.wrong ?? []), [], ['a']] },
  leftovers: { wrong: ['End', 'keep', true, false, ['end']] },
  backgroundTasks: { wrong: ['Stop', 'keep', false] },
  signal: { wrong: [new AbortController(), { aborted: false }, { aborted: false, addEventListener: () => {} }] },
  initializeTimeoutMs: { takes: ['Infinity', 'half'], wrong: ['5', '60s', [5]] },
  softMarkBytes: { takes: ['half'], wrong: ['2MB', 2 ** 60, [5]] },
  hardMarkBytes: { takes: ['half'], wrong: ['64MB', [5]] },
  maxLineBytes: { takes: [], wrong: [0, '256MB', 2 ** 40] },
  executable: { wrong: [['claude'], new URL('file:///bin/claude'), { host: 'one' }] },
  onStderr: { takes: ['function'], wrong: ['inherit', console] },
  store: { wrong: [{ append: true, load: true }, { append: () => {} }, 'memory', Map] },
  transport: { wrong: [{ connect: true }, 'ssh', Map] },
};

/** Every part of an SDK. A new one does not compile without its row. */
const parts: Readonly<Record<keyof Parts, Row>> = {
  transport: { wrong: [{ connect: true }] },
  protocol: { wrong: [{ open: 'yes' }] },
  parser: { wrong: [{ parse: () => null }, JSON.parse] },
  launcher: { takes: ['function'], wrong: [{ launch: () => null }] },
  commands: { wrong: [{ read: 'all' }] },
  clock: { wrong: [{ now: () => 0 }, Date] },
  ids: { wrong: [{ uuid: () => 'x' }] },
  gate: { takes: ['function'], wrong: [{ decide: () => null }] },
  dispatcher: { takes: ['function'], wrong: [{ dispatch: () => null }] },
  features: { takes: ['function'], wrong: [[{ name: 'mine' }]] },
  conversations: { takes: ['function'], wrong: [{ open: () => null }] },
  observer: { takes: [], wrong: [{ observe: 'all' }] },
  onWarning: { takes: ['function'], wrong: [{ warn: () => null }, 'stderr'] },
};

export interface WrongOption extends Wrong {
  readonly option: string;
}

const listed = (table: Readonly<Record<string, Row>>): readonly WrongOption[] =>
  Object.entries(table).flatMap(([option, { takes = [], wrong = [] }]) => [
    ...Object.entries(odd)
      .filter(([name]) => !takes.some((taken) => taken === name))
      .map(([name, make]) => ({ option, name, make })),
    ...wrong.map((value, index) => ({ option, name: `its own ${index + 1}`, make: () => value })),
  ]);

/** Each must be refused by `openSession()` and `ask()` with a `TypeError` or an `SdkError` that names the option. */
export const wrongOptions: readonly WrongOption[] = listed(rows);

/** Each must be refused by `createSdk()` in the same way. */
export const wrongParts: readonly WrongOption[] = listed(parts);

/** In place of all options: each must be refused, and the message says that it is the options. */
export const wrongWholes: readonly Wrong[] = [
  ...Object.entries(odd)
    .filter(([name]) => name !== 'emptyObject')
    .map(([name, make]) => ({ name, make })),
  ...['hello', ['cwd', '/tmp'], { prompt: 'hello' }, { options: { cwd: '/tmp' } }].map((value, index) => ({
    name: `its own ${index + 1}`,
    make: () => value,
  })),
];

/** In place of a message: each must be refused by `ask()` and `send()` at once. */
export const wrongInputs: readonly Wrong[] = [
  ...Object.entries(odd)
    .filter(([name]) => name !== 'textWithNul')
    .map(([name, make]) => ({ name, make })),
  ...[
    [['hello']],
    { content: null },
    { content: '' },
    { content: [] },
    { content: [''] },
    { content: [{ text: 'hello' }] },
    { content: [{ type: 'text' }] },
    { content: [{ type: 'text', text: 5 }] },
    { content: [{ type: 'image' }] },
    { content: [{ type: 'tool_result', content: 'x' }] },
    { content: { type: 'text', text: 'hello' } },
    { content: 'hello', uuid: {} },
    { content: 'hello', uuid: '' },
    { content: 'hello', priority: 'soon' },
    { content: 'hello', fields: ['isSynthetic'] },
    { role: 'user', content: 'hello' },
    { type: 'user', message: { role: 'user', content: 'hello' } },
    { text: 'hello' },
    { prompt: 'hello' },
  ].map((value, index) => ({ name: `its own ${index + 1}`, make: () => value })),
];
