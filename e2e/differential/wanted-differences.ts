export interface WantedDifference {
  readonly why: string;
  /** As `show()` names them. */
  readonly values: readonly string[];
}

const readAlike = 'Without the empty items and the spaces, which the CLI ignores as well.';
const notGiven = 'It requests nothing, so nothing is sent to the agent.';
const refusedByTheCli = 'The CLI exits with code 1 on it; here it is an error that names the option, before a start.';
const failsClosed = 'In the official package it counts as all. Such a value was meant to allow fewer.';
const switchedOn: WantedDifference = {
  why: 'In the official package the value itself is sent. Here it counts as true, as for the switches that are flags.',
  values: ['"text"', '-1', '[]', '[""]', '{}'],
};
const noLimit = 'It is no limit, so none is passed on.';

/**
 * Where a value of an option reaches the agent otherwise than in the official package, and why. Not listed, since they are rules:
 * a value of another type is a `TypeError` that names the option, and what is empty is left out. What is listed and does not happen fails.
 */
export const wantedDifferences: Readonly<Record<string, readonly WantedDifference[]>> = {
  additionalDirectories: [{ why: readAlike, values: ['["/tmp",""]'] }],
  agentProgressSummaries: [switchedOn],
  allowDangerouslySkipPermissions: [
    { why: 'In the official package every text switches it on, also the text false.', values: ['"false"'] },
  ],
  allowedTools: [
    { why: readAlike, values: ['[" Read "]', '["Read",""]'] },
    { why: 'The same two rules, split as the CLI would.', values: ['["Bash(git *) Write"]'] },
    { why: 'The command line would split it, so it is passed in the settings.', values: ['["Bash(echo (x), y)"]'] },
    { why: 'It is not a valid rule.', values: ['["("]', '["Bash(git log","Read"]'] },
  ],
  betas: [
    { why: readAlike, values: ['["a",""]'] },
    { why: 'The CLI takes them for one unknown name, so that neither has an effect.', values: ['["a","b"]'] },
  ],
  disallowedTools: [
    { why: readAlike, values: ['[" Read "]', '["Read",""]'] },
    { why: 'The same two rules, split as the CLI would.', values: ['["Bash(git *) Write"]'] },
    { why: 'The command line would split it, so it is passed in the settings.', values: ['["Bash(echo (x), y)"]'] },
  ],
  env: [{ why: 'In the official package the variable becomes the text null.', values: ['{"A":null}'] }],
  extraArgs: [
    { why: 'In the official package the value becomes the text undefined.', values: ['{"debug":"undefined"}'] },
    {
      why: 'In the official package the value becomes the text true, which no flag of the CLI takes.',
      values: ['{"debug":true}'],
    },
    { why: 'The flag is set anyway, so it is not passed twice.', values: ['{"output-format":"stream-json"}'] },
    { why: 'The messages of the agent could not be parsed any more.', values: ['{"output-format":"text"}'] },
    { why: refusedByTheCli, values: ['{"--x":"y"}', '{"--max-turns=2":null}'] },
    { why: 'A flag that has its value takes no second one.', values: ['{"max-turns=2":"3"}'] },
  ],
  forwardSubagentText: [switchedOn],
  hooks: [
    {
      why: notGiven,
      values: ['-1', 'true', '{"PreToolUse":"undefined"}', '{"PreToolUse":null}', '{"PreToolUse":[]}'],
    },
    { why: 'A matcher without a hook has nothing to call.', values: ['{"PreToolUse":[{"hooks":[]}]}'] },
    { why: notGiven, values: ['{"PreToolUse":[{"matcher":null,"hooks":["a function"],"timeout":null}]}'] },
    { why: 'A timeout must be positive.', values: ['{"PreToolUse":[{"hooks":["a function"],"timeout":-1}]}'] },
  ],
  managedSettings: [
    {
      why: 'The CLI ignores them without an error: calls that they were to forbid would run.',
      values: ['"{\\"a\\":1}"', 'a Map'],
    },
  ],
  maxBudgetUsd: [
    { why: refusedByTheCli, values: ['""', '0', '"NaN"', 'false'] },
    { why: noLimit, values: ['"Infinity"'] },
  ],
  maxThinkingTokens: [
    { why: refusedByTheCli, values: ['"NaN"', 'false'] },
    { why: 'In the official package an empty text switches thinking off.', values: ['""'] },
    { why: 'A number of tokens must be whole.', values: ['1.5'] },
  ],
  maxTurns: [
    { why: noLimit, values: ['"Infinity"'] },
    { why: 'A number of turns must be whole.', values: ['1.5'] },
  ],
  mcpServers: [
    { why: 'Without an instance its requests cannot be answered.', values: ['{"a":{"type":"sdk","name":"a"}}'] },
  ],
  outputFormat: [
    {
      why: 'In the official package it is ignored, or ends the CLI: the requested output would be missing.',
      values: [
        '{"type":"json_schema","schema":"x"}',
        '{"type":"json_schema","schema":null}',
        '{"type":"json_schema"}',
        '{"type":"other"}',
      ],
    },
  ],
  permissionMode: [{ why: refusedByTheCli, values: ['"delegate"'] }],
  permissionPrompts: [{ why: refusedByTheCli, values: ['"nobody"'] }],
  perTaskStopAffordance: [switchedOn],
  plugins: [
    { why: 'The CLI would search its working folder for plugins.', values: ['[{"type":"local","path":""}]'] },
    { why: 'In the official package the path becomes the text undefined.', values: ['[{"type":"local"}]'] },
  ],
  promptSuggestions: [switchedOn],
  resumeDropsTurn: [{ why: refusedByTheCli, values: ['"11111111-2222-4333-8444-555555555555"'] }],
  resumeSessionAt: [{ why: refusedByTheCli, values: ['"11111111-2222-4333-8444-555555555555"'] }],
  sandbox: [
    { why: refusedByTheCli, values: ['{"enabled":"yes"}'] },
    {
      why: 'The CLI drops all settings over it, rules among them, without an error.',
      values: ['{"enabled":true,"failIfUnavailable":null}'],
    },
  ],
  settings: [{ why: refusedByTheCli, values: ['"{broken"'] }],
  settingSources: [
    { why: readAlike, values: ['[" user"]', '["user",""]'] },
    { why: refusedByTheCli, values: ['["user","nope"]'] },
  ],
  systemPrompt: [
    {
      why: 'In the official package it counts as the prompt of Claude Code, which is not what leaving the option out means.',
      values: ['0', '"NaN"', 'false', '{"type":"other"}'],
    },
    { why: 'The CLI ignores it.', values: ['{"type":"custom","prompt":"p","snapshot":"yes"}'] },
  ],
  taskBudget: [
    { why: refusedByTheCli, values: ['{"total":0}', '{"total":-1}', '{"total":1.5}', '{"total":"NaN"}', '100'] },
    { why: 'It is a text, not a number.', values: ['{"total":"5"}'] },
  ],
  thinking: [
    { why: refusedByTheCli, values: ['{"type":"adaptive","display":"other"}'] },
    { why: refusedByTheCli, values: ['{"type":"enabled","budgetTokens":"NaN"}'] },
    { why: 'In the official package it is ignored.', values: ['{"type":"other"}'] },
  ],
  toolAliases: [{ why: 'The CLI ignores it, and the built-in tool runs.', values: ['{"a":1}', 'a Map'] }],
  toolConfig: [{ why: 'The CLI ignores it.', values: ['{"askUserQuestion":{"previewFormat":"other"}}'] }],
  tools: [
    { why: 'Without the empty items, which the CLI ignores as well.', values: ['["Read",""]'] },
    { why: failsClosed, values: ['""', '0', '"NaN"', 'false', '{"type":"other"}', '"Read"'] },
  ],
};
