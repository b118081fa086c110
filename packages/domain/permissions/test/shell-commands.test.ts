import { describe, expect, it } from 'vitest';

import { shellCommands, type Shown } from './shell-commands.ts';
import { policyOf } from './policy-of.ts';

function decided({ rule, command, expected }: Shown): string {
  const isAllowing = expected === 'allowed' || expected === 'asked';
  const policy = policyOf(isAllowing ? { allow: [rule] } : { deny: [rule], mode: 'allow' });
  const { decision } = policy.decide({ tool: 'Bash', input: { command } });
  if (isAllowing) return decision === 'allow' ? 'allowed' : 'asked';
  return decision === 'deny' ? 'denied' : 'passed';
}

describe('A shell command', () => {
  it('is one of at least 200, of which no two are the same', () => {
    expect(shellCommands.length).toBeGreaterThanOrEqual(200);
    expect(new Set(shellCommands.map(({ rule, command }) => `${rule} ${command}`)).size).toBe(shellCommands.length);
  });

  it.each(shellCommands.map((shown) => [shown.rule, JSON.stringify(shown.command), shown.expected, shown] as const))(
    'under the rule %s: %s is %s',
    (_, __, ___, shown) => {
      expect(decided(shown)).toBe(shown.expected);
    },
  );

  it('that a deny rule matches is matched by an ask rule as well', () => {
    for (const { rule, command } of shellCommands.filter(({ expected }) => expected === 'denied')) {
      const { by } = policyOf({ ask: [rule], allow: ['Bash'] }).decide({
        tool: 'Bash',
        input: { command },
      });
      expect(by, command).toEqual({ kind: 'rule', list: 'ask', rule });
    }
  });
});
