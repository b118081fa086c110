import { describe, expect, it } from 'vitest';
import { flagsOf, stdinOf } from './comparable.ts';
import { compare, type Program } from './run.ts';

const id = '11111111-2222-4333-8444-555555555555';
const canUseTool = async (): Promise<null> => null;
const withOptions =
  (change: object): Program =>
  ({ query }, { options }) =>
    query({ prompt: 'hello', options: { ...options, ...change } });

describe('Options beside each other', () => {
  it.each([
    { continue: true, resume: id },
    { continue: true, sessionId: id, forkSession: true },
    { resume: id, resumeSessionAt: id, forkSession: true, sessionId: id },
    { thinking: { type: 'disabled' }, maxThinkingTokens: 5 },
    { permissionMode: 'plan', extraArgs: { 'permission-mode': 'default' } },
    { tools: ['Read'], allowedTools: ['Read'], disallowedTools: ['Bash'], extraArgs: { disallowedTools: 'Write' } },
    { settings: '{"a":1,"sandbox":{"enabled":true}}', sandbox: { enabled: false } },
    { extraArgs: { settings: '{"a":1}' }, sandbox: { enabled: false } },
    { settings: { model: 'm', sandbox: { enabled: false, network: {} } }, sandbox: { enabled: true } },
    { settings: '{"sandbox":{"failIfUnavailable":false}}', sandbox: { enabled: true } },
    { skills: ['x', 'p:s'], allowedTools: ['Read', 'Skill(x)'] },
    { skills: 'all', allowedTools: ['Skill'], disallowedTools: ['Skill(x)'], tools: ['Read'] },
    { skills: [], allowedTools: ['Read'] },
    { resume: id, resumeSessionAt: id, resumeDropsTurn: id, forkSession: true },
    { resume: id, resumeSessionAt: id, resumeDropsTurn: '' },
    { debug: true, debugFile: '/x.log' },
    { debug: true, extraArgs: { debug: 'api' } },
    { permissionPrompts: 'none', permissionPromptToolName: 'mcp__a__b' },
    { permissionPrompts: 'none', canUseTool },
    { permissionPromptToolName: '', canUseTool },
    { outputFormat: { type: 'json_schema', schema: {} }, extraArgs: { 'json-schema': '{"type":"array"}' } },
  ])('reach the agent as in the official package: %o', async (change) => {
    const { official, ours } = await compare(withOptions(change));
    expect(ours.launches.map(flagsOf)).toEqual(official.launches.map(flagsOf));
    expect(ours.launches.map(stdinOf)).toEqual(official.launches.map(stdinOf));
    expect(ours.launches).toHaveLength(1);
  });

  it.each([
    { model: 'm', fallbackModel: 'm' },
    { settings: '/x.json', sandbox: { enabled: false } },
    { supportedDialogKinds: ['survey'] },
    { canUseTool, permissionPromptToolName: 'mcp__a__b' },
    { settings: '/x.json', sandbox: { enabled: true } },
    { extraArgs: { settings: '/x.json' }, sandbox: { enabled: true } },
  ])('are refused by both: %o', async (change) => {
    const { official, ours } = await compare(withOptions(change));
    for (const { thrown, launches } of [official, ours])
      expect([typeof thrown?.message, launches]).toEqual(['string', []]);
  });

  it.each([
    { resume: id, sessionId: id },
    { continue: true, sessionId: id },
    { canUseTool, extraArgs: { 'permission-prompt-tool': 'mcp__a__b' } },
    { resume: id, resumeDropsTurn: id },
    { managedSettings: { a: 1 }, extraArgs: { 'managed-settings': '{}' } },
  ])('are refused by ours, where the agent leaves over them or never asks: %o', async (change) => {
    const { official, ours } = await compare(withOptions(change));
    expect(official.thrown).toBeUndefined();
    expect(ours.thrown?.name).toBe('TypeError');
  });
});
