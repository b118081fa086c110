import { describe, expect, it } from 'vitest';
import { policyOf } from './policy-of.ts';

describe('A rule for one tool', () => {
  const monitor = { tool: 'Monitor', input: { command: 'echo hi' } };
  const read = { tool: 'Read', input: { file_path: '/a' } };

  it('of a shell denies the tool that runs commands in it, and no other', () => {
    const policy = policyOf({ deny: ['Bash'], mode: 'allow' });
    expect(policy.decide(monitor)).toMatchObject({ decision: 'deny', by: { rule: 'Bash' } });
    expect(policy.decide(read)).toMatchObject({ decision: 'allow', by: { kind: 'mode' } });
  });

  it('of another kind does not deny the tool that runs commands', () => {
    expect(policyOf({ deny: ['Read', 'Edit'], mode: 'allow' }).decide(monitor)).toMatchObject({ decision: 'allow' });
  });

  it('of a shell does not allow the tool that watches what a command prints', () => {
    expect(policyOf({ allow: ['Bash(echo *)'] }).decide(monitor)).toMatchObject({ decision: 'ask' });
    expect(policyOf({ deny: ['Bash(echo *)'] }).decide(monitor)).toMatchObject({ decision: 'deny' });
  });
});

describe('A rule with a wildcard in the name of a tool', () => {
  it.each([
    ['mcp__a__*b', 'mcp__a__xb', 'mcp__a__xc'],
    ['xmcp__a__*', 'xmcp__a__b', 'mcp__a__b'],
  ])('denies the tools that it names, and no others: %s', (rule, denied, other) => {
    const policy = policyOf({ deny: [rule], mode: 'allow' });
    expect(policy.decide({ tool: denied, input: {} })).toMatchObject({ decision: 'deny', by: { rule } });
    expect(policy.decide({ tool: other, input: {} })).toMatchObject({ decision: 'allow' });
  });
});

describe('The caveats of a command that an allow rule covers', () => {
  const redirected = expect.stringContaining('the file that its output is written to');
  const outside = expect.stringContaining('files outside the working directory');

  it.each([
    ['echo hi', [outside]],
    ['echo hi > note', [redirected, outside]],
  ])('are those of what it does: %s', (command, expected) => {
    expect(policyOf().caveatsOf({ tool: 'Bash', input: { command } })).toEqual(expected);
  });

  it('are none for another tool, and for a command that is not a text', () => {
    expect(policyOf().caveatsOf({ tool: 'Read', input: { command: 'echo hi' } })).toEqual([]);
    expect(policyOf().caveatsOf({ tool: 'Bash', input: { command: 5 } })).toEqual([]);
  });
});

describe('The version of a policy', () => {
  it('grows with each change, so that a call which was judged before is judged again', () => {
    const policy = policyOf({ allow: ['Read'] });
    const versions = [policy.version];
    const changes = [
      () => policy.add({ deny: ['Bash'] }),
      () => policy.remove({ deny: ['Bash'] }),
      () => policy.setMode('deny'),
    ];
    for (const change of changes) versions.push((change(), policy.version));
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
  });
});
