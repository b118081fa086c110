import { describe, expect, it } from 'vitest';
import type { Decision, PermissionUpdate, RememberScope } from '@hexagent/ports';
import { allow, deny, rememberedRules, rulesToRemember } from '../src/index.ts';
import { commands } from './policy-of.ts';
import { request } from './requests.ts';
import { Waiting } from './waiting.ts';

const rule = (toolName: string, ruleContent?: string): { toolName: string; ruleContent?: string } =>
  ruleContent === undefined ? { toolName } : { toolName, ruleContent };
const rules = (...list: readonly ReturnType<typeof rule>[]): PermissionUpdate => ({
  type: 'addRules',
  rules: list,
  behavior: 'allow',
  destination: 'localSettings',
});
const mode: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
const folder: PermissionUpdate = { type: 'addDirectories', directories: ['/srv'], destination: 'session' };

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];
const bash = (command: string): Call => ['Bash', { command }];

/** What the recorded CLI suggests, and what of it is a rule that allows such calls. */
const recorded: readonly [string, Call, readonly PermissionUpdate[], readonly string[]][] = [
  ['a command that writes', bash('touch a'), [rules(rule('Bash', 'touch a *')), folder, mode], ['Bash(touch a *)']],
  [
    'a compound command',
    bash('npm test && git push origin main'),
    [rules(rule('Bash', 'npm test *'), rule('Bash', 'git push *'))],
    ['Bash(npm test *)', 'Bash(git push *)'],
  ],
  ['a file changed in the folder', ['Write', { file_path: 'a' }], [mode], []],
  ['a file changed elsewhere', ['Write', { file_path: '/srv/a' }], [mode, folder], []],
  [
    'a file read elsewhere',
    ['Read', { file_path: '/etc/passwd' }],
    [{ ...rules(rule('Read', '//etc/**')), destination: 'session' }],
    ['Read(//etc/**)'],
  ],
  [
    'a command that reads elsewhere',
    bash('cat /etc/passwd'),
    [rules(rule('Bash', 'cat *')), rules(rule('Read', '//etc/**'))],
    ['Bash(cat *)', 'Read(//etc/**)'],
  ],
  [
    'a page',
    ['WebFetch', { url: 'https://example.com/a' }],
    [rules(rule('WebFetch', 'domain:example.com'))],
    ['WebFetch(domain:example.com)'],
  ],
  ['a tool of a server', ['mcp__s__t', {}], [rules(rule('mcp__s__t'))], ['mcp__s__t']],
  ['nothing', bash('touch a'), [], []],
];

describe('allow({ remember })', () => {
  it.each(recorded)(
    '#38 stores the rules alone of what is suggested: %s',
    async (_, [tool, input], suggestions, texts) => {
      const waiting = new Waiting({ onAsk: () => allow({ remember: 'user' }) });
      const answer = await waiting.ask('r1', tool, { input, permission_suggestions: suggestions });
      const { updatedPermissions = [] } = answer as { updatedPermissions?: readonly PermissionUpdate[] };
      expect(updatedPermissions.every(({ type }) => type === 'addRules')).toBe(true);
      expect(updatedPermissions).toEqual(rememberedRules(suggestions, 'user'));
      expect(rulesToRemember(request(tool, { input, permission_suggestions: suggestions }), { commands })).toEqual(
        texts,
      );
      expect(answer).not.toHaveProperty('remember');
    },
  );

  it('names the values that it accepts', () => {
    for (const given of [undefined, 'Bash'])
      expect(() => rulesToRemember(given as never, { commands })).toThrow(
        'rulesToRemember() takes the `request` of an ask, not ',
      );
  });

  it.each<[RememberScope, string]>([
    ['session', 'session'],
    ['local', 'localSettings'],
    ['project', 'projectSettings'],
    ['user', 'userSettings'],
  ])('stores them at its destination: %s', (scope, destination) => {
    expect(rememberedRules([rules(rule('Bash', 'touch a *')), mode], scope)).toEqual([
      { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'touch a *' }], behavior: 'allow', destination },
    ]);
  });

  it('goes with a changed input and other updates, which only the program chooses', async () => {
    const approver = () => allow({ input: { command: 'ls' }, remember: 'session', updates: [folder] });
    const suggestions = [rules(rule('Bash', 'touch a *')), mode];
    expect(await new Waiting({ onAsk: approver }).ask('r1', 'Bash', { permission_suggestions: suggestions })).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
      updatedPermissions: [folder, ...rememberedRules(suggestions, 'session')],
    });
  });

  it('works by id as well', async () => {
    const waiting = new Waiting({ onAsk: () => null });
    const answer = waiting.ask('r1', 'Bash', { permission_suggestions: [rules(rule('Bash', 'touch a *'))] });
    waiting.asks.answer('r1', allow({ remember: 'session' }));
    expect(await answer).toMatchObject({ updatedPermissions: [{ destination: 'session' }] });
  });

  it.each([
    ['a rule that denies', { ...rules(rule('Bash')), behavior: 'deny' }],
    ['rules that are taken away', { ...rules(rule('Bash')), type: 'removeRules' }],
    ['rules in another form', { type: 'addRules', behavior: 'allow', destination: 'session' }],
  ])('never stores %s', (_, suggestion) => {
    expect(rememberedRules([suggestion as never], 'session')).toEqual([]);
  });

  it('is refused for an unknown scope, before anything runs', async () => {
    const approver = (): never => ({ behavior: 'allow', remember: 'always' }) as never;
    await expect(new Waiting({ onAsk: approver }).ask('r1')).rejects.toThrow('not "always"');
    expect(() => rememberedRules([], 'always' as never)).toThrow(TypeError);
  });
});

