import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { subtypeOf } from './behaviours.ts';
import { stdinOf } from './comparable.ts';
import { messageOf } from './failing-alike.ts';
import { compare, type Program, type RunRecord } from './run.ts';
import type { Behaviour } from './stand-in.ts';
import {
  type ClaimOptions,
  alike,
  claimable,
  claiming,
  home,
  noteClaim,
  parked,
  refusing,
  requestOf,
  written,
} from './spare-claims.ts';

describe('claim()', () => {
  const everything: Partial<ClaimOptions> = {
    env: { CLAUDE_CODE_OAUTH_TOKEN: 't' },
    additionalDirectories: ['x', '/y'],
    model: 'm',
    permissionMode: 'acceptEdits',
    maxThinkingTokens: 5,
    settings: { effortLevel: 'high', fastMode: true, permissions: { deny: ['Bash'] }, deniedMcpServers: [] },
    appendSystemPrompt: 'A',
    title: 'T',
    agents: { a: { description: 'd', prompt: 'p' } },
  };

  it.each<[string, Partial<ClaimOptions>]>([
    ['nothing but a folder', {}],
    ['everything', everything],
    ['settings that decide what is started', { settings: { deniedMcpServers: [], unheardOf: 1 } }],
    [
      'settings that follow the claim',
      { settings: { model: 'm', agent: 'a', fastMode: true, availableModels: [], disableAutoMode: 'disable' } },
    ],
    ['empty settings', { settings: {} }],
    ['a folder of the home', { cwd: '~/x' }],
    ['the home', { cwd: '~' }],
    ['the default of thinking', { maxThinkingTokens: null }],
  ])('sends the agent the same as in the official package, in the same order: %s', async (_, options) => {
    const compared = await compare(claiming(options), { standIn: claimable() });
    alike(compared);
    expect(compared.official.notes).toMatchObject({ claimed: { sessionId: 'claimed-session' }, loop: undefined });
  });

  it('takes a relative folder from where the program works', async () => {
    const { official, ours } = await compare(claiming({ cwd: 'some' }), { standIn: claimable() });
    for (const { notes } of [official, ours])
      expect(notes).toMatchObject({ claimed: { cwd: join(process.cwd(), 'some') } });
  });

  it('works with a function of the program that starts the agent, as in the official package', async () => {
    const program: Program = async (sdk, place) => {
      const { pathToClaudeCodeExecutable: executable = '', ...options } = parked(place);
      const folders: unknown[] = [];
      const spawnClaudeCodeProcess: Options['spawnClaudeCodeProcess'] = ({ args, cwd, env }) => {
        folders.push(cwd?.replace(place.cwd, '/place').replace(/spare-.*/, 'spare'));
        return spawn(executable, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
      };
      await claiming()(sdk, { ...place, options: { ...options, spawnClaudeCodeProcess } });
      place.note('folders', folders);
      place.note('left', readdirSync(join(place.cwd, '.claude/spares')));
    };
    const { official, ours } = await compare(program, { standIn: claimable() });
    expect(official.notes).toMatchObject({ folders: ['/place/.claude/spares/spare'] });
    // In the official package the folder may still be there when the agent has exited.
    expect(ours.notes).toEqual({ ...official.notes, left: [] });
  });

  it('names the servers of this process', async () => {
    const program: Program = async (sdk, place) => {
      const mcpServers = { mine: sdk.createSdkMcpServer({ name: 'mine', tools: [] }) };
      await claiming({}, { mcpServers })(sdk, place);
    };
    const { official, ours } = await compare(program, { standIn: claimable() });
    const claims = ({ launches }: RunRecord): readonly unknown[] =>
      launches
        .flatMap(stdinOf)
        .filter((frame) => subtypeOf(frame) === 'claim_session')
        .map((frame) => requestOf(frame)['sdk_mcp_servers']);
    expect(claims(official)).toEqual([['mine']]);
    expect(claims(ours)).toEqual(claims(official));
  });

  it.each<[string, Behaviour, Partial<ClaimOptions>?, (() => ReturnType<typeof messageOf>)?]>([
    ['the claim', refusing('claim_session')],
    ['the claim, of a prompt that is a stream', refusing('claim_session'), {}, () => messageOf('hello')],
    ['the claim, which settings wait for', refusing('claim_session'), { settings: { fastMode: true } }],
    ['the model', refusing('set_model'), { model: 'm' }],
    ['model and thinking', refusing('set_model', 'set_max_thinking_tokens'), { model: 'm', maxThinkingTokens: 1 }],
    ['settings', refusing('apply_flag_settings'), { settings: { effortLevel: 'low' } }],
    ['settings and the claim', refusing('apply_flag_settings', 'claim_session'), { settings: { effortLevel: 'low' } }],
    ['settings that follow the claim', refusing('apply_flag_settings'), { settings: { fastMode: true } }],
    ['the model, beside settings', refusing('set_model'), { model: 'm', settings: { fastMode: true } }],
  ])(
    'rejects `claimed` as in the official package when the agent refuses %s',
    async (_, standIn, options = {}, prompt) => {
      const compared = await compare(claiming(options, {}, prompt), { standIn });
      alike(compared);
      expect(compared.official.notes['claimed']).toHaveProperty('message');
    },
  );

  it('does not send the prompt before settings are in force, but what is asked meanwhile', async () => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: parked(place) });
      const options = { cwd: place.cwd, model: 'm', settings: { permissions: { deny: ['Bash'] } } };
      const running = spare.claim({ prompt: 'hello', options });
      void running.setPermissionMode('plan').catch(() => {});
      place.note('models', await running.supportedModels());
      running.close();
      await noteClaim(spare, place);
    };
    const standIn = claimable((frame) => (subtypeOf(frame) === 'apply_flag_settings' ? null : undefined));
    const compared = await compare(program, { standIn });
    alike(compared);
    expect(JSON.stringify(written(compared.ours, home))).not.toContain('"user"');
  });
});
