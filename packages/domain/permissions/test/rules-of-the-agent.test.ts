import { describe, expect, it } from 'vitest';
import { deny, EnforcedPolicy, type PermissionPolicy } from '../src/index.ts';
import { featureControl } from './feature-control.ts';
import { decide, request } from './requests.ts';
import { policyOf } from './policy-of.ts';

const compound = { decision_reason_type: 'subcommandResults' };

/** What becomes of a compound command that the policy allows, where the agent answers which ask rules it has. */
async function decideBeside(
  isAskedElsewhere: () => Promise<boolean>,
  fields: Readonly<Record<string, unknown>> = compound,
  policy: PermissionPolicy = policyOf({ allow: ['Bash'] }),
): Promise<string | undefined> {
  const asked = request('Bash', { input: { command: 'a | b' }, ...fields });
  const answer = await decide({ policy, approver: () => deny('asked'), isAskedElsewhere }, asked);
  return answer?.behavior === 'deny' ? answer.message : answer?.behavior;
}

describe('A compound command that a rule of the session allows', () => {
  it('runs where no rule of the agent has it asked about', async () => {
    expect(await decideBeside(async () => false)).toBe('allow');
  });

  it('is asked about where a rule of the agent covers a part, and where that cannot be found out', async () => {
    expect(await decideBeside(async () => true)).toBe('asked');
    expect(await decideBeside(() => Promise.reject(new Error('The agent has exited.')))).toBe('asked');
  });

  it('is asked about where a part of it fails a safety check', async () => {
    expect(await decideBeside(async () => false, { ...compound, decision_reason: 'a sensitive file' })).toBe('asked');
  });

  it('is denied by a rule that is added while the agent is asked', async () => {
    const policy = policyOf({ allow: ['Bash'] });
    const adding = async (): Promise<boolean> => (policy.add({ deny: ['Bash(b *)'] }), false);
    expect(await decideBeside(adding, compound, policy)).toMatch(/denied by the rule/);
  });

  it('is looked up no further where the agent gives another reason', async () => {
    expect(await decideBeside(() => Promise.reject(new Error('not asked for')), {})).toBe('allow');
  });
});

describe('What the agent lists as its rules', () => {
  const isAsked = async (...rules: readonly object[]): Promise<boolean> => {
    const enforced = new EnforcedPolicy(policyOf());
    const control = featureControl(async () => {});
    enforced.feature.attach?.({ ...control, request: async () => ({ state: { rules } }) });
    return await enforced.isAskedElsewhere({ tool: 'Bash', input: { command: 'a | b x' } });
  };

  it.each([
    [{ behavior: 'ask', rule: 'Bash(b *)' }, true],
    [{ behavior: 'ask', rule: 'Bash' }, true],
    [{ behavior: 'ask', rule: 'Bash(c *)' }, false],
    [{ behavior: 'ask', rule: 'Read' }, false],
    [{ behavior: 'allow', rule: 'Bash(b *)' }, false],
    [{ behavior: 'ask', rule: 'no rule (' }, true],
  ])('%j has the command asked about: %s', async (rule, expected) => {
    expect(await isAsked(rule)).toBe(expected);
  });

  it('may have it asked about as long as there is no agent', async () => {
    const enforced = new EnforcedPolicy(policyOf());
    expect(await enforced.isAskedElsewhere({ tool: 'Bash', input: { command: 'a' } })).toBe(true);
  });
});