describe('What is to be remembered and is not', () => {
  const suggestions = [rules(rule('Bash', 'touch a *'))];
  const held = [{ behavior: 'allow', source: 'projectSettings', rule: 'Bash(touch a *)' }];
  const remember = async (scope: RememberScope, offered: readonly PermissionUpdate[], follows: readonly object[]) => {
    const waiting = new Waiting({ onAsk: () => allow({ remember: scope }) }, follows);
    await waiting.ask('r1', 'Bash', { permission_suggestions: offered });
    expect(waiting.requested).toEqual([]); // the answer goes first
    for (const delay of [100, 1000, 4000, 100_000]) {
      waiting.clock.advance(delay);
      await new Promise(setImmediate);
    }
    return waiting;
  };

  it('is reported where the agent suggests no rule', async () => {
    const { warned, requested } = await remember('session', [mode], []);
    expect(warned).toMatchObject([
      { code: 'HEXAGENT_NOT_REMEMBERED', message: expect.stringContaining('the agent suggests no rule for it') },
    ]);
    expect(requested).toEqual([]);
  });

  it.each<[RememberScope, string]>([
    ['local', '`local`'],
    ['project', 'a folder that a person has trusted'],
    ['user', '`user`'],
  ])('is reported where the agent does not follow the file: %s', async (scope, words) => {
    const { warned, requested } = await remember(scope, suggestions, []);
    expect(warned).toMatchObject([{ code: 'HEXAGENT_NOT_REMEMBERED', message: expect.stringContaining(words) }]);
    expect(warned[0]?.message).toContain('Bash(touch a *)');
    expect(requested).toEqual(['list_permission_rules']);
  });

  it('is not reported of an answer that came too late', async () => {
    const thinking = Promise.withResolvers<Decision>();
    const waiting = new Waiting({ onAsk: () => thinking.promise });
    void waiting.ask('r1', 'Bash', { permission_suggestions: [mode] });
    waiting.asks.answer('r1', deny('no'));
    thinking.resolve(allow({ remember: 'session' }));
    await new Promise(setImmediate);
    expect(waiting.warned).toEqual([]);
  });

  it('is not reported where the agent follows the rule', async () => {
    const { warned, requested } = await remember('project', suggestions, held);
    expect(requested).toEqual(Array.from({ length: 3 }, () => 'list_permission_rules'));
    expect(warned).toEqual([]);
  });

  it('is not checked for a session, whose rules the agent always follows', async () => {
    const { warned, requested } = await remember('session', suggestions, []);
    expect([warned, requested]).toEqual([[], []]);
  });
});
