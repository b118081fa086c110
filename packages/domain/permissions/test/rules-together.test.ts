import { describe, expect, it } from 'vitest';
import type { PolicyDecision } from '../src/index.ts';
import { policyOf, type PolicyOptions } from './policy-of.ts';

type Input = Readonly<Record<string, unknown>>;

const decided = (options: PolicyOptions, tool: string, input: Input): PolicyDecision =>
  policyOf(options).decide({ tool, input });
const bash = (options: PolicyOptions, command: string): PolicyDecision => decided(options, 'Bash', { command });

describe('Allow rules for commands', () => {
  const allow = ['Bash(zip *)', 'Bash(zap *)'];

  it('together allow a command whose parts they cover, by the rule of its first part', () => {
    expect(bash({ allow }, 'zap a && zip b')).toMatchObject({ decision: 'allow', by: { rule: 'Bash(zap *)' } });
    expect(bash({ allow }, 'zip a; zap b')).toMatchObject({ decision: 'allow', by: { rule: 'Bash(zip *)' } });
    expect(bash({ allow }, 'zap a && zop b')).toMatchObject({ decision: 'ask', by: { kind: 'nothing' } });
  });

  it.each(['zap /etc/x', 'zap --out=/etc/x', 'zap of=/etc/x', 'zap ../x'])(
    'leave to the agent what is elsewhere: %s',
    (command) => {
      expect(bash({ allow, cwd: '/work' }, command).decision).toBe('ask');
    },
  );

  it('allow a program that is elsewhere', () => {
    expect(bash({ allow: ['Bash(/opt/zap *)'], cwd: '/work' }, '/opt/zap x').decision).toBe('allow');
  });
});

describe('A rule with a name', () => {
  it.each<readonly [string, string, Input, string]>([
    ['Skill(deploy-*)', 'Skill', { skill: 'deploy-all' }, 'allow'],
    ['Skill(deploy-*)', 'Skill', { skill: 'undeploy-all' }, 'ask'],
    ['Skill(deploy-*)', 'Skill', {}, 'ask'],
    ['Agent(Explore)', 'Agent', { subagent_type: 'explore' }, 'allow'],
  ])('%s, beside %s %j: %s', (rule, tool, input, expected) => {
    expect(decided({ allow: [rule] }, tool, input).decision).toBe(expected);
  });
});

describe('A deny rule', () => {
  it('with a star for its path covers every file', () => {
    const options = { deny: ['Read(*)'], mode: 'allow', cwd: '/work' } as const;
    expect(decided(options, 'Read', { file_path: '/etc/x' }).decision).toBe('deny');
  });

  it('for a domain begins with that word', () => {
    expect(() => policyOf({ deny: ['WebFetch(subdomain:example.org)'] })).toThrow(TypeError);
  });
});
