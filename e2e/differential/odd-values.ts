const uuid = '11111111-2222-4333-8444-555555555555';
const callback = async () => ({});

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
  ],
  betas: [['context-1m-2025-08-07']],
  canUseTool: [callback],
  continue: ['yes'],
  cwd: ['.', '/tmp', '/no/such/folder'],
  debug: [],
  debugFile: [],
  disallowedTools: [
    ['Read', 'Bash(rm *)'],
    ['Read', ''],
    [' Read '],
    ['Bash(a, b)'],
    ['Read,Write'],
    ['Bash(rm *),Write(x)'],
    ['Bash(git *) Write'],
    ['Bash(echo (x), y)'],
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
  ],
  includeHookEvents: [],
  includePartialMessages: ['yes'],
  loadTimeoutMs: [1000],
  managedSettings: [{ a: 1 }],
  maxBudgetUsd: [0.5, Infinity],
  maxThinkingTokens: [1000, 1.5],
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
  outputFormat: [{ type: 'json_schema', schema: { type: 'object' } }, { type: 'text' }],
  permissionMode: ['default', 'plan', 'bypassPermissions', 'delegate'],
  permissionPrompts: ['host', 'none'],
  permissionPromptToolName: ['stdio'],
  persistSession: ['false'],
  perTaskStopAffordance: [],
  planModeInstructions: [],
  pluginDelivery: ['argv', 'initialize'],
  plugins: [[{ type: 'local', path: '/x' }]],
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
  ],
  sessionId: [uuid, uuid.toUpperCase()],
  sessionStore: [],
  sessionStoreFlush: ['batched', 'eager'],
  settings: ['{}', '{"a":1}', { a: 1 }, '/x.json', '{broken'],
  settingSources: [['user'], [' user'], ['user', ''], ['user,project'], ['user', 'nope'], 'user'],
  skills: ['all', ['x']],
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
    { type: 'other' },
  ],
  taskBudget: [{ total: 100 }],
  thinking: [
    { type: 'adaptive' },
    { type: 'disabled' },
    { type: 'enabled' },
    { type: 'enabled', budgetTokens: 0 },
    { type: 'enabled', budgetTokens: 5 },
    { type: 'enabled', budgetTokens: NaN },
    { type: 'adaptive', display: 'omitted' },
    { type: 'adaptive', display: null },
    { type: 'disabled', display: 'omitted' },
    { type: 'other' },
  ],
  title: ['A title'],
  toolAliases: [{ a: 'b' }],
  toolConfig: [{ askUserQuestion: {} }, { askUserQuestion: { previewFormat: 'html' } }],
  tools: [
    { type: 'preset', preset: 'claude_code' },
    { type: 'other' },
    ['Read', ''],
    [' Read '],
    ['Read,Bash'],
    'Read',
  ],
  verbatimPrompts: [],
} satisfies Readonly<Record<string, readonly unknown[]>>;

/** A value as it is named in lists and titles. */
export function show(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value instanceof AbortController) return 'an AbortController';
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
