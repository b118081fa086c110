import { describe, expect, it } from 'vitest';
import type { Options } from '../src/official.ts';
import { start } from './start.ts';

const launchOf = (options: object): object => ({ ...start('Hello', options).seen.launch });

describe('An option with an empty value', () => {
  const names = [
    'additionalDirectories',
    'agent',
    'agents',
    'allowDangerouslySkipPermissions',
    'allowedTools',
    'betas',
    'continue',
    'disallowedTools',
    'effort',
    'extraArgs',
    'fallbackModel',
    'forkSession',
    'includePartialMessages',
    'maxTurns',
    'mcpServers',
    'model',
    'permissionMode',
    'resume',
    'sessionId',
    'settings',
    'strictMcpConfig',
    'supportedDialogKinds',
  ];
  it.each(names)('counts as not given: %s', (name) => {
    for (const value of [null, '', 0, NaN, false]) expect(launchOf({ [name]: value })).toEqual(launchOf({}));
  });

  it.each(['abortController', 'canUseTool', 'hooks', 'onElicitation', 'onUserDialog', 'stderr'])(
    'registers nothing: %s',
    (name) => {
      for (const value of [null, '', 0, NaN, false]) expect(launchOf({ [name]: value })).toEqual(launchOf({}));
    },
  );

  it.each(['agentProgressSummaries', 'forwardSubagentText', 'perTaskStopAffordance', 'promptSuggestions'])(
    'counts as not given, but for false, which is sent to the agent: %s',
    (name) => {
      for (const value of [null, '', 0, NaN]) expect(launchOf({ [name]: value })).toEqual(launchOf({}));
      expect(launchOf({ [name]: false })).toMatchObject({ [name]: false });
      for (const value of [true, 'yes', 1]) expect(launchOf({ [name]: value })).toMatchObject({ [name]: true });
    },
  );

  it('is still refused where all would be the default, and fewer were meant', () => {
    for (const value of [null, '', 0, false])
      expect(() => launchOf({ settingSources: value })).toThrow(/settingSources/);
    expect(launchOf({ tools: false })).toMatchObject({ tools: false }); // for the launcher to refuse
  });
});

describe('A path of the CLI that is empty', () => {
  it('counts as not given', () => {
    const options = { pathToClaudeCodeExecutable: '' };
    expect(start('Hello', options).seen.agent).toMatchObject({ executable: undefined });
  });
});

describe('A list', () => {
  it('loses its empty items', () => {
    const list = ['Read', '', undefined, null, 'Write'];
    expect(launchOf({ allowedTools: [...list, false], disallowedTools: list, tools: list })).toMatchObject({
      allowedTools: ['Read', 'Write'],
      disallowedTools: ['Read', 'Write'],
      tools: ['Read', 'Write'],
    });
    expect(launchOf({ additionalDirectories: ['', ' a folder '] })).toMatchObject({
      additionalDirectories: [' a folder '],
    });
  });

  it('of names may hold several in one item, with spaces around them', () => {
    expect(launchOf({ tools: ['Read,Write', 'Bash'], settingSources: [' user', 'project, local'] })).toMatchObject({
      tools: ['Read', 'Write', 'Bash'],
      settingSources: ['user', 'project', 'local'],
    });
  });
});

