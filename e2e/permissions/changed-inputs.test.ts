import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allow, openSession, type HookTable, type SessionOptions } from '@hexagent/sdk';
import { toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { expectWarnings } from '../support/warnings.ts';

type Input = Readonly<Record<string, unknown>>;

const deny = ['Read(/secret/**)', 'Edit(/secret/**)', 'Bash(zap *)'];
const harmless = { command: 'touch made' };

interface Ran {
  readonly leaked: boolean;
  readonly written: boolean;
  readonly zapped: boolean;
  readonly text: string;
}

/** The model makes one call in a folder with a secret, a link to it, and a program that must not run. */
async function call(
  tool: string,
  input: Input,
  { local, ...options }: SessionOptions & { readonly local?: (folder: string) => object } = {},
): Promise<Ran> {
  let made = false;
  const texts: string[] = [];
  await using place = await stage((request) => {
    texts.push(...toolResults(request).map(({ text }) => text));
    if (made) return 'Done.';
    made = true;
    return toolUse(tool, input);
  });
  const { cwd } = place.home;
  for (const name of ['secret', 'bin', '.claude']) mkdirSync(join(cwd, name));
  writeFileSync(join(cwd, 'secret/k'), 'Not to be read.');
  writeFileSync(join(cwd, 'plain'), 'To be read.');
  symlinkSync('secret/k', join(cwd, 'link'));
  writeFileSync(join(cwd, 'bin/zap'), '#!/bin/sh\ntouch zapped\n');
  chmodSync(join(cwd, 'bin/zap'), 0o755);
  if (local !== undefined) writeFileSync(join(cwd, '.claude/settings.local.json'), JSON.stringify(local(cwd)));
  await using session = await openSession({
    ...place.options,
    settings: local === undefined ? 'none' : ['local'],
    ...options,
    permissions: { deny, ...options.permissions },
  });
  await session.send('go').result;
  return {
    leaked: texts.some((text) => text.includes('Not to be read.')),
    written: readFileSync(join(cwd, 'secret/k'), 'utf8') !== 'Not to be read.',
    zapped: existsSync(join(cwd, 'zapped')),
    text: texts.join('\n'),
  };
}

const untouched = { leaked: false, written: false, zapped: false };
const changedBy = (input: Input): SessionOptions => ({ onAsk: () => allow({ input }) });

const changes: readonly Input[] = [
  { command: 'cat secret/k' },
  { command: 'echo x > secret/k' },
  { command: 'grep -r read secret' },
  { command: './bin/zap x' },
];

withCli('An input that the approver changes', () => {
  expectWarnings();

  it.each(changes)('is denied where the agent denies it unchanged: $command', async (input) => {
    expect(await call('Bash', input)).toMatchObject(untouched);
    expect(await call('Bash', harmless, changedBy(input))).toMatchObject(untouched);
  });

  it('is denied where it is a link to what must not be read', async () => {
    const outside = { file_path: '/etc/hostname' };
    expect(await call('Read', outside, changedBy({ file_path: 'link' }))).toMatchObject(untouched);
  });

  it('is held to the deny rules of settings files', async () => {
    const options = {
      ...changedBy({ command: './bin/zap x' }),
      local: () => ({ permissions: { deny: ['Bash(./bin/zap *)'] } }),
    };
    const { permissions } = options;
    expect(await call('Bash', harmless, { ...options, permissions: { ...permissions, deny: [] } })).toMatchObject(
      untouched,
    );
  });

  it('runs where no rule with a path could cover other files', async () => {
    const { text } = await call('Bash', harmless, {
      permissions: { deny: ['Bash(zap *)'] },
      onAsk: () => allow({ input: { command: 'cat plain' } }),
    });
    expect(text).toBe('To be read.');
  });
});

withCli('An input that a hook changes', () => {
  const events: readonly (readonly [string, (input: Input) => HookTable])[] = [
    [
      'PreToolUse',
      (updatedInput) => ({
        PreToolUse: [{ hooks: [() => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } })] }],
      }),
    ],
    [
      'PreToolUse, which allows it',
      (updatedInput) => ({
        PreToolUse: [
          {
            hooks: [
              () => ({
                hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput },
              }),
            ],
          },
        ],
      }),
    ],
    [
      'PermissionRequest',
      (updatedInput) => ({
        PermissionRequest: [
          {
            hooks: [
              () => ({
                hookSpecificOutput: {
                  hookEventName: 'PermissionRequest',
                  decision: { behavior: 'allow', updatedInput },
                },
              }),
            ],
          },
        ],
      }),
    ],
  ];

  it.each(events)('is held by the agent to its rules with a path: %s', async (_, hooks) => {
    for (const input of [{ command: 'cat secret/k' }, { command: 'echo x > secret/k' }])
      expect(await call('Bash', harmless, { hooks: hooks(input), onAsk: () => new Promise(() => {}) })).toMatchObject(
        untouched,
      );
  });

  /** A hook of a settings file that allows the call with another input. */
  const rewriting =
    (command: string) =>
    (folder: string): object => {
      const answer = {
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command } },
      };
      writeFileSync(join(folder, 'answer.json'), JSON.stringify(answer));
      return { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'cat answer.json' }] }] } };
    };

  it('of a settings file is held to the rules as the agent reads them, and not as the SDK does', async () => {
    expect(await call('Bash', harmless, { local: rewriting('./bin/zap x') })).toMatchObject(untouched);
    expect(await call('Bash', harmless, { local: rewriting('cat secret/k') })).toMatchObject(untouched);
    // The limit: the policy's own hook is called with the original input, and none is called after this one.
    expect(await call('Bash', harmless, { local: rewriting(`sh -c './bin/z""ap x'`) })).toMatchObject({
      zapped: true,
    });
    expect(await call('Bash', { command: `sh -c './bin/z""ap x'` })).toMatchObject(untouched);
  });
});
