import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LaunchOptions } from '@hexagent/ports';
import { toLaunch } from '@hexagent/cli-launch';

interface Spawned {
  readonly args: readonly string[];
  readonly env_added: Readonly<Record<string, string>>;
}

interface Recorded {
  readonly frame: {
    readonly event?: string;
    readonly request?: { readonly subtype: string; readonly [field: string]: unknown };
  } & Partial<Spawned>;
}

/** The arguments and environment with which the official SDK started the CLI, and its `initialize` request. */
function recorded(name: string): { spawned: Spawned; initialize: Record<string, unknown> } {
  const file = new URL(`../../../testing/fixtures/transcripts/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
  const spawn = lines.find(({ frame }) => frame.event === 'spawn')?.frame;
  const { subtype, ...initialize } =
    lines.find(({ frame }) => frame.request?.subtype === 'initialize')?.frame.request ?? {};
  expect(subtype).toBe('initialize');
  return { spawned: { args: spawn?.args ?? [], env_added: spawn?.env_added ?? {} }, initialize };
}

const id = '4ad1ce90-610e-477d-b2cc-93cd646700ba';

// Without a prompt, the official SDK sends an empty one; here the option has to be an empty text.
const rows: readonly [string, Partial<LaunchOptions>][] = [
  ['01-string-prompt-minimal', {}],
  ['02-tool-bash-allow-updatedInput', { asksPermission: true }],
  ['06-plan-mode-exit', { asksPermission: true, permissionMode: 'plan' }],
  ['09-dontAsk', { asksPermission: true, permissionMode: 'dontAsk' }],
  ['22-replay-user-messages', { extraArgs: { 'replay-user-messages': null } }],
  ['32-max-budget', { maxBudgetUsd: 0.5 }],
  ['32-max-turns', { maxTurns: 2 }],
  ['33-api-529-fallback-model', { fallbackModel: 'haiku' }],
  ['35-subagent-foreground-forwardText', { allowedTools: ['Bash'], includePartialMessages: true }],
  ['43-resume-1-resume', { resume: id }],
  ['43-resume-2-continue', { continue: true }],
  ['43-resume-3-fork', { resume: id, forkSession: true }],
  [
    '43-resume-4-fork-with-session-id',
    { resume: id, forkSession: true, sessionId: 'bbbbbbbb-0000-4000-8000-0000000000b1' },
  ],
  [
    '43-resume-5-resumeSessionAt',
    { resume: id, forkSession: true, resumeSessionAt: 'e8c610d0-3478-478c-b049-1c77cfb2bcaf' },
  ],
  ['43-resume-6-sessionId-new', { sessionId: 'bbbbbbbb-0000-4000-8000-0000000000b2' }],
  ['43-resume-10-no-persist', { persistSession: false }],
];

describe('A launch like the official SDK’s', () => {
  it.each(rows)('has the arguments and the environment that were recorded: %s', (name, options) => {
    const { spawned, initialize } = recorded(name);
    const launch = toLaunch({ env: {}, systemPrompt: '', ...options });
    expect(launch.args.toSorted()).toEqual(spawned.args.toSorted());
    expect(Object.keys(launch.env).toSorted()).toEqual(Object.keys(spawned.env_added).toSorted());
    expect(launch.initialize['systemPrompt']).toEqual(initialize['systemPrompt']);
  });
});