describe('An item that holds several rules', () => {
  const several = ['Read,Write', 'Bash(rm *), Edit', 'Bash(rm *),Write(x)', 'Bash(a) Read(b) Glob'];

  it.each(several)('denies each of them: %s', (item) => {
    const { disallowedTools } = launchOf({ disallowedTools: [item] }) as Options;
    expect(disallowedTools?.join(' ')).toBe(item.replaceAll(/[\s,]+/g, ' '));
    expect(disallowedTools?.length).toBeGreaterThan(1);
  });

  it.each(several)('allows each of them: %s', (item) => {
    const { allowedTools } = launchOf({ allowedTools: ['Glob', item] }) as Options;
    expect(allowedTools?.join(' ')).toBe(`Glob ${item.replaceAll(/[\s,]+/g, ' ')}`);
  });

  it('continues with the next one while its parenthesis is open, as a text that was split at its commas', () => {
    expect(launchOf({ allowedTools: ['Glob', 'Bash(a', ' b', 'c)', 'Read'] })).toMatchObject({
      allowedTools: ['Glob', 'Bash(a, b,c)', 'Read'],
    });
  });

  it.each(['Bash(a, b)', 'Bash(echo (x), y)', 'Bash(echo "a) , b")', 'mcp__a__b'])('is not one of them: %s', (rule) => {
    expect(launchOf({ allowedTools: [rule], disallowedTools: [rule] })).toMatchObject({
      allowedTools: [rule],
      disallowedTools: [rule],
    });
  });
});

describe('A limit', () => {
  it('that is infinite is left out', () => {
    const { maxTurns, maxBudgetUsd } = launchOf({ maxTurns: Infinity, maxBudgetUsd: Infinity }) as Options;
    expect([maxTurns, maxBudgetUsd]).toEqual([undefined, undefined]);
  });

  it('of money that the agent leaves on is handed to the launcher, which refuses it', () => {
    for (const value of ['', 0, NaN, false])
      expect(launchOf({ maxBudgetUsd: value })).toMatchObject({ maxBudgetUsd: value });
  });

  it('of thinking is refused by its own name', () => {
    for (const value of [1.5, NaN, '10']) {
      expect(() => launchOf({ maxThinkingTokens: value })).toThrow(/`maxThinkingTokens`/);
    }
  });
});

describe('The working directory', () => {
  it('is fixed when the query is made', () => {
    expect(launchOf({})).toMatchObject({ cwd: process.cwd() });
    expect(launchOf({ cwd: '' })).toMatchObject({ cwd: process.cwd() });
    expect(launchOf({ cwd: 'below' })).toMatchObject({ cwd: `${process.cwd()}/below` });
  });

  it('is refused when it is no text', () => {
    expect(() => launchOf({ cwd: 5 })).toThrow(/`cwd` must be a string/);
  });
});

describe('A permission callback that is not asked', () => {
  const canUseTool = (): Promise<null> => Promise.resolve(null);

  it.each<readonly [Options, readonly RegExp[]]>([
    [{ canUseTool, allowedTools: ['Read', 'Bash(git *)'] }, [/not called for Read:/]],
    [
      { canUseTool, permissionMode: 'bypassPermissions', allowedTools: ['Read'] },
      [/called for questions to a person alone: the mode bypassPermissions/],
    ],
    [{ canUseTool, permissionMode: 'dontAsk' }, [/never called: the mode dontAsk/]],
    [{ canUseTool, allowedTools: ['Bash(*)'] }, [/not called for Bash:/]],
    [{ canUseTool, permissionPrompts: 'none' }, [/never called: `permissionPrompts` of none denies/]],
    [{ canUseTool, permissionPrompts: 'host' }, []],
    [{ canUseTool, skills: 'all' }, [/not called for Skill:/]],
    [{ canUseTool, skills: 'all', tools: ['Skill'] }, [/never called: allow rules let every call of Skill run/]],
    [{ canUseTool, skills: ['one'] }, []],
    [{ canUseTool, allowedTools: ['Bash(git *)'], permissionMode: 'plan' }, []],
    [{ allowedTools: ['Read'], permissionMode: 'bypassPermissions' }, []],
  ])('is warned about: %o', (options, texts) => {
    const { warnings = [] } = start('Hello', options).seen;
    expect(warnings.map(({ message }) => message)).toEqual(texts.map((text): unknown => expect.stringMatching(text)));
    for (const { code } of warnings) expect(code).toBe('CLAUDE_SDK_CAN_USE_TOOL_SHADOWED');
  });
});
