import type { HookInput, HookOutput, HookTable, PermissionAnswer } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { allow, deny, EnforcedPolicy, type PermissionPolicy } from '../src/index.ts';
import { context, request } from './requests.ts';
import { policyOf, serviceOf } from './policy-of.ts';

const preToolUse = (command: string, tool_name = 'Bash'): HookInput =>
  ({ hook_event_name: 'PreToolUse', tool_name, tool_input: { command }, tool_use_id: 't', cwd: '/w' }) as HookInput;

const ownAnswer = (policy: PermissionPolicy, input: HookInput): unknown => {
  const [matcher] = new EnforcedPolicy(policy).hooks({}).PreToolUse ?? [];
  return matcher?.hooks[0]?.(input as never, 't', { signal: context.signal });
};

/** What the hooks of a program answer, held to the policy. */
const heldAnswer = async (policy: PermissionPolicy, input: HookInput, answer: unknown): Promise<unknown> => {
  const dispatcher = { registration: () => undefined, dispatch: () => Promise.resolve(answer as HookOutput) };
  const held = new EnforcedPolicy(policy).dispatcher(dispatcher);
  return await held.dispatch({ callback_id: 'hook_0', input }, { signal: context.signal });
};

describe('The hook of a policy', () => {
  it('is the first, without a matcher, and blocks where it fails', () => {
    const mine: HookTable = { PreToolUse: [{ matcher: 'Bash', hooks: [() => {}] }], Stop: [{ hooks: [() => {}] }] };
    const table = new EnforcedPolicy(policyOf()).hooks(mine);
    expect(table.PreToolUse?.map(({ matcher, onFailure }) => [matcher, onFailure])).toEqual([
      [undefined, 'block'],
      ['Bash', undefined],
    ]);
    expect(table.Stop).toBe(mine.Stop);
  });

  it('denies, asks, and leaves the rest to the agent', () => {
    const policy = policyOf({ deny: ['Bash(rm *)'], ask: ['Bash(git push *)'], allow: ['Bash'] });
    const specific = (permissionDecision: string, permissionDecisionReason: string): unknown => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
    });
    expect(ownAnswer(policy, preToolUse('ls && rm x'))).toEqual(
      specific('deny', 'Bash is denied by the rule "Bash(rm *)".'),
    );
    expect(ownAnswer(policy, preToolUse('git push'))).toEqual(
      specific('ask', 'The rule "Bash(git push *)" has Bash asked about.'),
    );
    expect(ownAnswer(policy, preToolUse('ls'))).toBeUndefined();
    policy.setMode('deny');
    expect(ownAnswer(policy, preToolUse('ls'))).toEqual(specific('deny', 'Bash is denied: the mode is "deny".'));
  });

  it('denies where the policy fails to decide', () => {
    const policy = policyOf();
    policy.decide = () => {
      throw new Error('out of order');
    };
    expect(ownAnswer(policy, preToolUse('ls'))).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: 'Bash is denied: the policy failed to decide about it. out of order',
      },
    });
  });
});

