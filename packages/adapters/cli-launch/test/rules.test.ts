import { describe, expect, it } from 'vitest';
import type { LaunchArgument, LaunchOptions } from '@hexagent/ports';
import { toLaunch } from '@hexagent/cli-launch';

const args = (options: Partial<LaunchOptions>): readonly LaunchArgument[] =>
  toLaunch({ env: {}, ...options }).args.slice(5);
const settings = (content: object): readonly LaunchArgument[] => [
  '--settings',
  { name: 'settings.json', content: JSON.stringify(content) },
];

describe('Rules for tools', () => {
  it('become an argument when it can hold them', () => {
    expect(args({ allowedTools: [' Bash(echo a, b) ', 'mcp__s__t', 'Skill(x)'] })).toEqual([
      '--allowedTools=Bash(echo a, b),mcp__s__t,Skill(x)',
    ]);
  });

  it('#22 move to the settings when they are too long for one', () => {
    const allow = Array.from({ length: 10_000 }, (_, n) => `Bash(command-${n} *)`);
    expect(args({ allowedTools: allow, disallowedTools: ['WebFetch'] })).toEqual([
      '--disallowedTools=WebFetch',
      ...settings({ permissions: { allow } }),
    ]);
  });

  // The agent splits an argument at commas and spaces after the first closing parenthesis, and would split these rules.
  it.each(['Bash(rm (a) b)', 'Bash(echo "a) , b")', 'Bash(f(x), y)'])(
    '#60 move to the settings when the agent would split them: %s',
    (rule) => {
      expect(args({ disallowedTools: ['WebFetch', rule] })).toEqual(
        settings({ permissions: { deny: ['WebFetch', rule] } }),
      );
    },
  );

  it('are added to the rules and the settings that are given', () => {
    const rule = 'Bash(rm (a) b)';
    expect(
      args({
        allowedTools: [rule],
        disallowedTools: [rule],
        settings: { model: 'm', permissions: { allow: ['Read'], defaultMode: 'plan' } },
      }),
    ).toEqual(settings({ model: 'm', permissions: { allow: ['Read', rule], defaultMode: 'plan', deny: [rule] } }));
    expect(args({ allowedTools: [rule], settings: '{"model":"m"}' })).toEqual(
      settings({ model: 'm', permissions: { allow: [rule] } }),
    );
  });

  it('are added to the settings of extraArgs, since the agent reads only one --settings', () => {
    const rule = 'Bash(rm (a) b)';
    const extraArgs = { settings: '{"permissions":{"deny":["Bash(touch *)"]}}', verbose: null };
    expect(args({ disallowedTools: [rule], extraArgs })).toEqual([
      ...settings({ permissions: { deny: ['Bash(touch *)', rule] } }),
      '--verbose',
    ]);
    expect(args({ disallowedTools: ['Read'], extraArgs: { settings: '/x.json' } })).toEqual([
      '--disallowedTools=Read',
      '--settings',
      '/x.json',
    ]);
    expect(() => args({ disallowedTools: [rule], extraArgs: { settings: '/x.json' } })).toThrow(
      /extraArgs\.settings is the path of a file/,
    );
  });

  it('are refused when only a settings file could hold them and that file is the caller’s', () => {
    expect(() => args({ allowedTools: ['Bash(rm (a) b)'], settings: '/x.json' })).toThrow(
      /allowedTools\[0\].*permissions\.allow/,
    );
    const disallowedTools = Array.from({ length: 20_000 }, (_, n) => `Tool${n}`);
    expect(() => args({ disallowedTools, settings: '/x.json' })).toThrow(
      /disallowedTools.*too long.*permissions\.deny/,
    );
  });
});
