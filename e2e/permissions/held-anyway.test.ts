import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allow, deny, openSession, type AskHandler, type Session, type SessionOptions } from '@hexagent/sdk';
import { toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { expectWarnings } from '../support/warnings.ts';

type Call = ReturnType<typeof toolUse>;

/** The CLI itself lets this pass the rule: what does not run is held by the policy of the session. */
const hidden = 'sh -c "rm victim"';
const forbidden = { deny: ['Bash(rm *)'] };
const bypass = { ...forbidden, cliMode: 'bypassPermissions', allowBypass: true } as const;
const bash = (command: string, more: object = {}): Call => toolUse('Bash', { command, ...more });
const both = [bash(hidden), bash('touch ran')];
const helper = 'I am the helper.';
const delegate = (more: object): Call =>
  toolUse('Agent', { description: 'd', prompt: helper, subagent_type: 'general-purpose', ...more });

function writeIn({ home }: Stage, name: string, content: string | object): void {
  const path = join(home.cwd, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

/** As a person has it who once ran the CLI there. */
const trust = ({ home }: Stage): void =>
  writeFileSync(
    join(home.home, '.claude.json'),
    JSON.stringify({ projects: { [home.cwd]: { hasTrustDialogAccepted: true } } }),
  );

interface Attempt {
  readonly options: SessionOptions;
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: (place: Stage) => void;
  /** What the model calls in the main thread after each prompt. */
  readonly calls?: readonly Call[];
  readonly prompts?: readonly string[];
  readonly before?: (session: Session) => Promise<unknown>;
}

/** What is left on the disk when the model has tried, in the main thread or in a subagent. */
async function attempt({ options, env = {}, prepare, calls = both, prompts = ['go'], before }: Attempt) {
  // What the agent says by itself, such as that a task has ended, is no prompt.
  const left = { main: prompts.length, helper: 1 };
  const answer = (request: ModelRequest): TurnLike => {
    const who = JSON.stringify(request.body.messages[0]).includes(helper) ? 'helper' : 'main';
    if (toolResults(request).length > 0 || left[who] === 0) return 'Done.';
    left[who] -= 1;
    return who === 'main' ? [...calls] : both;
  };
  await using place = await stage(answer, { IS_SANDBOX: '1', ...env });
  writeIn(place, 'victim', '');
  prepare?.(place);
  await using session = await openSession({ ...place.options, ...options });
  await before?.(session);
  for (const prompt of prompts) await session.send(prompt).result;
  await session.idle();
  return { isSpared: existsSync(join(place.home.cwd, 'victim')), hasRun: existsSync(join(place.home.cwd, 'ran')) };
}

const settingsOf =
  (content: object) =>
  (place: Stage): void => {
    trust(place);
    writeIn(place, '.claude/settings.json', content);
  };

const allowing = {
  type: 'command',
  command: `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } })}'`,
};

withCli('A deny rule holds', () => {
  expectWarnings(); // an approver under bypassPermissions

  it.each<readonly [string, Attempt]>([
    [
      'a folder switches hooks off',
      { options: { settings: 'project', permissions: bypass }, prepare: settingsOf({ disableAllHooks: true }) },
    ],
    [
      'a folder allows hooks of its administrator only',
      { options: { settings: 'project', permissions: bypass }, prepare: settingsOf({ allowManagedHooksOnly: true }) },
    ],
    [
      'a flag switches hooks off',
      { options: { permissions: bypass, extraArgs: { settings: '{"disableAllHooks":true}' } } },
    ],
    ['a flag leaves out what is not needed', { options: { permissions: bypass, extraArgs: { bare: null } } }],
    [
      'a variable leaves out what is not needed',
      { options: { permissions: bypass }, env: { CLAUDE_CODE_SIMPLE: '1' } },
    ],
    [
      'rules and hooks of a folder allow everything',
      {
        options: { settings: 'project', permissions: forbidden },
        prepare: settingsOf({ permissions: { allow: ['Bash'] }, hooks: { PreToolUse: [{ hooks: [allowing] }] } }),
      },
    ],
    ['the history was cleared', { options: { permissions: bypass }, prompts: ['/clear', 'go'] }],
    [
      'another mode was set by a request',
      {
        options: { permissions: { ...bypass, cliMode: 'default' } },
        before: (session) => session.request('set_permission_mode', { mode: 'bypassPermissions' }),
      },
    ],
    [
      'an approver has the agent forget rules and bypass the others',
      {
        options: {
          permissions: { ...bypass, cliMode: 'default' },
          onAsk: () =>
            allow({
              updates: [
                { type: 'replaceRules', behavior: 'deny', rules: [], destination: 'session' },
                { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
              ],
            }),
        },
        calls: [bash('touch ran'), bash(hidden)],
        prompts: ['go', 'go on'],
      },
    ],
    [
      'a subagent works in the foreground',
      { options: { permissions: bypass }, calls: [delegate({ run_in_background: false })] },
    ],
    [
      'a subagent works in the background',
      { options: { permissions: bypass }, calls: [delegate({ run_in_background: true })] },
    ],
    [
      'an agent of the folder bypasses permissions',
      {
        options: { settings: 'project', permissions: { ...forbidden, allow: ['Bash(touch *)'] } },
        prepare: (place) => {
          trust(place);
          writeIn(
            place,
            '.claude/agents/bold.md',
            '---\nname: bold\ndescription: d\ntools: Bash\npermissionMode: bypassPermissions\n---\nDo it.',
          );
        },
        calls: [delegate({ subagent_type: 'bold', run_in_background: false })],
      },
    ],
    [
      'a workflow delegates',
      {
        options: { permissions: bypass },
        calls: [
          toolUse('Workflow', {
            script: `export const meta = { name: 'x', description: 'y' };\nreturn await agent('${helper}');`,
          }),
        ],
      },
    ],
    [
      'a command runs in the background',
      { options: { permissions: bypass }, calls: [bash(hidden, { run_in_background: true }), bash('touch ran')] },
    ],
    [
      'a command is watched',
      {
        options: { permissions: bypass },
        calls: [toolUse('Monitor', { command: hidden, description: 'd' }), bash('touch ran')],
      },
    ],
  ])('although %s', async (_, attempted) => {
    expect(await attempt(attempted)).toEqual({ isSpared: true, hasRun: true });
  });

  it('in the mode deny, as for everything else, although a request sets another mode of the CLI', async () => {
    const options = { permissions: { mode: 'deny', allowBypass: true } } as const;
    const before = (session: Session): Promise<unknown> =>
      session.request('set_permission_mode', { mode: 'bypassPermissions' });
    expect(await attempt({ options, before })).toEqual({ isSpared: true, hasRun: false });
  });
});

withCli('An ask rule of settings', () => {
  it.each(['Bash', '*', 'Bash(touch *)'])(
    'has a person asked although the session allows the tool: %s',
    async (rule) => {
      const asked: string[] = [];
      const onAsk: AskHandler = ({ tool = '' }) => (asked.push(tool), deny('No.'));
      const prepare = settingsOf({ permissions: { ask: [rule] } });
      const options = { settings: 'project', permissions: { allow: ['Bash'] }, onAsk } as const;
      expect(await attempt({ options, prepare, calls: [bash('touch ran')] })).toEqual({
        isSpared: true,
        hasRun: false,
      });
      expect(asked).toEqual(['Bash']);
    },
  );

  it('has a person asked about compound commands, of which the agent does not name the rule', async () => {
    const commands = [
      'true | touch ran',
      'echo x > y && touch ran',
      'touch ran | cat',
      'echo x > y; echo x > .git/config; touch ran',
    ];
    const asked: string[] = [];
    const onAsk: AskHandler = ({ tool = '' }) => (asked.push(tool), deny('No.'));
    const prepare = settingsOf({ permissions: { ask: ['Bash(touch *)'] } });
    const options = { settings: 'project', permissions: { allow: ['Bash'] }, onAsk } as const;
    const calls = commands.map((command) => bash(command));
    expect(await attempt({ options, prepare, calls })).toEqual({ isSpared: true, hasRun: false });
    expect(asked).toEqual(commands.map(() => 'Bash'));
  });

  it('asks about no compound command that it does not cover', async () => {
    const prepare = settingsOf({ permissions: { ask: ['Bash(zap *)'] } });
    const options = { settings: 'project', permissions: { allow: ['Bash'] } } as const;
    const { hasRun } = await attempt({ options, prepare, calls: [bash('true | touch ran')] });
    expect(hasRun).toBe(true);
  });
});