describe('An input that a hook of the program changes', () => {
  const policy = policyOf({ deny: ['Bash(rm *)'], ask: ['Bash(git push *)'] });
  const changing = (command: string): unknown => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command } },
  });

  it('is denied, passed to a person with the changed input, or left as it is', async () => {
    expect(await heldAnswer(policy, preToolUse('ls'), changing('sh -c "rm x"'))).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    expect(await heldAnswer(policy, preToolUse('ls'), changing('git push'))).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'ask', updatedInput: { command: 'git push' } },
    });
    const harmless = changing('ls -l');
    expect(await heldAnswer(policy, preToolUse('ls'), harmless)).toStrictEqual(harmless);
  });

  it('is denied in an answer for PermissionRequest', async () => {
    const input = { ...preToolUse('ls'), hook_event_name: 'PermissionRequest' } as HookInput;
    const answer = (command: string): unknown => ({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', updatedInput: { command } },
      },
    });
    for (const command of ['rm x', 'git push'])
      expect(await heldAnswer(policy, input, answer(command))).toMatchObject({
        hookSpecificOutput: { decision: { behavior: 'deny' } },
      });
    const harmless = answer('ls -l');
    expect(await heldAnswer(policy, input, harmless)).toStrictEqual(harmless);
  });

  it.each([
    undefined,
    null,
    'deny',
    [],
    { hookSpecificOutput: 'x' },
    { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: 'rm x' } },
    { hookSpecificOutput: { hookEventName: 'PermissionRequest' } },
  ])('is left for the protocol to refuse where it is invalid: %#', async (answer) => {
    expect(await heldAnswer(policy, preToolUse('ls'), answer)).toStrictEqual(answer);
  });

  it('cannot be read where JSON could not carry it, so that the protocol refuses it too', async () => {
    const failing = {
      get hookSpecificOutput(): never {
        throw new Error('unreadable');
      },
    };
    const { hookSpecificOutput } = changing('ls') as { readonly hookSpecificOutput: object };
    const map = { hookSpecificOutput: { ...hookSpecificOutput, updatedInput: { command: new Map() } } };
    for (const [answer, why] of [
      [failing, '`answer.hookSpecificOutput` cannot be read: unreadable'],
      [map, '`answer.hookSpecificOutput.updatedInput.command` is a Map'],
    ] as const) {
      const held = (await heldAnswer(policy, preToolUse('ls'), answer)) as HookOutput;
      expect(() => Reflect.get(held, 'hookSpecificOutput')).toThrow(why);
    }
  });

  it('is sent as it was judged, although it can be read in another way the next time', async () => {
    const commands = ['ls', 'rm x', 'rm x', 'rm x'];
    const answer = {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        get updatedInput() {
          return { command: commands.shift() };
        },
      },
    };
    const held = await heldAnswer(policy, preToolUse('ls'), answer);
    for (const read of [held, held])
      expect(read).toMatchObject({ hookSpecificOutput: { updatedInput: { command: 'ls' } } });
  });

  it('is denied by its original input, although the hook changes the object that it receives', async () => {
    const input = { ...preToolUse('rm x'), hook_event_name: 'PermissionRequest' } as HookInput;
    const decision = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } };
    const dispatcher = {
      registration: () => undefined,
      dispatch: async (asked: { readonly input: HookInput }) => {
        Object.assign((asked.input as { tool_input: object }).tool_input, { command: 'ls' });
        Object.assign(asked.input, { tool_name: 'Read', hook_event_name: 'Stop' });
        return decision as HookOutput;
      },
    };
    const held = new EnforcedPolicy(policy).dispatcher(dispatcher);
    expect(await held.dispatch({ callback_id: 'hook_0', input }, { signal: context.signal })).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'deny' } },
    });
  });

  it('is not checked in answers to other events', async () => {
    const input = { ...preToolUse('ls'), hook_event_name: 'PostToolUse' } as HookInput;
    const answer = changing('rm x');
    expect(await heldAnswer(policy, input, answer)).toBe(answer);
  });
});

