import { describe, expect, it } from 'vitest';
import { toLaunch } from '../src/index.ts';

const settingsOf = (options: object): unknown => {
  const { args } = toLaunch({ env: {}, ...options });
  const file = args.find((argument) => typeof argument !== 'string');
  return file === undefined || 'files' in file ? args.slice(5) : JSON.parse(file.content);
};

describe('Ask rules', () => {
  it('are put into the settings, since there is no argument for them', () => {
    expect(settingsOf({ askedTools: ['Bash(git push *)', 'Write'] })).toEqual({
      permissions: { ask: ['Bash(git push *)', 'Write'] },
    });
    expect(settingsOf({ askedTools: [] })).toEqual([]);
  });

  it('are added to the settings that are there', () => {
    const settings = { model: 'm', permissions: { ask: ['Read'], deny: ['Edit'] } };
    expect(settingsOf({ askedTools: ['Write'], settings })).toEqual({
      model: 'm',
      permissions: { ask: ['Read', 'Write'], deny: ['Edit'] },
    });
    expect(settingsOf({ askedTools: ['Write'], extraArgs: { settings: '{"model":"m"}' } })).toEqual({
      model: 'm',
      permissions: { ask: ['Write'] },
    });
  });

  it('are refused beside a settings file of the caller, and the message names where to write them', () => {
    expect(() => settingsOf({ askedTools: ['Write'], settings: '/x.json' })).toThrow(
      'askedTools: There is no argument for these rules, and settings is the path of a file. Write the rules into that file as permissions.ask, or pass settings as JSON.',
    );
  });

  it.each([['Read Write'], [5], ['Bash(rm *),Write(x)']])('are refused unless they are rules: %s', (rule) => {
    expect(() => settingsOf({ askedTools: [rule] })).toThrow(TypeError);
  });
});
