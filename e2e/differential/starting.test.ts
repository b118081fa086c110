import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { SdkError } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { envOf } from './comparable.ts';
import { compare, type Program } from './run.ts';

const hello =
  (change: object): Program =>
  ({ query }, { options }) =>
    query({ prompt: 'hello', options: { ...options, ...change } });

describe('The working directory', () => {
  /** The program changes its own folder as soon as the query is made. */
  const moving =
    (change: Options, folder: string): Program =>
    async ({ query }, { cwd, options }) => {
      const before = process.cwd();
      await mkdir(join(cwd, 'below'));
      process.chdir(join(cwd, folder));
      try {
        const running = query({ prompt: 'hello', options: { ...options, cwd: undefined, ...change } as Options });
        process.chdir('/');
        for await (const _ of running);
      } finally {
        process.chdir(before);
      }
    };

  it.each<readonly [string, Options, string]>([
    ['left out', {}, 'below'],
    ['empty', { cwd: '' }, 'below'],
    ['relative', { cwd: 'below' }, ''],
  ])('is fixed when the query is made: %s', async (_, change, folder) => {
    const { official, ours } = await compare(moving(change, folder));
    expect(official.launches.map(({ cwd }) => basename(cwd))).toEqual(['below']);
    expect(ours.launches.map(({ cwd }) => basename(cwd))).toEqual(['below']);
  });
});

describe('A CLI that cannot be started', () => {
  it.each<readonly [string, (path: string) => Promise<unknown>, string]>([
    ['is missing', async () => {}, 'Claude Code native binary not found at'],
    ['may not be run', async (path) => await writeFile(path, '#!/bin/sh\n'), 'exists but failed to launch'],
    ['is a folder', async (path) => await mkdir(path), 'exists but failed to launch'],
    [
      'has no interpreter',
      async (path) => {
        await writeFile(path, '#!/no/such/interpreter\n');
        await chmod(path, 0o755);
      },
      'exists but failed to launch',
    ],
  ])('has the class and the first words that programs recognise when it %s', async (_, plant, words) => {
    const program: Program = async ({ query }, { cwd, options }) => {
      const path = join(cwd, 'claude');
      await plant(path);
      return query({ prompt: 'hello', options: { ...options, pathToClaudeCodeExecutable: path } });
    };
    const { official, ours } = await compare(program);
    for (const { thrown } of [official, ours]) {
      expect(thrown?.error).toBeInstanceOf(ReferenceError);
      expect(thrown?.message).toContain(words);
      expect(thrown?.message).toMatch(/^Claude Code native binary (?:not found )?at \//);
    }
    const [theirs, our] = [official, ours].map(({ thrown }) => Reflect.get(Object(thrown?.error), 'errorClass'));
    expect(our).toBe(theirs);
    expect(SdkError.is(ours.thrown?.error)).toBe(true);
  });
});

describe('The environment', () => {
  it.each<readonly [string, object]>([
    ['that of the program', { env: undefined }],
    ['none', { env: {} }],
    ['with the log of the SDK', { env: { DEBUG_CLAUDE_AGENT_SDK: '1', DEBUG: '*' } }],
    ['with variables of our own process', { env: { NODE_OPTIONS: '--no-warnings', DEBUG: '*' } }],
  ])('is the same: %s', async (_, change) => {
    const { official, ours } = await compare(hello(change));
    expect(ours.launches.map(envOf)).toEqual(official.launches.map(envOf));
    expect(ours.launches).toHaveLength(1);
  });
});

describe('A permission callback that is not called for everything', () => {
  const canUseTool = async () => ({ behavior: 'allow' as const });

  it.each<readonly [string, object]>([
    ['bare names', { canUseTool, allowedTools: ['Read', 'Bash(git *)', 'mcp__a__*'] }],
    ['rules with content only', { canUseTool, allowedTools: ['Bash(git *)'] }],
    ['bypassed', { canUseTool, permissionMode: 'bypassPermissions' }],
    ['bypass allowed only', { canUseTool, allowDangerouslySkipPermissions: true }],
    ['another mode', { canUseTool, permissionMode: 'acceptEdits' }],
    ['no callback', { allowedTools: ['Read'], permissionMode: 'bypassPermissions' }],
  ])('is warned about under the same code: %s', async (_, change) => {
    const { official, ours } = await compare(hello(change));
    expect(ours.warnings.map(({ code }) => code)).toEqual(official.warnings.map(({ code }) => code));
    const named = (text = ''): readonly string[] => text.match(/\bRead\b|mcp__a__\*|bypassPermissions/g) ?? [];
    expect(named(ours.warnings[0]?.message)).toEqual(named(official.warnings[0]?.message));
  });
});