describe('A call that an approver changes', () => {
  const rmInstead = () => allow({ input: { command: 'rm x' } });

  it('is denied where the policy denies the changed input', async () => {
    const gate = serviceOf({ deny: ['Bash(rm *)'], approver: rmInstead });
    expect(await gate.decide(request('Bash'), context)).toEqual({
      behavior: 'deny',
      message: 'Bash is denied by the rule "Bash(rm *)".',
    });
  });

  it('holds for what only an ask rule covers: it was asked', async () => {
    const gate = serviceOf({ ask: ['Bash'], approver: rmInstead });
    expect(await gate.decide(request('Bash'), context)).toMatchObject({ behavior: 'allow' });
  });

  it('is refused where it is a proxy, which can be read in another way the next time', async () => {
    const updatedInput = new Proxy({ command: 'ls' }, {});
    const gate = serviceOf({ deny: ['Bash(rm *)'], approver: () => ({ behavior: 'allow', updatedInput }) });
    await expect(gate.decide(request('Bash'), context)).rejects.toThrow(/is or holds a proxy/);
  });

  it('has failed where a part of it would be lost', async () => {
    const answer: PermissionAnswer = { behavior: 'allow', updatedInput: { command: new Map() } };
    const gate = serviceOf({ approver: () => answer });
    await expect(gate.decide(request('Bash'), context)).rejects.toThrow('`updatedInput.command` is a Map');
  });

  it('is denied by its original input, although the approver changes the object that it receives', async () => {
    const policy = policyOf();
    const gate = serviceOf({
      policy,
      approver: (given) => {
        policy.add({ deny: ['Bash(rm *)'] });
        Object.assign(given, { tool_name: 'Read' });
        Object.assign(given.input, { command: 'ls' });
        return allow();
      },
    });
    const asked = request('Bash', { input: { command: 'rm x' } });
    expect(await gate.decide(asked, context)).toMatchObject({ behavior: 'deny' });
  });

  describe('under a deny rule with a path, which only the agent can compare with files', () => {
    const paths = ['Read(/secret/**)'];
    const changing = (tool: string, input: object, changed: Readonly<Record<string, unknown>>, deny = paths) => {
      const gate = serviceOf({ deny, cwd: '/w', approver: () => allow({ input: changed }) });
      return gate.decide(request(tool, { input: { ...input } }), context);
    };

    it.each<[string, object, Readonly<Record<string, unknown>>, (readonly string[])?]>([
      ['Bash', { command: 'touch a' }, { command: 'cat secret/k' }],
      ['Bash', { command: 'touch a' }, { command: 'echo x > secret/k' }, ['Edit(/secret/**)']],
      ['Monitor', { command: 'tail -f log' }, { command: 'tail -f secret/k' }],
      ['Read', { file_path: '/w/a' }, { file_path: '/w/link' }],
      ['Write', { file_path: '/w/a', content: 'x' }, { file_path: '/w/link', content: 'x' }, ['Edit(/secret/**)']],
      ['Grep', { pattern: 'x', path: '/w/a' }, { pattern: 'x', path: '/w/link' }],
      ['Glob', { pattern: 'a*' }, { pattern: 'secret/*' }],
    ])('is denied where it concerns other files: %s %o', async (tool, input, changed, rules) => {
      expect(await changing(tool, input, changed, [...(rules ?? paths)])).toMatchObject({
        behavior: 'deny',
        message: expect.stringMatching(/was changed, and only the agent can tell whether the rule .* PreToolUse/),
      });
    });

    it.each<[string, object, Readonly<Record<string, unknown>>]>([
      ['Bash', { command: 'touch a' }, { command: 'touch a', timeout: 5 }],
      ['Write', { file_path: '/w/a', content: 'x' }, { file_path: '/w/a', content: 'y' }],
      ['WebFetch', { url: 'https://a.example' }, { url: 'https://b.example' }],
      ['mcp__s__t', { path: 'a' }, { path: 'b' }],
    ])('is allowed where it concerns the same files, or none: %s %o', async (tool, input, changed) => {
      expect(await changing(tool, input, changed)).toEqual({ behavior: 'allow', updatedInput: changed });
    });

    it('is denied where the rule was added before it answered, also without a change', async () => {
      const policy = policyOf();
      const gate = serviceOf({ policy, approver: () => (policy.add({ deny: paths }), allow()) });
      expect(await gate.decide(request('Bash', { input: { command: 'cat secret/k' } }), context)).toMatchObject({
        behavior: 'deny',
        message: expect.stringContaining('was added meanwhile'),
      });
    });
  });

  it('is held to the deny rules that the agent has from elsewhere, and denied where it does not list them', async () => {
    const decided = (listDenyRules: () => Promise<readonly string[]>, command = 'zap x') =>
      serviceOf({ listDenyRules, approver: () => allow({ input: { command } }) }).decide(request('Bash'), context);
    expect(await decided(async () => ['Bash(zap *)'])).toEqual(deny('Bash is denied by the rule "Bash(zap *)".'));
    expect(await decided(async () => ['of another version (x'])).toMatchObject({ behavior: 'deny' });
    expect(await decided(async () => ['Bash(zip *)'])).toMatchObject({ behavior: 'allow' });
    await expect(decided(() => Promise.reject(new Error('It does not list them.')))).rejects.toThrow('does not list');
    const policy = policyOf();
    const listDenyRules = async (): Promise<readonly string[]> => (policy.setMode('deny'), []);
    const gate = serviceOf({ policy, listDenyRules, approver: () => allow({ input: { command: 'ls' } }) });
    expect(await gate.decide(request('Bash'), context)).toMatchObject({
      message: 'Bash is denied: the mode is "deny".',
    });
    // An input that is not changed was held to them by the agent.
    expect(await decided(() => Promise.reject(new Error('not called')), 'touch a')).toMatchObject({
      behavior: 'allow',
    });
  });

  it('is denied where the policy was changed before it answered', async () => {
    const policy = policyOf();
    const gate = serviceOf({ policy, approver: () => (policy.setMode('deny'), allow()) });
    expect(await gate.decide(request('Bash'), context)).toMatchObject({ behavior: 'deny' });
  });
});
