const uuid = '11111111-2222-4333-8444-555555555555';
const callback = async () => ({});

/** Without its matcher a hook would cover every tool. */
class InheritedMatcher {
  readonly hooks = [callback];
  get matcher(): string {
    return 'Bash';
  }
}

/** What programs without types pass, tried with every option. */
export const oddValues: readonly unknown[] = [undefined, null, '', 'text', 0, -1, NaN, true, false, [], [''], {}];

/** Beside the odd values: what each option may be, and what looks like it. */
export const values = {
  abortController: [new AbortController()],
  additionalDirectories: [['/tmp'], ['/tmp', '']],
  agent: ['reviewer'],
  agentProgressSummaries: [],
  agents: [{ a: { description: 'd', prompt: 'p' } }],
  allowDangerouslySkipPermissions: ['false'],
  allowedTools: [
    ['Read', 'Bash(git *)'],
    ['Read', ''],
    [' Read '],
    ['Bash(a, b)'],
    ['Read,Write'],
    ['Bash(git *) Write'],
    ['Bash(echo (x), y)'],
    ['('],
    // The parts of a text that was split at its commas.
    ['Bash(git log:*', 'git diff:*)', 'Read'],
    ['Bash(git log', 'Read'],
  ],
  betas: [['context-1m-2025-08-07'], ['a', 'b'], ['a', '']],
  canUseTool: [callback],
  continue: ['yes'],
  cwd: ['.', '/tmp', '/no/such/folder'],
  debug: [],
  debugFile: ['/x.log'],
  disallowedTools: [
    ['Read', 'Bash(rm *)'],
    ['Read', ''],
    [' Read '],
    ['Bash(a, b)'],
    ['Read,Write'],
    ['Bash(rm *),Write(x)'],
    ['Bash(git *) Write'],
    ['Bash(echo (x), y)'],
    ['Bash(git log:*', 'git diff:*)', 'Read'],
  ],
  effort: ['low', 'LOW'],
  enableFileCheckpointing: [],
  env: [{ A: '1' }, { A: undefined }, { A: null }, { A: 1 }],
  executable: ['node'],
  executableArgs: [['--smol']],
  extraArgs: [
    { debug: undefined },
    { debug: null },
    { debug: '' },
    { debug: true },
    { x: '-y' },
    { 'output-format': 'stream-json' },
    { 'output-format': 'text' },
    { settings: '{"a":1}' },
    { settings: '/x.json' },
    { '--x': 'y' },
    { 'max-turns=2': null },
    { 'max-turns=2': '3' },
    { '--max-turns=2': null },
  ],
  fallbackModel: ['haiku', 'haiku,sonnet'],
  forkSession: ['yes'],
  forwardSubagentText: [],
  hooks: [
    { PreToolUse: undefined },
    { PreToolUse: null },
    { PreToolUse: [] },
    { PreToolUse: [{ hooks: [] }] },
    { PreToolUse: [{ hooks: [callback] }], Stop: undefined },
    { PreToolUse: [{ matcher: 'Bash', hooks: [callback, callback], timeout: 5, onFailure: 'continue' }] },
    { PreToolUse: [{ matcher: null, hooks: [callback], timeout: null }] },
    { NoSuchEvent: [{ hooks: [callback] }] },
    { PreToolUse: [{ hooks: callback }] },
    { PreToolUse: { hooks: [callback] } },
    { PreToolUse: [{ hooks: [callback], timeout: -1 }] },
    { PreToolUse: [null] },
    { PreToolUse: [new InheritedMatcher()] },
  ],
  includeHookEvents: [],
  includePartialMessages: ['yes'],
  loadTimeoutMs: [1000],
  managedSettings: [{ a: 1 }, { a: undefined }, '{"a":1}', new Map([['a', 1]])],
  maxBudgetUsd: [0.5, Infinity],
  maxThinkingTokens: [1000, 1.5, -5],
  maxTurns: [3, 1.5, Infinity],
  mcpServers: [
    { a: { command: 'x' } },
    {
      a: {
        type: 'http',
        url: 'http://127.0.0.1:1',
        timeout: 5,
        tools: [{ name: 'x', permission_policy: 'always_deny' }],
      },
    },
    { a: { type: 'sdk', name: 'a' } },
    { a: null },
  ],
  mcpServersDelivery: ['argv', 'initialize'],
  model: ['opus'],
  onElicitation: [callback],
  onUserDialog: [callback],
  outputFormat: [
    { type: 'json_schema', schema: { type: 'object' } },
    { type: 'json_schema', schema: {} },
    { type: 'json_schema', schema: 'x' },
    { type: 'json_schema', schema: null },
    { type: 'json_schema' },
    { type: 'text' },
    { type: 'other' },
  ],
  permissionMode: ['default', 'plan', 'bypassPermissions', 'delegate'],
  permissionPrompts: ['host', 'none', 'nobody'],
  permissionPromptToolName: ['stdio', 'mcp__a__b'],
  persistSession: ['false'],
  perTaskStopAffordance: [],
  planModeInstructions: ['Plan in three steps.'],
  pluginDelivery: ['argv', 'initialize'],
  plugins: [
    [{ type: 'local', path: '/x' }],
    [
      { type: 'local', path: '/x' },
      { type: 'local', path: './y', skipMcpDiscovery: true },
    ],
    [{ type: 'local', path: '/x', skipMcpDiscovery: 'yes' }],
    [{ type: 'local', path: '' }],
    [{ type: 'local' }],
    [{ type: 'npm', path: '/x' }],
    [null],
    ['/x'],
  ],
  projectConfigRoot: ['/x'],
  promptSuggestions: [],
  resume: [uuid],
  resumeDropsTurn: [uuid],
  resumeSessionAt: [uuid],
  sandbox: [
    { enabled: false },
    { enabled: undefined },
    { enabled: false, network: {} },
    { enabled: true },
    { network: {} },
    { enabled: true, failIfUnavailable: false },
    { enabled: true, failIfUnavailable: undefined },
    { enabled: 'yes' },
    { enabled: true, failIfUnavailable: null },
  ],
  sessionId: [uuid, uuid.toUpperCase()],
  sessionStore: [],
  sessionStoreFlush: ['batched', 'eager'],
  settings: ['{}', '{"a":1}', { a: 1 }, '/x.json', '{broken'],
  settingSources: [['user'], [' user'], ['user', ''], ['user,project'], ['user', 'nope'], 'user'],
  skills: ['all', ['x'], ['a b', 'p:s'], ['all'], ['*'], ['\ud800'], ['a,b'], ['a(b)'], [' a '], [5]],
  spawnClaudeCodeProcess: [],
  stderr: [callback],
  strictMcpConfig: ['yes'],
  supportedDialogKinds: [['survey']],
  systemPrompt: [
    ['a', 'b'],
    { type: 'preset', preset: 'claude_code' },
    { type: 'preset', preset: 'claude_code', append: 'x', excludeDynamicSections: true },
    { type: 'custom', prompt: 'p' },
    { type: 'custom', prompt: 'p', snapshot: false },
    { type: 'custom', prompt: 'p', snapshot: true },
    { type: 'custom', prompt: 'p', snapshot: 'yes' },
    { type: 'preset', preset: 'claude_code', snapshot: false },
    { type: 'other' },
  ],
  taskBudget: [{ total: 100 }, { total: 0 }, { total: -1 }, { total: 1.5 }, { total: NaN }, { total: '5' }, 100],
  thinking: [
    { type: 'adaptive' },
    { type: 'disabled' },
    { type: 'enabled' },
    { type: 'enabled', budgetTokens: 0 },
    { type: 'enabled', budgetTokens: 5 },
    { type: 'enabled', budgetTokens: -5 },
    { type: 'enabled', budgetTokens: NaN },
    { type: 'adaptive', display: 'omitted' },
    { type: 'adaptive', display: 'summarized' },
    { type: 'enabled', budgetTokens: 5, display: 'omitted' },
    { type: 'adaptive', display: '' },
    { type: 'adaptive', display: 'other' },
    { type: 'adaptive', display: null },
    { type: 'disabled', display: 'omitted' },
    { type: 'other' },
  ],
  title: ['A title'],
  toolAliases: [{ a: 'b' }, { a: '' }, { a: 1 }, new Map([['a', 'b']])],
  toolConfig: [
    { askUserQuestion: {} },
    { askUserQuestion: null },
    { askUserQuestion: { previewFormat: 'html' } },
    { askUserQuestion: { previewFormat: 'markdown' } },
    { askUserQuestion: { previewFormat: '' } },
    { askUserQuestion: { previewFormat: 'other' } },
  ],
  tools: [
    { type: 'preset', preset: 'claude_code' },
    { type: 'other' },
    ['Read', ''],
    [' Read '],
    ['Read,Bash'],
    ['Read Bash'],
    [{ name: 'Read' }, 'Bash'],
    [5],
    'Read',
  ],
  verbatimPrompts: [],
} satisfies Readonly<Record<string, readonly unknown[]>>;

/** A value as it is named in lists and titles. */
export function show(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value instanceof AbortController) return 'an AbortController';
  if (value instanceof Map) return 'a Map';
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      inner === undefined
        ? 'undefined'
        : typeof inner === 'number' && !Number.isFinite(inner)
          ? String(inner)
          : typeof inner === 'function'
            ? 'a function'
            : inner,
    ) ?? 'undefined'
  );
}
