import { describe, expect, it } from 'vitest';
import { SdkError } from '@hexagent/ports';
import { toLaunch } from '@hexagent/cli-launch';

const id = '4ad1ce90-610e-477d-b2cc-93cd646700ba';

/** The error for options of an untyped program. */
function refusalOf(options: object): unknown {
  try {
    toLaunch({ env: {}, ...options });
  } catch (error) {
    return error;
  }
  throw new Error('It was accepted.');
}

describe('A text in the wrong place', () => {
  it.each([
    { sessionId: 'sk-secret' },
    { allowedTools: ['sk secret'] },
    { disallowedTools: ['Bash(curl sk-secret'] },
    { disallowedTools: ['Bash(rm (sk-secret) b)'], settings: '/x.json' },
  ])('is refused with its place and without the text: %o', (options) => {
    expect(String(refusalOf(options))).not.toContain('secret');
  });
});

describe('A value that the agent would refuse or misread', () => {
  const rows: readonly [object, RegExp][] = [
    [{ sessionId: 'abc' }, /sessionId: this text is no uuid.*crypto/],
    [{ sessionId: Symbol('id') as never }, /sessionId: a symbol.*uuid/],
    [{ sessionId: 5 as never }, /sessionId: 5.*uuid/],
    [{ permissionMode: 'ask' }, /permissionMode: "ask".*acceptEdits/],
    [{ maxTurns: 1.5 }, /maxTurns: 1\.5.*whole/],
    [{ maxTurns: Number.NaN }, /maxTurns: NaN/],
    [{ maxBudgetUsd: 0 }, /maxBudgetUsd: 0/],
    [{ maxBudgetUsd: Number.POSITIVE_INFINITY }, /maxBudgetUsd: Infinity/],
    [{ thinking: { type: 'hard' } }, /thinking: .*adaptive/],
    [{ settingSources: ['global'] }, /settingSources: "global".*user, project, local/],
    [{ model: 7 }, /model: 7.*string/],
    [{ tools: ['Read,Edit'] }, /tools: "Read,Edit".*item of its own/],
    [{ tools: [''] }, /tools: ""/],
    [{ additionalDirectories: [''] }, /additionalDirectories: ""/],
    [{ allowedTools: [''] }, /: `allowedTools\[0\]` is a text that is no rule; /],
    [{ allowedTools: ['Read,Write'] }, /allowedTools\[0\].*item of its own/],
    [{ disallowedTools: ['Read Write'] }, /: `disallowedTools\[0\]` is a text that is no rule; /],
    [{ disallowedTools: ['Bash(rm *),Write(x)'] }, /disallowedTools\[0\].*item of its own/],
    [{ allowedTools: ['Bash(git *) Read(x)'] }, /: `allowedTools\[0\]` is a text that is no rule; /],
    [{ systemPrompt: { type: 'custom' } }, /systemPrompt/],
    [{ settings: '{"broken' }, /settings: .*JSON/],
    [{ settings: { n: 1n } }, /settings: .*JSON/],
    [{ mcpServers: { mine: { type: 'sdk', name: 'mine' } } }, /mcpServers: "mine".*this process/],
    [{ mcpServers: { a: { command: 'a', env: new Map() } } }, /mcpServers: `mcpServers\.a\.env` is a Map/],
    [{ extraArgs: { '--verbose': null } }, /extraArgs: "--verbose".*dashes/],
    [{ extraArgs: { 'a=b': null } }, /extraArgs: "a=b"/],
    [{ extraArgs: { 'output-format': 'text' } }, /extraArgs\.output-format: "text"/],
    [{ extraArgs: { 'input-format': null } }, /extraArgs\.input-format: null/],
    [{ extraArgs: { settings: null } }, /extraArgs\.settings: null/],
    [{ extraArgs: { settings: '{"broken' } }, /extraArgs\.settings: .*JSON/],
    [{ extraArgs: { n: 5 } }, /extraArgs\.n: 5/],
    [{ model: 'a\0b' }, /model: a NUL/],
  ];
  it.each(rows)('is a TypeError with the option: %o', (options, words) => {
    const error = refusalOf(options);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(words);
  });
});

describe('Options that exclude each other', () => {
  const rows: readonly [object, RegExp][] = [
    [{ resume: id, sessionId: id }, /sessionId.*resume.*forkSession/],
    [{ continue: true, sessionId: id }, /sessionId.*continue/],
    [{ resumeSessionAt: id }, /resumeSessionAt needs resume/],
    [{ continue: true, resumeSessionAt: id }, /resumeSessionAt needs resume/],
    [{ resume: id, resumeDropsTurn: id }, /resumeDropsTurn needs resumeSessionAt/],
    [{ model: 'm', fallbackModel: 'm' }, /fallbackModel/],
    [{ asksPermission: true, permissionPromptToolName: 'mcp__a__b' }, /permissionPromptToolName.*callback/],
    [
      { managedSettings: {}, extraArgs: { 'managed-settings': '{}' } },
      /managedSettings and extraArgs\.managed-settings/,
    ],
    [{ settings: '/x.json', sandbox: { enabled: true } }, /sandbox: settings is the path of a file/],
    [{ settings: '/x.json', extraArgs: { settings: '{}' } }, /settings and extraArgs\.settings/],
    [{ asksPermission: true, extraArgs: { 'permission-prompt-tool': 'x' } }, /permission-prompt-tool/],
    [{ asksPermission: true, extraArgs: { 'permission-prompts': 'none' } }, /permission-prompts none/],
  ];
  it.each(rows)('are a TypeError with what to do: %o', (options, words) => {
    const error = refusalOf(options);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(words);
  });
});

describe('#22 A value that is too long for an argument', () => {
  it('is refused with its option, before the operating system reports E2BIG', () => {
    const error = refusalOf({ model: 'x'.repeat(100_001) });
    expect(SdkError.is(error) && error.code).toBe('ARGUMENT_TOO_LONG');
    expect(String(error)).toMatch(/model: 100009 bytes/);
  });

  it('is refused where the CLI takes it from its command line alone', () => {
    const long = 'x'.repeat(100_001);
    for (const options of [
      { managedSettings: { model: long }, managedSettingsDelivery: 'argv' as const },
      { mcpServers: { a: { command: long } }, mcpServersDelivery: 'argv' as const },
    ])
      expect(String(refusalOf(options))).toMatch(new RegExp(`${Object.keys(options)[0]}: 1\\d{5} bytes`));
  });

  it('is counted in bytes', () => {
    const accepted = toLaunch({ env: {}, agent: 'é'.repeat(49_000) });
    expect(accepted.args).toContain(`--agent=${'é'.repeat(49_000)}`);
    expect(SdkError.is(refusalOf({ agent: 'é'.repeat(51_000) }))).toBe(true);
  });

  it('never happens to a prompt, to agents, to servers and to settings', () => {
    const long = 'x'.repeat(1_000_000);
    const { args } = toLaunch({
      env: {},
      systemPrompt: long,
      agents: { a: { description: long, prompt: long } },
      mcpServers: { a: { command: long } },
      settings: { env: { A: long } },
      title: long,
    });
    expect(args.filter((argument) => typeof argument === 'string').join(' ').length).toBeLessThan(200);
  });
});
