import { SdkError, type HookInput, type HookOutput } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { EnforcedPolicy } from '../src/index.ts';
import { featureControl } from './feature-control.ts';
import { context } from './requests.ts';
import { policyOf } from './policy-of.ts';

type Event = 'PreToolUse' | 'PermissionRequest';

/** What a hook of the program answers to `sh -c "rm x"`, when it thinks while the policy changes. */
async function lateAnswer(
  event: Event,
  answer: unknown,
  change: (policy: EnforcedPolicy) => Promise<void> = async () => {},
): Promise<unknown> {
  const enforced = new EnforcedPolicy(policyOf({ ask: ['Bash(mv *)'] }));
  const dispatch = async (): Promise<HookOutput> => {
    await change(enforced);
    return answer as HookOutput; // of any kind
  };
  const held = enforced.dispatcher({ registration: () => undefined, dispatch });
  const call = { tool_name: 'Bash', tool_input: { command: 'sh -c "rm x"' }, tool_use_id: 't', cwd: '/w' };
  const input = { ...call, hook_event_name: event } as HookInput;
  return await held.dispatch({ callback_id: 'hook_0', input }, { signal: context.signal });
}

const before = (fields: object): object => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const request = (decision: object): object => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
});
const denyingRm = (policy: EnforcedPolicy): Promise<void> => policy.add({ deny: ['Bash(rm *)'] });
const askingRm = (policy: EnforcedPolicy): Promise<void> => policy.add({ ask: ['Bash(rm *)'] });

describe('A hook that answers after the policy has changed', () => {
  it.each([
    [before({ permissionDecision: 'allow' }), denyingRm],
    [{}, denyingRm],
    [{ async: true }, denyingRm],
    [before({ permissionDecision: 'ask' }), (policy: EnforcedPolicy) => policy.setMode('deny')],
  ])('lets nothing run that is denied by now: %#', async (answer, change) => {
    expect(await lateAnswer('PreToolUse', answer, change)).toMatchObject(before({ permissionDecision: 'deny' }));
  });

  it('has its permission turned into a request to a person by a newer ask rule, and its refusal left as it is', async () => {
    const decided = await lateAnswer('PreToolUse', before({ permissionDecision: 'allow' }), askingRm);
    expect(decided).toMatchObject(before({ permissionDecision: 'ask' }));
    for (const refusal of [before({ permissionDecision: 'deny' }), { decision: 'block', reason: 'Mine.' }])
      expect(await lateAnswer('PreToolUse', refusal, askingRm)).toEqual(refusal);
  });

  it('grants no permission that is denied by now', async () => {
    const denied = request({ behavior: 'deny' });
    expect(await lateAnswer('PermissionRequest', request({ behavior: 'allow' }), denyingRm)).toMatchObject(denied);
    const allowed = request({ behavior: 'allow' });
    expect(await lateAnswer('PermissionRequest', allowed, askingRm)).toEqual(allowed); // the request is already the question to a person
    const mine = request({ behavior: 'deny', message: 'Mine.' });
    expect(await lateAnswer('PermissionRequest', mine, denyingRm)).toEqual(mine);
  });
});

describe('A hook that refuses a call', () => {
  it.each([
    before({ permissionDecision: 'deny', updatedInput: { command: 'mv a b' } }),
    before({ permissionDecision: 'defer', updatedInput: { command: 'mv a b' } }),
    { ...before({ updatedInput: { command: 'mv a b' } }), decision: 'block', reason: 'Mine.' },
  ])('refuses it also where it names an input that an ask rule covers: %#', async (answer) => {
    expect(await lateAnswer('PreToolUse', answer)).toEqual(answer);
  });
});

describe('An allow rule that the agent refuses', () => {
  it('holds for nothing, with those beside it, while what narrows holds', async () => {
    const policy = policyOf({ allow: ['Read'] });
    const enforced = new EnforcedPolicy(policy);
    enforced.feature.attach?.(featureControl(() => Promise.reject(new SdkError('REQUEST_FAILED', 'No.'))));
    const rules = { allow: ['Read', 'Write', 'Bash(ls *)'], deny: ['Bash(rm *)'] };
    await expect(enforced.add(rules)).rejects.toThrow('No.');
    expect(policy.rules).toEqual({ allow: ['Read'], deny: ['Bash(rm *)'], ask: [] });
  });
});
