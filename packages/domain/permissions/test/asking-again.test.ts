import type { PermissionRequest, PermissionUpdate } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { rulesToRemember } from '../src/index.ts';
import { commands } from './policy-of.ts';
import { request } from './requests.ts';
import { Waiting } from './waiting.ts';

const later = (): null => null;

const allowing = (...contents: readonly string[]): PermissionUpdate => ({
  type: 'addRules',
  rules: contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent })),
  behavior: 'allow',
  destination: 'session',
});

/** The reasons of the notes on the suggestions of a request. */
function notesOn(asked: Partial<PermissionRequest>, environment = {}): readonly string[] {
  const waiting = new Waiting({ onAsk: later, environment: { commands, cwd: '/work', ...environment } });
  void waiting.ask('r1', asked.tool_name ?? 'Bash', asked);
  const pending = waiting.asks.get('r1');
  if (pending?.asksAgain === undefined) throw new Error('It does not wait.');
  return pending.asksAgain.map(({ index, reason }) => `${index}: ${reason}`);
}

const onCommand = (
  command: string,
  rules: readonly string[],
  fields: Partial<PermissionRequest> = {},
): readonly string[] => notesOn({ input: { command }, permission_suggestions: [allowing(...rules)], ...fields });

// What the CLI does with each of these is asked of it in `e2e/permissions/asking-again.test.ts`.
describe('A rule that the agent suggests for a command', () => {
  it.each([
    ['touch a b', ['touch a *']],
    ['touch "a b"', ['touch "a b"']],
    ['npm test && git push origin main', ['npm test *', 'git push *']],
    ['npm test 2>&1 | tail -20', ['npm test *']],
    ['npm test > /dev/null', ['npm test *']],
    ['A=1 npm test', ['A=1 npm test']],
    ['git commit -m "it\'s $(date)"', ['git commit *']],
    ['xargs touch < f', ['xargs touch']],
  ])('has no note where it covers the call: %s', (command, rules) => {
    expect(onCommand(command, rules)).toEqual([]);
    expect(
      rulesToRemember(request('Bash', { input: { command }, permission_suggestions: [allowing(...rules)] }), {
        commands,
      }),
    ).toEqual(rules.map((rule) => `Bash(${rule})`));
  });

  it.each([
    ['echo "Hello, Ada" > note.txt', ['echo "Hello, Ada" > note.txt'], 'the file that its output is written to'],
    ['echo hi >> note.txt', ['echo hi *'], 'the file that its output is written to'],
    ['npm test 2> err.txt', ['npm test *'], 'the file that its output is written to'],
    ['git status && touch x', ['git status *'], 'the rule does not cover all of it'],
    ['touch a && echo one', ['touch a && echo one'], 'the rule does not cover all of it'],
    ['git log | tee log.txt', ['git log *'], 'the rule does not cover all of it'],
    ['if true; then touch a; fi', ['if true; then touch a; fi'], 'the rule does not cover all of it'],
    ['touch \\\n a', ['touch \\ *'], 'the rule does not cover all of it'],
    ['cat /etc/passwd', ['cat /etc/passw *'], 'the rule does not cover all of it'],
    ['a; b; c', ['a', 'b'], 'the rules do not cover all of it'],
  ])('is noted with a reason where it does not: %s', (command, rules, why) => {
    expect(onCommand(command, rules)).toEqual([expect.stringContaining(why)]);
    expect(
      rulesToRemember(request('Bash', { input: { command }, permission_suggestions: [allowing(...rules)] }), {
        commands,
      }),
    ).toEqual([]);
  });

  it.each<[string, Partial<PermissionRequest>, string]>([
    [
      'a file outside the folder',
      { blocked_path: '/tmp/a' },
      'it concerns /tmp/a, which is outside the working folder',
    ],
    ['a pattern of files', { blocked_path: 'a*' }, 'it names files by a pattern'],
    ['an ask rule', { decision_reason_type: 'rule' }, 'whatever the rules allow'],
    [
      'an ask rule for the tool',
      { matched_ask_rule: { source: 'session', tool_name: 'Bash' } },
      'whatever the rules allow',
    ],
    ['a hook', { decision_reason_type: 'hook' }, 'whatever the rules allow'],
    ['plan mode', { decision_reason_type: 'mode' }, 'whatever the rules allow'],
    ['a safety check', { decision_reason_type: 'safetyCheck' }, 'whatever the rules allow'],
  ])('is noted with a reason because of %s', (_, fields, why) => {
    expect(onCommand('touch a', ['touch a *'], fields)).toEqual([expect.stringContaining(why)]);
  });

  it('is noted where it is stored in settings that the session does not read', () => {
    const suggestion = { ...allowing('touch a *'), destination: 'localSettings' } as PermissionUpdate;
    const asked = { input: { command: 'touch a' }, permission_suggestions: [suggestion] };
    expect(notesOn(asked, { sources: [] })).toEqual([expect.stringContaining('the local settings of the folder')]);
    expect(notesOn(asked, { sources: ['project', 'local'] })).toEqual([]);
    expect(notesOn(asked)).toEqual([]);
  });
});

