import { describe, expect, it } from 'vitest';
import { allow, deny } from '../src/index.ts';
import { decide, request } from './requests.ts';

const yes = (): ReturnType<typeof allow> => allow();
const never = (): never => {
  throw new Error('The approver was asked.');
};

describe('A tool request', () => {
  it('is denied when a rule denies the tool, even if another rule and the approver allow it', async () => {
    const answer = await decide({ allow: ['Bash'], deny: ['Bash'], approver: yes }, 'Bash');
    expect(answer).toEqual({ behavior: 'deny', message: 'Bash is denied by the rule "Bash".' });
  });

  it('is allowed by a rule without calling the approver', async () => {
    expect(await decide({ allow: ['Read'], approver: never }, 'Read')).toEqual({ behavior: 'allow' });
  });

  it('goes to the approver when no rule matches its tool', async () => {
    const asked = request('Bash');
    const seen: unknown[] = [];
    const approver = (...given: unknown[]): ReturnType<typeof allow> => {
      seen.push(...given);
      return allow({ input: { command: 'touch b' } });
    };
    expect(await decide({ allow: ['Read'], deny: ['Write'], approver }, asked)).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'touch b' },
    });
    expect(seen[0]).toBe(asked);
  });

  it('is denied with a reason when there is no approver', async () => {
    expect(await decide({}, 'Bash')).toEqual({
      behavior: 'deny',
      message: 'No rule allows Bash, and there is nobody to ask.',
    });
  });

  it('matches a rule only by the whole name of its tool, with the same case', async () => {
    for (const rule of ['bash', 'Ba', 'BashOutput']) {
      expect(await decide({ allow: [rule] }, 'Bash'), rule).toMatchObject({ behavior: 'deny' });
      expect(await decide({ deny: [rule], approver: yes }, 'Bash'), rule).toMatchObject({ behavior: 'allow' });
    }
  });
});

describe('A question to a person', () => {
  it.each(['AskUserQuestion', 'ExitPlanMode'])('goes to the approver although a rule allows it: %s', async (tool) => {
    expect(await decide({ allow: [tool], approver: () => deny('not now') }, tool)).toEqual({
      behavior: 'deny',
      message: 'not now',
    });
  });

  it('is any request that the agent marks with `requires_user_interaction`', async () => {
    const asked = request('mcp__forms__fill', { requires_user_interaction: true });
    expect(await decide({ allow: ['mcp__forms'], approver: () => deny('not now') }, asked)).toMatchObject({
      message: 'not now',
    });
  });

  it('is denied with a reason when there is no approver', async () => {
    const answer = await decide({ allow: ['AskUserQuestion'] }, 'AskUserQuestion');
    expect(answer).toEqual({
      behavior: 'deny',
      message: 'AskUserQuestion needs a person to answer, and there is none.',
    });
  });

  it('is denied by a deny rule', async () => {
    expect(await decide({ deny: ['AskUserQuestion'], approver: yes }, 'AskUserQuestion')).toMatchObject({
      behavior: 'deny',
    });
  });
});

describe('An allow rule', () => {
  // The real CLI asks for each of these although its own allow rule covers the tool: `touch` under an ask rule or a
  // hook that answers "ask", Write in plan mode, `sh -c 'rm x'` beside the deny rule `Bash(rm *)`.
  it.each(['rule', 'hook', 'mode', 'safetyCheck'])(
    'does not answer a request with the reason "%s", which goes to the approver',
    async (reason) => {
      const asked = request('Bash', { decision_reason_type: reason });
      expect(await decide({ allow: ['Bash'], approver: () => deny('no') }, asked)).toMatchObject({ message: 'no' });
      expect(await decide({ allow: ['Bash'] }, asked)).toMatchObject({ behavior: 'deny' });
    },
  );

  it('does not answer a request that an ask rule matched', async () => {
    const asked = request('Bash', { matched_ask_rule: { source: 'localSettings', tool_name: 'Bash' } });
    expect(await decide({ allow: ['Bash'], approver: () => deny('no') }, asked)).toMatchObject({ message: 'no' });
  });

  it.each(['subcommandResults', 'workingDir', 'other'])('answers a request with the reason "%s"', async (reason) => {
    expect(await decide({ allow: ['Bash'] }, request('Bash', { decision_reason_type: reason }))).toEqual({
      behavior: 'allow',
    });
  });
});
