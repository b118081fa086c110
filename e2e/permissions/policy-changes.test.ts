import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allow, deny, type Session, type SessionOptions } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import type { Stage } from '../support/stage.ts';
import { expectWarnings } from '../support/warnings.ts';
import { bash, world, type Call } from './world.ts';

const bypass = { cliMode: 'bypassPermissions', allowBypass: true } as const;

withCli('A rule of a session', () => {
  expectWarnings(); // an approver under bypassPermissions

  it('that allows a tool by its name, and a mode, hold from the next call on', async () => {
    await using here = await world({ permissions: { mode: 'ask' } });
    const { permissions } = here.session;
    await permissions.add({ allow: ['Bash'] });
    await here.call(bash('touch a'));
    await permissions.remove({ allow: ['Bash'] });
    await here.call(bash('touch b'));
    await permissions.setMode('allow');
    await here.call(bash('touch c'));
    expect(here.asked()).toEqual(['touch b']);
    expect(['a', 'b', 'c'].filter((name) => existsSync(join(here.cwd, name)))).toEqual(['a', 'c']);
  });

  it('that denies or asks can be taken back when it came later, and not when it was there at the start', async () => {
    await using here = await world({ permissions: { ...bypass, deny: ['Bash(rm *)'], ask: ['Bash(mv *)'] } });
    const { permissions } = here.session;
    await permissions.add({ deny: ['Bash(touch *)'], ask: ['Bash(mkdir *)'] });
    await here.call(bash('touch a'), bash('mkdir b'));
    expect(here.asked()).toEqual(['mkdir b']);
    await permissions.remove({ deny: ['Bash(touch *)'], ask: ['Bash(mkdir *)'] });
    await here.call(bash('touch a'), bash('mkdir b'));
    expect(['a', 'b'].map((name) => existsSync(join(here.cwd, name)))).toEqual([true, true]);
    await expect(permissions.remove({ deny: ['Bash(rm *)'] })).rejects.toThrow('was given at the start');
    await expect(permissions.remove({ ask: ['Bash(mv *)'] })).rejects.toThrow('was given at the start');
    await here.call(bash('rm -rf a'), bash('mv a c'));
    expect(here.asked()).toEqual(['mv a c']);
    expect(existsSync(join(here.cwd, 'a'))).toBe(true);
  });

  it('with a path holds behind links and in shell commands, at the start and later', async () => {
    const link = ({ home }: Stage): void => symlinkSync('/etc/hostname', join(home.cwd, 'link'));
    const hidden = readFileSync('/etc/hostname', 'utf8').trim();
    const tries: readonly Call[] = [['Read', { file_path: 'link' }], bash('cat link'), bash('head -1 < /etc/hostname')];
    await using first = await world({ permissions: { ...bypass, deny: ['Read(//etc/**)'] } }, link);
    await using later = await world({ permissions: bypass }, link);
    expect((await later.call(bash('cat link'))).join()).toContain(hidden);
    await later.session.permissions.add({ deny: ['Read(//etc/**)'] });
    for (const here of [first, later]) expect((await here.call(...tries)).join('\n')).not.toContain(hidden);
  });

  it('for Read holds for shell commands that read where it has a path', async () => {
    const secret = ({ home }: Stage): void => writeFileSync(join(home.cwd, 'secret'), 'Not to be read.');
    const readBy = async (rule: string): Promise<boolean> => {
      await using here = await world({ permissions: { deny: [rule] } }, secret);
      return (await here.call(bash('cat secret'))).join().includes('Not to be read.');
    };
    expect([await readBy('Read'), await readBy('Read(//**)'), await readBy('Read(secret)')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each(['*', 'Ba*'])('for several tools holds for each: %s', async (rule) => {
    await using denied = await world({ permissions: { ...bypass, deny: [rule] } });
    await denied.call(bash('touch a'));
    expect([denied.asked(), existsSync(join(denied.cwd, 'a'))]).toEqual([[], false]);
    await using asked = await world({ permissions: { ...bypass, ask: [rule], allow: ['Bash'] } });
    await asked.call(bash('touch a'), bash('echo hi'));
    expect([asked.asked(), existsSync(join(asked.cwd, 'a'))]).toEqual([['touch a', 'echo hi'], false]);
  });

  it.each(['PreToolUse', 'PermissionRequest'] as const)(
    'that comes while a hook for %s thinks holds for that call',
    async (hookEventName) => {
      const opened: { session?: Session } = {};
      const denying = async (): Promise<void> => await opened.session?.permissions.add({ deny: ['Bash(touch *)'] });
      await using here = await world({
        permissions: { mode: 'ask' },
        onAsk: () => null,
        hooks:
          hookEventName === 'PreToolUse'
            ? {
                PreToolUse: [
                  {
                    hooks: [
                      () =>
                        denying().then(() => ({ hookSpecificOutput: { hookEventName, permissionDecision: 'allow' } })),
                    ],
                  },
                ],
              }
            : {
                PermissionRequest: [
                  {
                    hooks: [
                      () =>
                        denying().then(() => ({
                          hookSpecificOutput: { hookEventName, decision: { behavior: 'allow' } },
                        })),
                    ],
                  },
                ],
              },
      });
      opened.session = here.session;
      // The CLI itself does not find `touch` in it.
      expect(await here.call(bash('sh -c "touch a"'))).toEqual([expect.stringContaining('denied by the rule')]);
      expect(existsSync(join(here.cwd, 'a'))).toBe(false);
    },
  );

  it('against a program holds where the CLI alone would let it pass', async () => {
    await using here = await world({ permissions: { ...bypass, deny: ['Bash(rm *)'] } });
    writeFileSync(join(here.cwd, 'victim'), '');
    const commands = [
      'sh -c "rm victim"',
      'eval rm victim',
      'echo "rm victim" | sh',
      'echo victim | xargs -n1 rm',
      'X=rm; $X victim',
      'X="rm victim"; eval $X',
      'echo "rm victim" | bash -o pipefail',
      'echo "${X:-\'$(rm victim)\'}"',
      ': $(case x in x) rm victim;; esac)',
      '{fd}>/dev/null rm victim',
    ];
    const texts = await here.call(...commands.map(bash));
    expect(texts.map((text) => text.includes('denied'))).toEqual(commands.map(() => true));
    expect(existsSync(join(here.cwd, 'victim'))).toBe(true);
  });
});

withCli('A line for the shell in a command of the project', () => {
  it.each<SessionOptions['permissions']>([{ mode: 'deny' }, { deny: ['Bash(touch *)'] }, { ask: ['Bash'] }])(
    'is no call of a tool, and does not run against %o',
    async (permissions) => {
      const command = ({ home }: Stage): void => {
        mkdirSync(join(home.cwd, '.claude/commands'), { recursive: true });
        writeFileSync(
          join(home.cwd, '.claude/commands/x.md'),
          '---\nallowed-tools: Bash(touch:*)\n---\nSay !`touch made`\n',
        );
      };
      await using here = await world({ settings: 'project', permissions: { ...bypass, ...permissions } }, command);
      await here.session.send('/x').result;
      expect(existsSync(join(here.cwd, 'made'))).toBe(false);
      if (permissions?.mode !== 'deny') return;
      await here.session.permissions.setMode('ask');
      await here.session.send('/x').result;
      expect(existsSync(join(here.cwd, 'made'))).toBe(true);
    },
  );
});

withCli('What is made of an input', () => {
  it('by an approver or a hook is held to the rules', async () => {
    const updatedInput = { command: 'sh -c "rm victim"' };
    const hook = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput },
    } as const;
    const asking = { ...hook.hookSpecificOutput, updatedInput: { command: 'mv victim gone' } };
    await using here = await world({
      permissions: { deny: ['Bash(rm *)'], ask: ['Bash(mv *)'] },
      onAsk: ({ tool, input }) =>
        tool === 'Bash' && input.command === 'touch a' ? allow({ input: { command: 'rm victim' } }) : deny('No.'),
      hooks: {
        PreToolUse: [
          {
            hooks: [
              ({ tool_input }) => {
                const { command } = tool_input as { command: string };
                if (command === 'echo deny') return hook;
                return command === 'echo ask' ? { hookSpecificOutput: asking } : {};
              },
            ],
          },
        ],
      },
    });
    writeFileSync(join(here.cwd, 'victim'), '');
    await here.call(bash('touch a'), bash('echo deny'), bash('echo ask'));
    expect(here.asked()).toEqual(['touch a', 'mv victim gone']);
    expect(existsSync(join(here.cwd, 'victim'))).toBe(true);
  });
});
