import { SdkError, type Warning } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { EnforcedPolicy } from '../src/index.ts';
import { featureControl } from './feature-control.ts';
import { policyOf, type PolicyOptions } from './policy-of.ts';

/** An agent that takes rules, or does not. */
class Agent {
  readonly given: unknown[] = [];
  readonly warned: Warning[] = [];
  answer: () => Promise<unknown> = () => Promise.resolve({});

  readonly control = featureControl(
    (rules) => {
      this.given.push(rules);
      return this.answer();
    },
    (warning) => void this.warned.push(warning),
  );
}

function attached(options: PolicyOptions) {
  const agent = new Agent();
  const policy = policyOf(options);
  const enforced = new EnforcedPolicy(policy);
  enforced.feature.attach?.(agent.control);
  return { agent, policy, enforced };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The agent', () => {
  it('is given allow rules with content at the start, and nothing without such rules', async () => {
    const { agent } = attached({ allow: ['Read', 'Bash(npm test *)'], deny: ['Bash(rm *)'] });
    const { agent: other } = attached({ allow: ['Read'], deny: ['Bash(rm *)'], ask: ['Write'] });
    await settled();
    expect(agent.given).toEqual([{ allow: ['Bash(npm test *)'], deny: [], ask: [] }]);
    expect(other.given).toEqual([]);
  });

  it('is given all rules of the run time with each change, and none of the start', async () => {
    const { agent, enforced } = attached({ deny: ['Bash(rm *)'], ask: ['Write'] });
    await enforced.add({ deny: ['Read'], ask: ['Edit'], allow: ['Bash(ls *)', 'WebSearch'] });
    await enforced.add({ allow: ['WebFetch'] });
    await enforced.setMode('allow');
    await enforced.remove({ deny: ['Read'] });
    expect(agent.given).toEqual([
      { allow: ['Bash(ls *)'], deny: ['Read'], ask: ['Edit'] },
      { allow: ['Bash(ls *)'], deny: [], ask: ['Edit'] },
    ]);
  });

  it('is given the mode deny as a rule, at the start and later, and rid of it', async () => {
    const { agent, enforced } = attached({ mode: 'deny', deny: ['Read'] });
    await settled();
    await enforced.setMode('ask');
    await enforced.setMode('allow');
    await enforced.setMode('deny');
    const given = (deny: readonly string[]): unknown => ({ allow: [], deny, ask: [] });
    expect(agent.given).toEqual([given(['*']), given([]), given(['*'])]);
  });

  it('that does not give the mode deny up keeps it, and so does the policy', async () => {
    const { agent, enforced, policy } = attached({ mode: 'deny' });
    await settled();
    agent.answer = () => Promise.reject(new SdkError('REQUEST_FAILED', 'No.'));
    await expect(enforced.setMode('allow')).rejects.toThrow('No.');
    expect(policy.mode).toBe('deny');
    agent.answer = () => Promise.resolve({});
    await enforced.setMode('ask');
    agent.answer = () => Promise.reject(new SdkError('REQUEST_FAILED', 'No.'));
    await expect(enforced.setMode('deny')).rejects.toThrow('No.');
    expect(policy.mode).toBe('deny');
  });

  it('is given changes one after the other', async () => {
    const { agent, enforced } = attached({});
    const answers: (() => void)[] = [];
    agent.answer = () => new Promise((resolve) => answers.push(() => resolve({})));
    const changes = [enforced.add({ deny: ['Read'] }), enforced.add({ deny: ['Edit'] })];
    await settled();
    expect(agent.given).toHaveLength(1);
    answers[0]?.();
    await settled();
    answers[1]?.();
    await Promise.all(changes);
    expect(agent.given.at(-1)).toMatchObject({ deny: ['Read', 'Edit'] });
  });

  it('that refuses a rule makes the change reject; a deny rule holds nevertheless, and no rule is lost', async () => {
    const { agent, enforced, policy } = attached({});
    await enforced.add({ deny: ['Read'] });
    agent.answer = () => Promise.reject(new SdkError('REQUEST_FAILED', 'No.'));
    await expect(enforced.add({ deny: ['Edit'] })).rejects.toThrow('No.');
    await expect(enforced.remove({ deny: ['Read'] })).rejects.toThrow('No.');
    expect(policy.rules.deny.toSorted()).toEqual(['Edit', 'Read']);
    agent.answer = () => Promise.resolve({});
    await enforced.remove({ deny: ['Read'] });
    expect(agent.given.at(-1)).toMatchObject({ deny: ['Edit'] });
  });

  it('that refuses the allow rules of the start is warned of, unless it has exited', async () => {
    const warnings = async (code: 'REQUEST_FAILED' | 'CONVERSATION_CLOSED'): Promise<readonly string[]> => {
      const agent = new Agent();
      agent.answer = () => Promise.reject(new SdkError(code, 'No.'));
      new EnforcedPolicy(policyOf({ allow: ['Bash(ls *)'] })).feature.attach?.(agent.control);
      await settled();
      return agent.warned.map((warning) => warning.code);
    };
    expect(await warnings('REQUEST_FAILED')).toEqual(['HEXAGENT_RULES_NOT_TAKEN']);
    expect(await warnings('CONVERSATION_CLOSED')).toEqual([]);
  });

  it('keeps the deny and ask rules with which it was launched', async () => {
    const { enforced, policy } = attached({ deny: ['Read'], ask: ['Edit'], allow: ['WebFetch'] });
    await expect(enforced.remove({ allow: ['WebFetch'], deny: ['Read'] })).rejects.toThrow(
      '`permissions.deny[0]` was given at the start, and the agent keeps it to its end.',
    );
    await expect(enforced.remove({ ask: ['Edit'] })).rejects.toThrow('`permissions.ask[0]` was given at the start');
    expect(policy.rules).toEqual({ allow: ['WebFetch'], deny: ['Read'], ask: ['Edit'] });
  });
});