describe('A suggestion for another call', () => {
  const rule = (toolName: string, ruleContent?: string): PermissionUpdate => ({
    type: 'addRules',
    rules: [{ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }],
    behavior: 'allow',
    destination: 'session',
  });
  const mode: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
  const folder: PermissionUpdate = { type: 'addDirectories', directories: ['/tmp'], destination: 'session' };

  it.each<[string, string, Readonly<Record<string, unknown>>, PermissionUpdate, Partial<PermissionRequest>]>([
    [
      'a file outside',
      'Read',
      { file_path: '/etc/passwd' },
      rule('Read', '//etc/**'),
      { decision_reason_type: 'workingDir' },
    ],
    [
      'a file outside in a command',
      'Bash',
      { command: 'cat /etc/passwd' },
      rule('Read', '//etc/**'),
      { blocked_path: '/etc/passwd' },
    ],
    ['a page', 'WebFetch', { url: 'https://example.com/a' }, rule('WebFetch', 'domain:example.com'), {}],
    ['a tool of a server', 'mcp__calc__add', {}, rule('mcp__calc__add'), {}],
    ['a change of a file', 'Write', { file_path: 'a' }, mode, {}],
  ])('has no note where it covers the call: %s', (_, tool_name, input, suggestion, fields) => {
    expect(notesOn({ tool_name, input, permission_suggestions: [suggestion], ...fields })).toEqual([]);
  });

  it('is noted where it is a folder, or a mode for a command', () => {
    expect(notesOn({ input: { command: 'touch a' }, permission_suggestions: [folder, mode] })).toEqual([
      expect.stringMatching(/^0: The agent may ask about this call again: a folder alone/),
      expect.stringMatching(/^1: The agent may ask about this call again: the mode covers/),
    ]);
  });

  it.each([[undefined], ['all'], [[null]], [[{ type: 'grantAll' }]], [[{ type: 'addRules', behavior: 'allow' }]]])(
    'has no note where it is of another version: %j',
    (suggestions) => {
      expect(notesOn({ permission_suggestions: suggestions as never })).toEqual([]); // whatever another version sends
    },
  );
});

describe('What is remembered of a call whose rule does not cover it', () => {
  it('is nothing, with a warning that has the reason', async () => {
    const waiting = new Waiting({ onAsk: () => ({ behavior: 'allow', remember: 'session' }) });
    const input = { command: 'echo hi > note.txt' };
    const answer = await waiting.ask('r1', 'Bash', { input, permission_suggestions: [allowing('echo hi *')] });
    expect(answer).toEqual({ behavior: 'allow', updatedPermissions: [] });
    expect(waiting.warned).toMatchObject([
      { code: 'HEXAGENT_NOT_REMEMBERED', message: expect.stringContaining('the file that its output is written to') },
    ]);
  });
});
