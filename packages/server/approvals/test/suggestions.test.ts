import type { PermissionUpdate } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { allowWith, describeSuggestions } from '../src/index.ts';
import { Asking } from './asking.ts';

const rule = { toolName: 'Bash', ruleContent: 'touch *' };
/** As the CLI suggests for `touch` outside of the folder; recorded. */
const suggestions: readonly PermissionUpdate[] = [
  { type: 'addRules', rules: [rule, { toolName: 'Read' }], behavior: 'allow', destination: 'localSettings' },
  { type: 'addDirectories', directories: ['/tmp/x'], destination: 'session' },
  { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
  { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' },
];

describe('The suggestions of a request', () => {
  it('are described one by one: what each changes, whether it is kept, whether it may be ticked beforehand', () => {
    expect(describeSuggestions({ suggestions })).toEqual([
      {
        index: 0,
        kind: 'rule',
        values: ['Bash(touch *)', 'Read'],
        type: 'addRules',
        behavior: 'allow',
        destination: 'localSettings',
        isPersistent: true,
        isPreselected: false,
      },
      {
        index: 1,
        kind: 'directory',
        values: ['/tmp/x'],
        type: 'addDirectories',
        destination: 'session',
        isPersistent: false,
        isPreselected: false,
      },
      {
        index: 2,
        kind: 'mode',
        values: ['acceptEdits'],
        type: 'setMode',
        destination: 'session',
        isPersistent: false,
        isPreselected: false,
      },
      {
        index: 3,
        kind: 'rule',
        values: ['Bash(touch *)'],
        type: 'addRules',
        behavior: 'allow',
        destination: 'session',
        isPersistent: false,
        isPreselected: true,
      },
    ]);
  });

  it.each<[string, unknown]>([
    ['a rule that denies', { type: 'addRules', rules: [rule], behavior: 'deny', destination: 'session' }],
    ['rules that replace others', { type: 'replaceRules', rules: [rule], behavior: 'allow', destination: 'session' }],
    ['an unknown kind', { type: 'grantAll', destination: 'session' }],
  ])('never have %s ticked beforehand', (_, update) => {
    const [description] = describeSuggestions({ suggestions: [update as never] }); // of another version
    expect(description).toMatchObject({ isPreselected: false, isPersistent: false });
  });

  it.each(['userSettings', 'projectSettings', 'localSettings', 'somewhere new'])('are kept in %s', (destination) => {
    const update = { type: 'addRules', rules: [rule], behavior: 'allow', destination };
    expect(describeSuggestions({ suggestions: [update as never] })[0]).toMatchObject({
      isPersistent: true,
      isPreselected: false,
    }); // of another version
  });

  it('are not ticked beforehand where the agent would ask again, and say so', () => {
    const update = { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' } as const;
    const [first, second] = describeSuggestions({
      suggestions: [update, update],
      asksAgain: [{ index: 0, reason: 'It asks again.' }],
    });
    expect(first).toMatchObject({ asksAgain: 'It asks again.', isPreselected: false });
    expect(second).toMatchObject({ isPreselected: true });
    expect(second).not.toHaveProperty('asksAgain');
  });

  it('are sent where they were chosen, and only those', () => {
    expect(allowWith({ suggestions }, [])).toEqual({ behavior: 'allow' });
    expect(allowWith({ suggestions }, [3, 0], { input: { command: 'ls' } })).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
      updatedPermissions: [suggestions[3], suggestions[0]],
    });
  });

  it.each<[unknown, string]>([
    [Promise.resolve({ input: { command: 'ls' } }), 'not a promise (await it).'],
    [{ input: { command: Promise.resolve('ls') } }, '`input.command` is a promise'],
    [{ inputs: {} }, '"inputs" is no option of allowWith().'],
  ])('are sent with a changed input that is plain values alone: %#', (options, why) => {
    expect(() => allowWith({ suggestions }, [], options as never)).toThrow(TypeError); // untyped
    expect(() => allowWith({ suggestions }, [], options as never)).toThrow(why); // untyped
  });

  it.each([[4], [-1], [0.5], ['0'], [1, 1], [null]])('are chosen by their index, once: %j', (...chosen) => {
    expect(() => allowWith({ suggestions }, chosen as never)).toThrow(TypeError); // untyped
  });

  it.each([
    [[0], 'user_permanent'],
    [[1, 2, 3], 'user_temporary'],
    [[], 'user_temporary'],
  ])('make the decision permanent only where they are kept: %j', async (chosen, decisionClassification) => {
    const asking = new Asking();
    const { answer } = asking.ask('my-chat', { suggestions });
    const record = await asking.opened();
    await asking.approvals.settle(record.id, allowWith(record, chosen), 'ada');
    expect(await answer).toMatchObject({ decisionClassification });
  });
});
