import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AskHandler, allow, createSdk } from '@hexagent/sdk';
import { createQuery, type Options } from '@hexagent/sdk/claude-agent-sdk';
import type { Warning } from '@hexagent/ports';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { collect } from '../support/collect.ts';
import { stage, type Stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';

const option = (label: string): object => ({ label, description: label });
const question = {
  questions: [{ question: 'Which?', header: 'Which', multiSelect: false, options: [option('a'), option('b')] }],
};

withCli('An approver in the mode dontAsk', () => {
  it.each([
    ['Bash', { command: 'touch made' }],
    ['AskUserQuestion', question],
  ])('is never called, as a warning reports: %s', async (name, input) => {
    await using place = await stage(callOnce(name, input));
    const warnings: Warning[] = [];
    const asked: string[] = [];
    const sdk = createSdk({ onWarning: (warning) => void warnings.push(warning) });
    const onAsk: AskHandler = ({ tool = '' }) => (asked.push(tool), allow());
    await using session = await sdk.openSession({
      ...place.options,
      permissions: { cliMode: 'dontAsk' },
      onAsk,
    });
    await session.send('go').result;
    expect(asked).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['HEXAGENT_CALLBACK_UNREACHABLE']);
  });
});

withCli('An approver where every tool is allowed', () => {
  it('is never called, as a warning reports', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const warnings: Warning[] = [];
    const asked: string[] = [];
    const sdk = createSdk({ onWarning: (warning) => void warnings.push(warning) });
    await using session = await sdk.openSession({
      ...place.options,
      tools: ['Bash'],
      permissions: { allow: ['Bash'] },
      onAsk: ({ tool = '' }) => (asked.push(tool), allow()),
    });
    await session.send('go').result;
    expect(asked).toEqual([]);
    expect(warnings).toMatchObject([
      { code: 'HEXAGENT_CALLBACK_UNREACHABLE', message: expect.stringContaining('is never called: allow rules') },
    ]);
  });
});

withCli('An approver in a mode that lets tools run unasked', () => {
  it('is called for questions to a person, without a warning', async () => {
    await using place = await stage(callOnce('AskUserQuestion', question));
    const warnings: Warning[] = [];
    const asked: string[] = [];
    const sdk = createSdk({ onWarning: (warning) => void warnings.push(warning) });
    await using session = await sdk.openSession({
      ...place.options,
      env: { policy: 'exact', set: { ...place.env, IS_SANDBOX: '1' } },
      permissions: { cliMode: 'bypassPermissions', allowBypass: true },
      onAsk({ tool = '', input }) {
        asked.push(tool);
        return allow({ input: { ...input, answers: { 'Which?': 'a' } } });
      },
    });
    await session.send('go').result;
    expect(asked).toEqual(['AskUserQuestion']);
    expect(warnings).toEqual([]);
  });
});

withCli('canUseTool beside an option or settings that answer in its place', () => {
  const skill = ({ home }: Stage): void => {
    mkdirSync(join(home.cwd, '.claude/skills/greet'), { recursive: true });
    writeFileSync(join(home.cwd, '.claude/skills/greet/SKILL.md'), '---\nname: greet\ndescription: d\n---\nGreet.');
  };

  const bash: Parameters<typeof callOnce> = ['Bash', { command: 'touch made' }];

  it.each<[string, Options, Parameters<typeof callOnce>, RegExp]>([
    [
      'a mode of the settings that denies',
      { settings: { permissions: { defaultMode: 'dontAsk' } } },
      bash,
      /is never called: the mode dontAsk/,
    ],
    [
      'a mode of the settings that allows',
      { settings: { permissions: { defaultMode: 'bypassPermissions' } } },
      bash,
      /for questions to a person alone/,
    ],
    ['a rule that denies everything', { disallowedTools: ['*'] }, bash, /is never called: the deny rule "\*"/],
    [
      'a rule of the settings that denies everything',
      { settings: { permissions: { deny: ['*'] } } },
      bash,
      /is never called: the deny rule "\*"/,
    ],
    ['a rule of the settings', { settings: { permissions: { allow: ['Bash'] } } }, bash, /is not called for Bash/],
    [
      'prompts',
      { permissionPrompts: 'none' },
      ['Bash', { command: 'touch made' }],
      /is never called: `permissionPrompts`/,
    ],
    [
      'skills',
      { skills: 'all', settingSources: ['project'] },
      ['Skill', { skill: 'greet' }],
      /is not called for Skill/,
    ],
  ])('is not called, as a warning reports, and an error where that is asked for: %s', async (_, given, call, words) => {
    await using place = await stage(callOnce(...call), { IS_SANDBOX: '1' });
    skill(place);
    const warnings: Warning[] = [];
    const asked: string[] = [];
    const query = createQuery({ onWarning: (warning) => void warnings.push(warning) });
    const options = {
      cwd: place.home.cwd,
      env: { ...place.env },
      pathToClaudeCodeExecutable: cli,
      canUseTool: async (name: string) => (asked.push(name), null),
      ...given,
    };
    await collect(query({ prompt: 'go', options }));
    expect(asked).toEqual([]);
    expect(warnings).toMatchObject([
      { code: 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED', message: expect.stringMatching(words) },
    ]);
    expect(() => query({ prompt: 'go', options: { ...options, strict: true } })).toThrow(words);
  });

  it('is refused beside a tool that answers: both would be asked', () => {
    const options = { permissionPromptToolName: 'mcp__broker__ask', canUseTool: async () => null };
    expect(() => createQuery()({ prompt: 'go', options })).toThrow(
      /permissionPromptToolName is given, and a permission/,
    );
  });
});
