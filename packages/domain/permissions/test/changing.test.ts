import { describe, expect, it } from 'vitest';
import { type PermissionPolicy, type PolicyDecision } from '../src/index.ts';
import { policyOf } from './policy-of.ts';

const decisionOn = (policy: PermissionPolicy, tool: string): PolicyDecision['decision'] =>
  policy.decide({ tool, input: {} }).decision;

describe('A policy', () => {
  it('lists its rules as data of which another policy can be made', () => {
    const policy = policyOf({ allow: ['Read'], deny: ['Bash(rm *)', 'WebFetch'] });
    policy.add({ ask: ['Write'], deny: ['WebFetch', 'mcp__calc'] });
    const kept = { allow: ['Read'], deny: ['Bash(rm *)', 'WebFetch', 'mcp__calc'], ask: ['Write'] };
    expect(policy.rules).toEqual(kept);
    const stored: unknown = JSON.parse(JSON.stringify(policy.rules));
    expect(policyOf(stored as typeof policy.rules).rules).toEqual(kept);
  });

  it('follows rules that are added and removed', () => {
    const policy = policyOf({ allow: ['Write', 'mcp__calc'] });
    policy.add({ deny: ['Write'] });
    expect(decisionOn(policy, 'Write')).toBe('deny');
    policy.remove({ deny: ['Write'], allow: ['mcp__calc'] });
    expect(decisionOn(policy, 'Write')).toBe('allow');
    expect(decisionOn(policy, 'mcp__calc__add')).toBe('ask');
  });

  it('adds and removes all that is given or nothing', () => {
    const policy = policyOf({ allow: ['Read'], deny: ['Bash'] });
    expect(() => policy.add({ allow: ['Write'], deny: ['('] })).toThrow(
      '`permissions.deny[0]` is a text that is no rule',
    );
    expect(() => policy.remove({ allow: ['Read'], deny: ['Bash', 'Write'] })).toThrow(
      '`permissions.deny[1]` is not among the rules',
    );
    expect(policy.rules).toEqual({ allow: ['Read'], deny: ['Bash'], ask: [] });
  });

  it('follows its mode, which may change', () => {
    const policy = policyOf({ allow: ['Read'], ask: ['Write'] });
    const decisions = (): readonly string[] =>
      ['Read', 'Write', 'Bash', 'ExitPlanMode'].map((tool) => decisionOn(policy, tool));
    expect([policy.mode, decisions()]).toEqual(['ask', ['allow', 'ask', 'ask', 'ask']]);
    policy.setMode('allow');
    expect([policy.mode, decisions()]).toEqual(['allow', ['allow', 'ask', 'allow', 'ask']]);
    policy.setMode('deny');
    expect([policy.mode, decisions()]).toEqual(['deny', ['deny', 'deny', 'deny', 'deny']]);
  });

  it('refuses a mode that it does not have', () => {
    const message = 'The mode of permissions must be "ask", "allow" or "deny", not "plan".';
    expect(() => policyOf({ mode: 'plan' as never })).toThrow(message); // untyped
    expect(() => policyOf().setMode('plan' as never)).toThrow(message); // untyped
  });

  it('names the rule or mode that decides', () => {
    const policy = policyOf({ allow: ['Read'], deny: ['mcp__web'], ask: ['Write'] });
    const by = (tool: string): unknown => policy.decide({ tool, input: {} }).by;
    expect(by('mcp__web__get')).toEqual({ kind: 'rule', list: 'deny', rule: 'mcp__web' });
    expect(by('Write')).toEqual({ kind: 'rule', list: 'ask', rule: 'Write' });
    expect(by('Read')).toEqual({ kind: 'rule', list: 'allow', rule: 'Read' });
    expect(by('AskUserQuestion')).toEqual({ kind: 'question' });
    expect(by('Bash')).toEqual({ kind: 'nothing' });
    policy.setMode('deny');
    expect(by('mcp__web__get')).toEqual({ kind: 'rule', list: 'deny', rule: 'mcp__web' });
    expect(by('Read')).toEqual({ kind: 'mode', mode: 'deny' });
  });
});
